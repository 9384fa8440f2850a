import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const number = z.number();
const Report = z.object({
  date: z.string(),
  machine: z.string(),
  seconds: number,
  /** Load average of the machine before. */
  loadBefore: number,
  rows: z.array(
    z.object({
      encoder: z.string(),
      questions: z.string(),
      ...{ perSecond: number, p50Ms: number, p99Ms: number, lagP99Ms: number },
      ...{ documentP99Ms: number, statusP99Ms: number, residentMb: number },
    }),
  ),
});

/** bench/results/encoder.json as a table with its conditions. */
export function encoderCostTable(json: string): string {
  const { rows, seconds, loadBefore, date, machine } = Report.parse(JSON.parse(json));
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const body = rows.map(row => [
    ...[row.encoder, row.questions, Math.round(row.perSecond)],
    ...[row.p50Ms, row.p99Ms, row.lagP99Ms, row.documentP99Ms, row.statusP99Ms].map(ms),
    `${Math.round(row.residentMb)} MB`,
  ]);
  const head = [
    'encoder',
    'questions',
    'a second',
    'p50',
    'p99',
    'event loop delay p99',
    'a document p99',
    'status p99',
    'resident',
  ];
  return `${table(head, body)}\n\n50 connections, ${seconds} s each; ${date}, ${machine}, load before ${loadBefore}.`;
}
