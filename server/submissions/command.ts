import { join } from 'node:path';
import * as z from 'zod';

/** What an operator can have done to submissions, by a running server or without one. */
export const OutboxCommand = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('retry'), id: z.string() }),
  z.strictObject({ command: z.literal('retry-all') }),
  /** Gives up on a pending submission; `by` is the operator's name for the journal. */
  z.strictObject({ command: z.literal('abandon'), id: z.string(), by: z.string().max(100) }),
  /** Drops the fields of everything finished longer ago than this. */
  z.strictObject({ command: z.literal('purge'), olderThanDays: z.number().min(0) }),
]);

export type OutboxCommand = z.infer<typeof OutboxCommand>;

const result = z.enum(['delivered', 'kept', 'abandoned', 'purged', 'unknown', 'finished', 'being-sent']);

/**
 * One row per submission that was touched.
 * `kept`: tried, failed with `code`, still pending. `finished`: delivered or abandoned before.
 */
export const CommandResult = z.strictObject({
  rows: z.array(z.strictObject({ id: z.string(), result, code: z.string().optional() })),
  /** Set when the command itself failed. */
  error: z.string().optional(),
});

export type CommandResult = z.infer<typeof CommandResult>;
export type CommandRow = CommandResult['rows'][number];

/** Where another process leaves a command for the running server, and finds the answer. */
export function commandPaths(dataDirectory: string, id: string) {
  const directory = join(dataDirectory, 'commands');
  return { directory, command: join(directory, `${id}${COMMAND}`), result: join(directory, `${id}${RESULT}`) };
}

export const COMMAND = '.command.json';
export const RESULT = '.result.json';
