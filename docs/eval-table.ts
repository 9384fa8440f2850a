import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const share = z.number().min(0).max(1);
const ranking = { recall1: share, recall3: share, mrr10: share };

const rows = <Row extends z.ZodRawShape>(row: Row) => z.array(z.object(row));

/** What `npm run eval` measures. */
export const Evaluation = z.object({
  date: z.string(),
  node: z.string(),
  machine: z.object({ cores: z.number(), arch: z.string() }),
  /** With the encoder and without. */
  modes: rows({
    mode: z.string(),
    rows: rows({
      language: z.string(),
      questions: z.number(),
      unanswerable: z.number(),
      ...ranking,
      recall5: share,
      auc: share,
    }),
    bands: rows({
      set: z.string(),
      rows: rows({ band: z.string(), from: share, matches: z.number(), right: share, recall: share }),
    }),
    reliability: rows({ matches: z.number(), similarity: share, right: share }),
    floors: rows({
      some: share,
      match: share,
      found: share,
      answerable: z.number(),
      unanswerable: z.number(),
      empty: share,
    }),
    xquad: rows({
      unit: z.string(),
      asked: z.string(),
      told: z.string(),
      questions: z.number(),
      texts: z.number(),
      ...ranking,
    }),
  }),
});

export type Evaluation = z.infer<typeof Evaluation>;

/** An evaluation as Markdown tables with its conditions. */
export function evalTables(evaluation: Evaluation): string {
  const { date, node, machine, modes } = evaluation;
  return [
    exampleTable(evaluation),
    bandTable(evaluation),
    floorTable(evaluation),
    xquadTable(evaluation),
    `Figures: ${modes.map(({ mode }) => mode).join(', in brackets ')}.`,
    `Measured ${date}, Node ${node.replace(/^v/, '')}, ${machine.cores} cores, ${machine.arch}.`,
  ].join('\n\n');
}

/** What is found on the example, by the language of the question. */
export function exampleTable({ modes }: Evaluation): string {
  return byMode(
    modes,
    ['Questions on the example', 'answerable + unanswerable', 'R@1', 'R@3', 'R@5', 'MRR@10', 'AUC of `some`'],
    ({ rows }) =>
      rows.map(({ language, questions, unanswerable, recall1, recall3, recall5, mrr10, auc }) => ({
        row: [language, `${questions} + ${unanswerable}`],
        cells: [recall1, recall3, recall5, mrr10, auc].map(figure),
      })),
  );
}

/** How often the matches of a band are right. */
export function bandTable({ modes }: Evaluation): string {
  return byMode(
    modes,
    ['questions of', 'similarity', 'matches', 'right, % (precision)', 'right claims found so far, % (recall)'],
    ({ bands }) =>
      bands.flatMap(({ set, rows }) =>
        rows.map(({ band, from, matches, right, recall }) => ({
          row: [set, `${band}, from ${from}`],
          cells: [`${matches}`, ...[right, recall].map(percent)],
        })),
      ),
  );
}

/** What a list loses and what it spares with other floors. */
export function floorTable({ modes }: Evaluation): string {
  return byMode(
    modes,
    [
      'floor of `some`',
      'floor of a match',
      'right claim in the list, %',
      'matches of an answerable question',
      'of an unanswerable one',
      'unanswerable with an empty list, %',
    ],
    ({ floors }) =>
      floors.map(({ some, match, found, answerable, unanswerable, empty }) => ({
        row: [`${some}`, `${match}`],
        cells: [percent(found), answerable.toFixed(1), unanswerable.toFixed(1), percent(empty)],
      })),
  );
}

export function xquadTable({ modes }: Evaluation): string {
  if (modes.every(({ xquad }) => xquad.length === 0)) return 'XQuAD was not measured.';
  return byMode(modes, ['XQuAD', 'asked → told', 'questions', 'texts', 'R@1', 'R@3', 'MRR@10'], ({ xquad }) =>
    xquad.map(({ unit, asked, told, questions, texts, recall1, recall3, mrr10 }) => ({
      row: [unit, `${asked} → ${told}`, `${questions}`, `${texts}`],
      cells: [recall1, recall3, mrr10].map(figure),
    })),
  );
}

type Mode = Evaluation['modes'][number];

/** One table for all modes: each cell has the first mode's figure, then those of the others in brackets. */
function byMode(
  modes: readonly Mode[],
  head: readonly string[],
  rowsOf: (mode: Mode) => readonly { readonly row: readonly string[]; readonly cells: readonly string[] }[],
): string {
  const [first = [], ...others] = modes.map(rowsOf);
  const rows = first.map(({ row, cells }, at) => [
    ...row,
    ...cells.map((cell, column) => {
      const beside = others.map(rows => rows[at]?.cells[column] ?? '');
      return beside.length === 0 ? cell : `${cell} (${beside.join(', ')})`;
    }),
  ]);
  return table(head, rows);
}

const SIDE = 300;

const COLOURS = ['#06c', '#c60'];

/** The reliability curve: a dot for each tenth of the scale, as large as its share of the matches; the diagonal is the truth. */
export function reliabilitySvg({ modes }: Evaluation): string {
  const at = (value: number) => Math.round(SIDE * value);
  const dots = modes.map(({ mode, reliability }, nth) => {
    const most = Math.max(...reliability.map(({ matches }) => matches));
    const circles = reliability.map(
      ({ similarity, right, matches }) =>
        `<circle cx="${40 + at(similarity)}" cy="${10 + SIDE - at(right)}" r="${(3 + 7 * Math.sqrt(matches / most)).toFixed(1)}"><title>similarity ${similarity.toFixed(2)}, right ${percent(right)} %, ${matches} matches</title></circle>`,
    );
    const name = `<text x="50" y="${30 + 16 * nth}">${mode}</text>`;
    return `<g fill="${COLOURS[nth]}" fill-opacity=".7">\n${[name, ...circles].join('\n')}\n</g>`;
  });
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    value =>
      `<text x="${40 + at(value)}" y="${SIDE + 28}" text-anchor="middle">${value}</text><text x="34" y="${14 + SIDE - at(value)}" text-anchor="end">${value}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE + 60} ${SIDE + 55}" width="${SIDE + 60}" font-family="sans-serif" font-size="11" fill="#333">
<title>How often a match is right, by its similarity</title>
<rect width="100%" height="100%" fill="#fff"/>
<rect x="40" y="10" width="${SIDE}" height="${SIDE}" fill="none" stroke="#999"/>
<path d="M40 ${SIDE + 10}L${SIDE + 40} 10" stroke="#999" stroke-dasharray="4"/>
${ticks.join('\n')}
<text x="${40 + SIDE / 2}" y="${SIDE + 45}" text-anchor="middle">similarity of a match</text>
<text transform="translate(12 ${10 + SIDE / 2}) rotate(-90)" text-anchor="middle">share that is right</text>
${dots.join('\n')}
</svg>
`;
}

/** `.755`, as the literature writes shares. */
const figure = (value: number) => value.toFixed(3).replace(/^0/, '');

const percent = (value: number) => `${Math.round(value * 100)}`;
