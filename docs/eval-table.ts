import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const share = z.number().min(0).max(1).optional();
const count = z.number();

/** What is found in one set, with its claims read in one way. Shares are absent where there is no such question. */
const FoundRow = z.object({
  set: z.string(),
  /** How many questions of their own the claims have. */
  way: z.string(),
  answerable: count,
  unanswerable: count,
  /** Before the floors. */
  first: share,
  five: share,
  /** As served. */
  servedFirst: share,
  servedFive: share,
  emptyWrongly: share,
  emptyRightly: share,
  /** First matches from .8 up, and how many of them are wrong. */
  sure: count,
  sureWrong: count,
});

/** First matches of one tenth of the scale: what they promise, and how many are right. */
const ReliabilityRow = z.object({
  from: z.number(),
  matches: count,
  promised: z.number(),
  right: z.number(),
});

/** What `npm run eval` measures. */
export const Evaluation = z.object({
  date: z.string(),
  sets: z.array(FoundRow),
  reliability: z.array(ReliabilityRow),
});

export type FoundRow = z.infer<typeof FoundRow>;
export type ReliabilityRow = z.infer<typeof ReliabilityRow>;
export type Evaluation = z.infer<typeof Evaluation>;

/** The tables of an evaluation, as `npm run eval` prints them and docs/retrieval.md shows them. */
export function evalTables({ date, sets, reliability }: Evaluation): string {
  const setRows = sets.map(row => [
    row.set,
    row.way,
    row.unanswerable > 0 ? `${row.answerable} + ${row.unanswerable}` : `${row.answerable}`,
    `${figure(row.first)} / ${figure(row.five)}`,
    `${figure(row.servedFirst)} / ${figure(row.servedFive)}`,
    figure(row.emptyWrongly),
    figure(row.emptyRightly),
    `${row.sureWrong} of ${row.sure}`,
  ]);
  const reliabilityRows = reliability.map(({ from, matches, promised, right }) => [
    `${from.toFixed(1)}–${(from + 0.1).toFixed(1)}`,
    `${matches}`,
    figure(promised),
    figure(right),
  ]);
  return [
    table(
      [
        'Set',
        'questions',
        'asked',
        'first / in five',
        'served',
        'empty wrongly',
        'empty rightly',
        'wrong from .8',
      ],
      setRows,
    ),
    `Measured ${date}.`,
    table(['First similarity', 'matches', 'promised', 'right'], reliabilityRows),
  ].join('\n\n');
}

/** `.755`, as the literature writes shares. */
const figure = (value: number | undefined) => (value === undefined ? '' : value.toFixed(3).replace(/^0/, ''));
