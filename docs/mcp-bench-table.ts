import * as z from 'zod';
import { conditions, REPORT, residentText } from './bench-report.ts';
import { table } from './table.ts';

const Report = z.object({
  ...REPORT,
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
  crowd: z.looseObject({ p99Ms: z.number() }),
  stdioMs: z.number(),
});

/** bench/results/mcp.json as a table with its conditions. */
export function mcpBenchTable(json: string): string {
  const report = Report.parse(JSON.parse(json));
  const { rows, crowd, stdioMs } = report;
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
  return [
    table(head, body),
    '',
    `Retrieval excluded: every server gives the same stub answer, of one claim or of none. The load polls its sockets, since waking an idle core would be charged to the server. ${conditions(report)}.`,
    `${residentText(report, 'calls')} Among 1,000 connections, half of them slow or silent, the others see a p99 of ${Math.round(crowd.p99Ms)} ms. stdio answers initialize ${stdioMs} ms after process start (median).`,
  ].join('\n');
}
