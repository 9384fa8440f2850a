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

/** Every set, as `npm run eval` prints it: what is found, and how far a similarity can be believed. */
export function evalTables({ date, modes }: Evaluation): string {
  const names = modes[0]?.sets.map(({ set }) => set) ?? [];
  const parts = names.flatMap(set => [foundTable(modes, set), reliabilityTable(modes, set)]);
  return [...parts, legend(date, modes)].join('\n\n');
}

/** For docs/retrieval.md: of the example its total, of the other sets every row of ten questions or more; the similarities of the largest. */
export function shortEvalTables({ date, modes }: Evaluation): string {
  const head = ['Set', 'questions', 'right first', 'in five', 'rightly empty', 'wrong from .8'];
  const rows = ['example', 'fresh', 'unseen'].flatMap(set =>
    rowsOf(modes, set, sets =>
      sets.rows
        .filter(({ name, answerable }) => (set === 'example' ? name === BOTH : answerable >= 10))
        .map(row => ({
          row: [`${set}: ${row.name}`, [row.answerable, row.unanswerable || []].flat().join(' + ')],
          cells: [
            ...[row.first, row.five, row.emptyRightly].map(figure),
            `${row.answers.wrong}/${row.answers.of}`,
          ],
        })),
    ),
  );
  return [table(head, rows), reliabilityTable(modes, 'unseen'), legend(date, modes)].join('\n\n');
}

/** The row of the two languages that the product speaks. */
const BOTH = 'es and en';

const legend = (date: string, modes: Evaluation['modes']) =>
  `Figures: ${modes.map(({ mode }) => mode).join(', in brackets ')}. Measured ${date}.`;

function foundTable(modes: Evaluation['modes'], set: string): string {
  const head = ['', 'questions + unanswerable', 'right first', 'in three', 'in five', 'AUC'];
  const lists = ['empty: nothing fits', 'empty: one fits', 'wrong at .6 to .8', 'wrong from .8'];
  return byMode(modes, set, [`Questions of the ${set} set`, ...head.slice(1), ...lists], ({ rows }) =>
    rows.map(row => ({
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

type RowsOf = (
  set: Mode['sets'][number],
) => readonly { readonly row: readonly string[]; readonly cells: readonly string[] }[];

const byMode = (modes: readonly Mode[], set: string, head: readonly string[], rows: RowsOf) =>
  table(head, rowsOf(modes, set, rows));

/** The rows of all modes: each cell has the first mode's figure, then those of the others in brackets. */
function rowsOf(modes: readonly Mode[], set: string, rows: RowsOf): string[][] {
  const [first = [], ...others] = modes.map(({ sets }) => sets.filter(one => one.set === set).flatMap(rows));
  return first.map(({ row, cells }, at) => [
    ...row,
    ...cells.map((cell, column) => {
      const beside = others.map(rows => rows[at]?.cells[column] ?? '');
      return beside.length === 0 || cell === '' ? cell : `${cell} (${beside.join(', ')})`;
    }),
  ]);
}

/** `.755`, as the literature writes shares. */
const figure = (value: number | undefined) => (value === undefined ? '' : value.toFixed(3).replace(/^0/, ''));
