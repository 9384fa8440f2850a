import type { KeptVectors } from '../../brand/retrieval/kept-vectors.ts';
import { commaList, type Database, sql, tuple } from '../outbox/sql.ts';

const DAY_MS = 24 * 3_600_000;

/** Longer than most pauses between two starts of one profile. */
const KEPT_DAYS = 90;

/** Values in one statement. SQLite allows 32,766, before 3.32 only 999 (sqlite.org/limits.html). */
const AT_ONCE = 250;

/** The vectors of claims in the submissions' database: a start or a reload computes only those of new claims. */
export function createKeptVectors(database: Database, now = Date.now): KeptVectors {
  return {
    async find(keys) {
      const found = new Map<string, Float32Array>();
      for (let at = 0; at < keys.length; at += AT_ONCE) {
        const some = tuple(keys.slice(at, at + AT_ONCE));
        const rows = await database.query(sql`SELECT key, vector FROM vectors WHERE key IN ${some}`);
        for (const { key, vector } of rows) found.set(String(key), decoded(String(vector)));
        const [today, old] = [now(), now() - DAY_MS];
        await database.query(sql`UPDATE vectors SET used = ${today} WHERE used < ${old} AND key IN ${some}`);
      }
      await database.query(sql`DELETE FROM vectors WHERE used < ${now() - KEPT_DAYS * DAY_MS}`);
      return found;
    },
    async keep(vectors) {
      const rows = Array.from(vectors, ([key, vector]) => tuple([key, encoded(vector), now()]));
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        const some = commaList(rows.slice(at, at + AT_ONCE));
        await database.query(
          sql`INSERT INTO vectors (key, vector, used) VALUES ${some} ON CONFLICT DO NOTHING`,
        );
      }
    },
  };
}

const encoded = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

const decoded = (text: string) => new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);
