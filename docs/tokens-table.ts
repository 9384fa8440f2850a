import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const spread = z.object({ results: z.number(), median: z.number(), p95: z.number() });
const KINDS = {
  answerable: 'answerable questions',
  weak: 'answers that say "nearest only"',
  unanswerable: 'unanswerable questions near the topic',
  offTopic: 'off-topic',
  refusal: 'refused submission',
  submission: 'submission',
} as const;
const counts = z.object({
  list: z.number(),
  ...{ answerable: spread, weak: spread, unanswerable: spread, offTopic: spread, refusal: spread, submission: spread },
});

/** What `npm run bench -- tokens` measures. */
export const Tokens = z.object({ date: z.string(), modes: z.record(z.string(), counts) });

export type Tokens = z.infer<typeof Tokens>;

/** Tokens that an agent reads: without floors, now, and now without the encoder. */
export function tokensTable({ date, modes }: Tokens): string {
  const columns = Object.values(modes);
  const rows = Object.entries(KINDS).map(([kind, name]) => [
    name,
    ...columns.map(figures => {
      const { results, median, p95 } = spread.parse(Object.entries(figures).find(([key]) => key === kind)?.[1]);
      return results > 1 ? `${median}, ${p95} (${results})` : `${median}`;
    }),
  ]);
  const list = ['tools/list', ...columns.map(figures => figures.list)];
  return `${table(['Tokens (o200k): median, 95th percentile (results)', ...Object.keys(modes)], [...rows, list])}\n\nMeasured ${date}.`;
}
