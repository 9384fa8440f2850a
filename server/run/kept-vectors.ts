import type { KeptVectors } from '../../brand/retrieval/read-claims.ts';
import { once } from '../config/once.ts';
import { migrate, type Schema } from '../outbox/migrate.ts';
import { type Database, type Sql, sql } from '../outbox/sql.ts';

/** The encoder's vectors: a start or a reload reads only new claims. They can be computed again. */
export const VECTORS: Schema = {
  name: 'vectors',
  steps: [['CREATE TABLE vectors (key TEXT PRIMARY KEY, vector TEXT NOT NULL, used BIGINT NOT NULL)']],
};

const DAY_MS = 24 * 3_600_000;

/** Longer than most pauses between two starts of one profile. */
const KEPT_DAYS = 90;

/** Values in one statement. SQLite allows 32,766, before 3.32 only 999 (sqlite.org/limits.html). */
const AT_ONCE = 250;

/** Vectors of claims in the submissions' database: base64 of little-endian float32. */
export function createKeptVectors(database: Database, now = Date.now): KeptVectors {
  const prepared = once(() => migrate(database, VECTORS));
  return {
    async find(keys) {
      await prepared();
      const found = new Map<string, Float32Array>();
      for (let at = 0; at < keys.length; at += AT_ONCE) {
        const some = keys.slice(at, at + AT_ONCE);
        const rows = await database.query(sql`SELECT key, vector FROM vectors WHERE key IN (${list(some)})`);
        for (const { key, vector } of rows) found.set(String(key), decoded(String(vector)));
        const [today, old] = [now(), now() - DAY_MS];
        await database.query(sql`UPDATE vectors SET used = ${today} WHERE used < ${old} AND key IN (${list(some)})`);
      }
      await database.query(sql`DELETE FROM vectors WHERE used < ${now() - KEPT_DAYS * DAY_MS}`);
      return found;
    },
    async keep(vectors) {
      await prepared();
      const rows = Array.from(vectors, ([key, vector]) => sql`(${key}, ${encoded(vector)}, ${now()})`);
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        const some = joined(rows.slice(at, at + AT_ONCE));
        await database.query(sql`INSERT INTO vectors (key, vector, used) VALUES ${some} ON CONFLICT DO NOTHING`);
      }
    },
  };
}

const joined = (parts: readonly Sql[]): Sql => parts.reduce((all, part) => sql`${all}, ${part}`);
const list = (values: readonly string[]): Sql => joined(values.map(value => sql`${value}`));

const encoded = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

const decoded = (text: string) => new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);
