import * as z from 'zod';
import { table } from './table.ts';

const spread = z.object({ questions: z.number(), median: z.number(), p95: z.number() });
const counts = z.object({ list: z.number(), answerable: spread, unanswerable: spread, nonsense: spread });

/** What `npm run bench -- tokens` measures. */
export const Tokens = z.object({ date: z.string(), before: counts.optional(), now: counts });

export type Tokens = z.infer<typeof Tokens>;

/** Tokens that an agent reads, before answers had a floor and now. */
export function tokensTable({ date, before, now }: Tokens): string {
  const row = (name: string, of: (figures: Tokens['now']) => string | number) => [
    name,
    before ? of(before) : '',
    of(now),
  ];
  const kinds = {
    answerable: 'answerable',
    unanswerable: 'unanswerable, near the topic',
    nonsense: 'nonsense',
  } as const;
  return [
    table(
      ['Tokens (o200k)', 'five matches always', 'now'],
      [
        ...(['answerable', 'unanswerable', 'nonsense'] as const).map(kind =>
          row(
            `${now[kind].questions} questions, ${kinds[kind]}: median, 95th percentile`,
            figures => `${figures[kind].median}, ${figures[kind].p95}`,
          ),
        ),
        row('tools/list', ({ list }) => list),
      ],
    ),
    `Measured ${date}.`,
  ].join('\n\n');
}
