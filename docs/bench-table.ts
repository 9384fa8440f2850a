import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';
import { conditions, REPORT, residentText } from './bench-report.ts';

const Report = z.object({
  ...REPORT,
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
});

/** bench/results/bench.json as a table with its conditions. */
export function benchTable(json: string): string {
  const report = Report.parse(JSON.parse(json));
  const { rows, readyMs } = report;
  const head = ['', 'Requests a second', 'Against', 'CPU µs a request', 'p50 ms', 'p99 ms'];
  const body = rows.map(row => [row.name, row.perSecond, against(row), row.cpuMicroseconds, row.p50Ms, row.p99Ms]);
  return [
    table(head, body),
    '',
    `${conditions(report)}, load and servers on the same machine.`,
    `Ready ${readyMs} ms after process start (median). ${residentText(report, 'questions')}`,
  ].join('\n');
}

/** The row that it is compared with sends the same: its first words are enough. */
function against({ against, ratio }: { against?: string | undefined; ratio?: number | undefined }): string {
  if (against === undefined || ratio === undefined) return '';
  const [name] = against.split(',');
  return ratio < 2 ? `${Math.round(ratio * 100)} % of ${name}` : `${ratio.toFixed(1)} × ${name}`;
}
