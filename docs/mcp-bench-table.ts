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
      server: z.string(),
      message: z.string(),
      perSecond: z.number(),
      cpuMicroseconds: z.number(),
      p99Ms: z.number(),
      ofEcho: z.number().optional(),
      timesSdkV1: z.number().optional(),
    }),
  ),
  resident: z.array(z.object({ requests: z.number(), mb: z.number() })),
  crowd: z.looseObject({ p99Ms: z.number() }),
  stdioMs: z.number(),
});

/** bench/results/mcp.json as a table with its conditions. */
export function mcpBenchTable(json: string): string {
  const { date, machine, rounds, seconds, connections, rows, resident, crowd, stdioMs } = Report.parse(
    JSON.parse(json),
  );
  const head = ['Server', 'Message', 'Requests a second', 'Of the echo', 'Times SDK v1', 'CPU µs a request', 'p99 ms'];
  const body = rows.map(row => [
    row.server,
    row.message,
    row.perSecond,
    row.ofEcho === undefined ? '' : `${Math.round(row.ofEcho * 100)} %`,
    row.timesSdkV1 === undefined ? '' : `${row.timesSdkV1.toFixed(1)} ×`,
    row.cpuMicroseconds,
    row.p99Ms,
  ]);
  const memory = resident.map(({ requests, mb }) => `${mb} MB after ${requests.toLocaleString('en')} calls`).join(', ');
  return [
    table(head, body),
    '',
    `Retrieval excluded: every server gives the same stub answer, of one claim or of none. The load polls its sockets, since waking an idle core would be charged to the server. Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections; ${date}, ${machine}.`,
    `Resident memory: ${memory}. Among 1,000 connections, half of them slow or silent, the others see a p99 of ${Math.round(crowd.p99Ms)} ms. stdio answers initialize ${stdioMs} ms after process start (median).`,
  ].join('\n');
}
