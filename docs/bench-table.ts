import * as z from 'zod';
import { table } from './table.ts';

const Report = z.object({
  date: z.string(),
  machine: z.string(),
  rounds: z.number(),
  seconds: z.number(),
  connections: z.number(),
  rows: z.array(
    z.object({
      name: z.string(),
      against: z.string().optional(),
      perSecond: z.number(),
      ratio: z.number().optional(),
      cpuMicroseconds: z.number(),
      p50Ms: z.number(),
      p99Ms: z.number(),
    }),
  ),
  readyMs: z.number(),
  resident: z.array(z.object({ requests: z.number(), mb: z.number() })),
});

/** bench/results/bench.json as a table with its conditions. */
export function benchTable(json: string): string {
  const { date, machine, rounds, seconds, connections, rows, readyMs, resident } = Report.parse(JSON.parse(json));
  const head = ['', 'Requests a second', 'Against', 'CPU µs a request', 'p50 ms', 'p99 ms'];
  const body = rows.map(row => [row.name, row.perSecond, against(row), row.cpuMicroseconds, row.p50Ms, row.p99Ms]);
  return [
    table(head, body),
    '',
    `Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections; ${date}, ${machine}, load and servers on the same machine.`,
    `Ready ${readyMs} ms after process start (median). Resident memory: ${resident.map(({ requests, mb }) => `${mb} MB after ${requests.toLocaleString('en')} questions`).join(', ')}.`,
  ].join('\n');
}

function against({ against, ratio }: { against?: string | undefined; ratio?: number | undefined }): string {
  if (against === undefined || ratio === undefined) return '';
  return ratio < 2 ? `${Math.round(ratio * 100)} % of ${against}` : `${ratio.toFixed(1)} × ${against}`;
}
