import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const Row = z.object({ name: z.string(), ms: z.number(), mb: z.number() });
const Report = z.object({
  date: z.string(),
  machine: z.string(),
  rounds: z.number(),
  rows: z.tuple([Row]).rest(Row),
});

/** bench/results/start.json as a table with its conditions; the first row is what the others are multiples of. */
export function startTable(json: string): string {
  const { rows, rounds, date, machine } = Report.parse(JSON.parse(json));
  const body = rows.map(({ name, ms, mb }) => [name, ms, (ms / rows[0].ms).toFixed(1), mb || '']);
  return [
    table(['', 'ms', `× ${rows[0].name}`, 'Memory then, MB'], body),
    '',
    `Medians of ${rounds} interleaved rounds; ${date}, ${machine}.`,
  ].join('\n');
}
