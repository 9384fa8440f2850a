import { createReadStream } from 'node:fs';
import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import type { Log } from '../../config/log.ts';
import { type Database, type Sql, sql } from '../../database/sql.ts';
import { newReference, recipientOf } from './identity.ts';
import type { Mode } from './stored-submission.ts';

const id = z.string().min(1);
const atMs = z.number();
const part = z.enum(['team', 'confirm']);

/** A line of the journal of version 0.1.0: `<crc32 of the JSON, 8 hex digits> <JSON>`. */
const Line = z.discriminatedUnion('record', [
  z.object({
    record: z.literal('received'),
    id,
    atMs,
    kind: z.enum(['diagnostic', 'partner']),
    channel: z.enum(['rest', 'form', 'mcp', 'stdio']),
    fields: z.record(z.string(), z.string()).optional(),
    clientHash: z.string().optional(),
    bodyHash: z.string().optional(),
    keyHash: z.string().optional(),
    suspect: z.boolean().optional(),
  }),
  z.object({ record: z.literal('attempt'), id, atMs, part, outcome: z.string(), code: z.string() }),
  z.object({ record: z.literal('accepted'), id, atMs, part, mailId: z.string() }),
  z.object({ record: z.literal('done'), id, atMs, confirmation: z.enum(['none', 'sent', 'skipped', 'failed']) }),
  z.object({ record: z.literal('abandoned'), id, atMs, by: z.string() }),
  z.object({ record: z.literal('purged'), id, atMs }),
]);

type Line = z.infer<typeof Line>;

/** Where version 0.1.0 kept submissions. */
export const journalFile = (dataDirectory: string) => join(dataDirectory, 'outbox', 'journal.jsonl');

export const importedJournal = (dataDirectory: string) => join(dataDirectory, 'outbox', 'journal.imported.jsonl');

/**
 * Takes over a journal of version 0.1.0, all of it or nothing, and puts the file aside as a back-up. Its lines say what
 * happened one after the other, so each is one statement, and a journal of any length is read in little memory.
 */
export async function importJournal(database: Database, dataDirectory: string, log: Log): Promise<void> {
  const path = journalFile(dataDirectory);
  if (!(await stat(path).catch(() => undefined))) return;
  const dryRun = await dryRunIds(dataDirectory);
  const damaged: number[] = [];
  let submissions = 0;
  await database.exclusively('import', async query => {
    let number = 0;
    for await (const text of linesOf(path)) {
      number += 1;
      const line = decode(text);
      if (line) await query(statementOf(line, dryRun.has(line.id) ? 'dry-run' : 'production'));
      else if (text !== '') damaged.push(number);
      if (line?.record === 'received') submissions += 1;
    }
    await query(sql`UPDATE submissions SET due_at = NULL WHERE state <> 'pending' AND confirmation <> 'due'`);
  });
  await rename(path, importedJournal(dataDirectory));
  log('info', 'journal imported', { submissions, backup: importedJournal(dataDirectory) });
  if (damaged.length > 0) {
    log('error', 'journal lines damaged', { count: damaged.length, lines: damaged.slice(0, 20), alarm: true });
  }
}

/** The journal did not say in which mode a submission was taken; a dry run left its mail beside. In doubt it was real. */
async function dryRunIds(dataDirectory: string): Promise<ReadonlySet<string>> {
  const names = await readdir(join(dataDirectory, 'mail')).catch(() => []);
  return new Set(names.map(name => name.split('.', 1)[0] ?? ''));
}

/** By bytes: readline also ends lines at U+2028, which JSON may hold (Node 24). An unfinished last line was never promised. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, Buffer.from(chunk)]);
    let start = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      yield rest.toString('utf8', start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
}

function decode(text: string): Line | undefined {
  const json = text.slice(9);
  if (text.slice(0, 9) !== `${crc32(json).toString(16).padStart(8, '0')} `) return undefined;
  try {
    return Line.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

function statementOf(line: Line, mode: Mode): Sql {
  switch (line.record) {
    case 'received':
      return received(line, mode);
    case 'attempt':
      return sql`
        INSERT INTO attempts (submission, part, at, outcome, code)
        SELECT id, ${line.part}, ${line.atMs}, ${line.outcome}, ${line.code} FROM submissions WHERE id = ${line.id}`;
    case 'accepted':
      if (line.part === 'confirm') {
        return sql`UPDATE submissions SET confirmation = 'sent', confirmed_at = ${line.atMs} WHERE id = ${line.id}`;
      }
      return sql`
        UPDATE submissions SET state = 'delivered', delivered_at = ${line.atMs}, mail_id = ${line.mailId} WHERE id = ${line.id}`;
    case 'done':
      return sql`
        UPDATE submissions SET confirmation = ${line.confirmation}, finished_at = ${line.atMs} WHERE id = ${line.id}`;
    case 'abandoned':
      return sql`
        UPDATE submissions SET state = 'abandoned', abandoned_by = ${line.by}, finished_at = ${line.atMs}, confirmation = 'none'
        WHERE id = ${line.id}`;
    case 'purged':
      return sql`
        UPDATE submissions SET fields = NULL, client_key = NULL, body_hash = NULL, key_hash = NULL, recipient = NULL,
          erased_at = ${line.atMs} WHERE id = ${line.id}`;
  }
}

function received(line: Extract<Line, { record: 'received' }>, mode: Mode): Sql {
  const { kind, fields, suspect = false, clientHash = null, bodyHash = null, keyHash = null } = line;
  const confirmation = kind === 'diagnostic' && !suspect ? 'due' : 'none';
  return sql`
    INSERT INTO submissions (id, reference, kind, channel, mode, language, received_at, fields, client_key, body_hash, key_hash,
      recipient, suspect, state, tries, planned_at, due_at, confirmation)
    VALUES (${line.id}, ${newReference()}, ${kind}, ${line.channel}, ${mode}, 'es', ${line.atMs},
      ${fields ? JSON.stringify(fields) : null}, ${clientHash}, ${bodyHash}, ${keyHash},
      ${fields?.email === undefined ? null : recipientOf(fields.email)}, ${suspect ? 1 : 0}, 'pending', 0, ${line.atMs},
      ${line.atMs}, ${confirmation})
    ON CONFLICT (id) DO NOTHING`;
}
