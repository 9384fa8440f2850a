import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const number = z.number();

const Speed = z.object({
  date: z.string(),
  machine: z.string(),
  rounds: number,
  seconds: number,
  connections: number,
  residentMb: number,
  starts: z.array(z.object({ name: z.string(), ms: number, mb: number })).optional(),
  rows: z.array(
    z.object({
      name: z.string(),
      against: z.string().optional(),
      ratio: number.optional(),
      perSecond: number,
      cpuMicroseconds: number,
      p50Ms: number,
      p99Ms: number,
    }),
  ),
});

/** bench/results/speed.json as a table of answers a second, with its conditions. */
export function speedTable(json: string): string {
  const { rows, rounds, seconds, connections, date, machine, residentMb } = Speed.parse(JSON.parse(json));
  const body = rows.map(({ name, perSecond, against, ratio, cpuMicroseconds, p99Ms }) => [
    name,
    perSecond,
    compared(against, ratio),
    cpuMicroseconds,
    p99Ms,
  ]);
  return [
    table(['', 'a second', 'against', 'CPU µs', 'p99 ms'], body),
    '',
    `Medians of ${rounds} rounds of ${seconds} s, ${connections} connections, load and servers on one machine: ${machine}, ${date}. Memory afterwards: ${residentMb} MB.`,
  ].join('\n');
}

/** The row that it is compared with sends the same: its first words are enough. */
function compared(against: string | undefined, ratio: number | undefined): string {
  if (against === undefined || ratio === undefined) return '';
  const [name] = against.split(',');
  return ratio < 2 ? `${Math.round(ratio * 100)} % of ${name}` : `${ratio.toFixed(1)} × ${name}`;
}

/** The starts of bench/results/speed.json as a table, measured with the answers a second. */
export function startTable(json: string): string {
  const { starts = [] } = Speed.parse(JSON.parse(json));
  return table(
    ['', 'ms', 'MB'],
    starts.map(({ name, ms, mb }) => [name, ms, mb || '']),
  );
}
