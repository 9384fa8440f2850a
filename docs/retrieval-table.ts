import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const number = z.number();
const compared = z.object({
  name: z.string(),
  ...{ recall1: number, recall5: number, auc: number, firstMicroseconds: number, microseconds: number },
});
const scale = z.object({
  encoder: z.boolean(),
  index: z.enum(['hnsw', 'exact']),
  claims: z.number(),
  buildSeconds: z.number(),
  restartSeconds: z.number().optional(),
  longestPieceMs: z.number(),
  residentMegabytes: z.number(),
  p50: z.number(),
  p99: z.number(),
  p99WhileReloading: z.number(),
  recall5: z.number(),
});

/** What `npm run bench -- retrieval` measures. */
export const RetrievalBench = z.object({ date: z.string(), compared: z.array(compared), scale: z.array(scale) });

export type RetrievalBench = z.infer<typeof RetrievalBench>;

export function retrievalTables(bench: RetrievalBench): string {
  return [comparedTable(bench), scaleTable(bench)].join('\n\n');
}

export function comparedTable({ compared, date }: RetrievalBench): string {
  const rows = compared.map(({ name, recall1, recall5, auc, ...times }) => [
    ...[name, figure(recall1), figure(recall5), figure(auc)],
    ...[times.firstMicroseconds, times.microseconds],
  ]);
  return `${table(['On the example', 'R@1', 'R@5', 'AUC', 'µs a new question (median)', 'µs the second time'], rows)}\n\nMeasured ${date}.`;
}

export function scaleTable({ scale, date }: RetrievalBench): string {
  const head = [
    'Encoder',
    'Index',
    'claims',
    'build',
    'restart',
    'longest piece',
    'resident',
    'p50',
    'p99',
    'p99 during a reload',
    'recall@5',
  ];
  const rows = scale.map(row => [
    row.encoder ? 'on' : 'off',
    row.index,
    row.claims,
    `${row.buildSeconds.toFixed(1)} s`,
    row.restartSeconds === undefined ? '' : `${row.restartSeconds.toFixed(1)} s`,
    `${row.longestPieceMs.toFixed(0)} ms`,
    `${row.residentMegabytes} MB`,
    ...[row.p50, row.p99, row.p99WhileReloading].map(value => `${value.toFixed(1)} ms`),
    row.recall5.toFixed(3),
  ]);
  return `${table(head, rows)}\n\nMeasured ${date}.`;
}

const figure = (value: number) => value.toFixed(3).replace(/^0/, '');
