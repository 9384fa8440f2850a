import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const number = z.number();

/** What `npm run bench -- versus` measures. */
export const Versus = z.object({
  date: z.string(),
  machine: z.string(),
  /** Who could not be asked, and why. */
  notRun: z.array(z.string()),
  rows: z.array(
    z.object({
      name: z.string(),
      /** Share of the answerable questions with a right claim first, and among the first five. */
      ...{ recall1: number, recall5: number },
      /** Share of the unanswerable questions, and of the answerable ones, that get an empty list. */
      ...{ emptyRight: number, emptyWrong: number },
      /** Median of a call that was not made before; from the start of the process to its first answer. */
      ...{ milliseconds: number, startMs: number },
      /** Resident after all questions. */
      megabytes: number,
      /** Lines that its user writes. */
      lines: number,
    }),
  ),
});

export type Versus = z.infer<typeof Versus>;

export function versusTable({ rows, notRun, date, machine }: Versus): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const head = [
    'MCP server, over stdio',
    'right first',
    'right in five',
    'nothing fits: empty',
    'empty though one fits',
  ];
  return `${table(
    [...head, 'ms a new question', 'start ms', 'MB', 'lines to write'],
    rows.map(row => [
      ...[row.name, row.recall1.toFixed(3), row.recall5.toFixed(3), percent(row.emptyRight), percent(row.emptyWrong)],
      ...[row.milliseconds.toFixed(1), Math.round(row.startMs), Math.round(row.megabytes), row.lines],
    ]),
  )}\n\n${[...notRun, `Measured ${date}, ${machine}`].join('. ')}.`;
}
