import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const share = z.number().min(0).max(1);
const count = z.number();
const wrong = z.object({ wrong: count, of: count });

const Figures = z.object({
  name: z.string(),
  ...{ answerable: count, unanswerable: count },
  /** Absent where there is no such question. */
  ...{ first: share.optional(), three: share.optional(), five: share.optional(), auc: share.optional() },
  ...{ emptyRightly: share.optional(), emptyWrongly: share.optional() },
  /** First matches of a similarity from .6 on below "this answers", and from there on. */
  ...{ near: wrong, answers: wrong },
});

export type Figures = z.infer<typeof Figures>;

/** What `npm run eval` measures. */
export const Evaluation = z.object({
  date: z.string(),
  /** With the encoder and without. */
  modes: z.array(
    z.object({
      mode: z.string(),
      sets: z.array(
        z.object({
          set: z.string(),
          rows: z.array(Figures),
          reliability: z.array(
            z.object({ tenth: share, matches: count, similarity: share.optional(), right: share.optional() }),
          ),
        }),
      ),
    }),
  ),
});

export type Evaluation = z.infer<typeof Evaluation>;

/**
 * Every set: what is found, and how far a similarity can be believed.
 * @param isShort without rows of fewer than ten questions, and with the similarities of the largest set alone
 */
export function evalTables({ date, modes }: Evaluation, isShort = false): string {
  const names = modes[0]?.sets.map(({ set }) => set) ?? [];
  const parts = names.flatMap(set => [
    foundTable(modes, set, isShort ? 10 : 1),
    ...(isShort && set !== 'unseen' ? [] : [reliabilityTable(modes, set)]),
  ]);
  return [...parts, `Figures: ${modes.map(({ mode }) => mode).join(', in brackets ')}. Measured ${date}.`].join('\n\n');
}

function foundTable(modes: Evaluation['modes'], set: string, fewest: number): string {
  const head = ['', 'questions + unanswerable', 'right first', 'in three', 'in five', 'AUC'];
  const lists = ['empty: nothing fits', 'empty: one fits', 'wrong at .6 to .8', 'wrong from .8'];
  return byMode(modes, set, [`Questions of the ${set} set`, ...head.slice(1), ...lists], ({ rows }) =>
    rows
      .filter(({ answerable, unanswerable }) => answerable + unanswerable >= fewest)
      .map(row => ({
        row: [row.name, `${row.answerable} + ${row.unanswerable}`],
        cells: [
          ...[row.first, row.three, row.five, row.auc, row.emptyRightly, row.emptyWrongly].map(figure),
          ...[row.near, row.answers].map(({ wrong, of }) => `${wrong} of ${of}`),
        ],
      })),
  );
}

function reliabilityTable(modes: Evaluation['modes'], set: string): string {
  return byMode(modes, set, [`Similarity of the first match, ${set} set`, 'matches', 'mean', 'right'], set =>
    Array.from({ length: 10 }, (_, at) => {
      const tenth = set.reliability.find(row => Math.round(row.tenth * 10) === at);
      return {
        row: [`${at / 10} to ${(at + 1) / 10}`],
        cells: [`${tenth?.matches ?? 0}`, figure(tenth?.similarity), figure(tenth?.right)],
      };
    }),
  );
}

type Mode = Evaluation['modes'][number];

/** One table for all modes: each cell has the first mode's figure, then those of the others in brackets. */
function byMode(
  modes: readonly Mode[],
  set: string,
  head: readonly string[],
  rowsOf: (
    set: Mode['sets'][number],
  ) => readonly { readonly row: readonly string[]; readonly cells: readonly string[] }[],
): string {
  const [first = [], ...others] = modes.map(({ sets }) => sets.filter(one => one.set === set).flatMap(rowsOf));
  const rows = first.map(({ row, cells }, at) => [
    ...row,
    ...cells.map((cell, column) => {
      const beside = others.map(rows => rows[at]?.cells[column] ?? '');
      return beside.length === 0 || cell === '' ? cell : `${cell} (${beside.join(', ')})`;
    }),
  ]);
  return table(head, rows);
}

/** `.755`, as the literature writes shares. */
const figure = (value: number | undefined) => (value === undefined ? '' : value.toFixed(3).replace(/^0/, ''));
