import { crc32 } from 'node:zlib';
import * as z from 'zod';

const id = z.string().min(1);
const atMs = z.number();
const part = z.enum(['team', 'confirm']);

/** One line of the journal. Records only ever say what happened, so the state of a submission is their sum. */
export const OutboxRecord = z.discriminatedUnion('record', [
  /** A submission is on disk. `fields` and the hashes are absent once purged. */
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
  /** A send that failed. `code` is a status or error code, never a provider's text. */
  z.object({
    record: z.literal('attempt'),
    id,
    atMs,
    part,
    n: z.number(),
    outcome: z.enum(['temporary', 'ambiguous', 'permanent', 'configuration']),
    code: z.string(),
  }),
  /** The mail provider took the mail. */
  z.object({ record: z.literal('accepted'), id, atMs, part, mailId: z.string() }),
  /** Nothing is left to send. */
  z.object({ record: z.literal('done'), id, atMs, confirmation: z.enum(['none', 'sent', 'skipped', 'failed']) }),
  /** The operator gave it up. */
  z.object({ record: z.literal('abandoned'), id, atMs, by: z.string() }),
  /** Its fields were dropped. */
  z.object({ record: z.literal('purged'), id, atMs }),
]);

export type OutboxRecord = z.infer<typeof OutboxRecord>;
export type Part = z.infer<typeof part>;

/** `<crc32 of the JSON, 8 hex digits> <JSON>\n`. JSON holds no raw line break, so a line is a record. */
export function encodeLine(record: OutboxRecord): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

/** `undefined` for a line that was damaged or is none of ours. */
export function decodeLine(line: string): OutboxRecord | undefined {
  const json = line.slice(9);
  if (line[8] !== ' ' || line.slice(0, 8) !== checksum(json)) return undefined;
  const result = OutboxRecord.safeParse(parseJson(json));
  return result.success ? result.data : undefined;
}

const checksum = (json: string) => crc32(json).toString(16).padStart(8, '0');

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
