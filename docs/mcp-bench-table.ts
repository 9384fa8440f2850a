import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';
import { conditions, REPORT, residentText } from './bench-report.ts';

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

/** The bare socket that all servers are compared with. */
const ECHO = 'raw echo';

type Row = z.infer<typeof Report>['rows'][number];

/** Requests a second, and how many times as many as SDK v1; empty where the server does not know the message. */
function throughput(row: Row | undefined): string {
  if (!row) return '';
  return row.timesSdkV1 === undefined ? `${row.perSecond}` : `${row.perSecond} (${row.timesSdkV1.toFixed(1)})`;
}

/** bench/results/mcp.json as a table with its conditions. */
export function mcpBenchTable(json: string): string {
  const report = Report.parse(JSON.parse(json));
  const { rows, crowd, stdioMs } = report;
  const aval = rows.filter(({ server }) => server === 'aval');
  const echo = rows.find(({ server }) => server === ECHO);
  const others = [...new Set(rows.map(({ server }) => server))].filter(server => server !== 'aval' && server !== ECHO);
  return [
    'Requests a second, in brackets as a multiple of SDK v1:',
    '',
    table(
      ['Message', 'aval', '% of the echo', 'CPU µs a request', 'p99 ms', ...others],
      aval.map(row => [
        ...[row.message, throughput(row), row.ofEcho === undefined ? '' : Math.round(row.ofEcho * 100)],
        ...[row.cpuMicroseconds, row.p99Ms],
        ...others.map(server => throughput(rows.find(one => one.server === server && one.message === row.message))),
      ]),
    ),
    '',
    `The ${ECHO} serves ${echo?.perSecond} calls a second. All servers give one stub answer, without retrieval. ${conditions(report)}; CPU and p99 of all: \`bench/results/mcp.json\`.`,
    `${residentText(report, 'calls')} 1,000 connections, half of them slow or silent: p99 of the others ${Math.round(crowd.p99Ms)} ms. First answer over stdio: ${stdioMs} ms after process start (median).`,
  ].join('\n');
}
