import * as z from 'zod';
import { table } from './table.ts';

const share = z.number().min(0).max(1);
const ranking = { recall1: share, recall3: share, mrr10: share };

/** What `npm run eval` measures. */
export const Evaluation = z.object({
  date: z.string(),
  node: z.string(),
  machine: z.object({ cores: z.number(), arch: z.string() }),
  claims: z.number(),
  rows: z.array(
    z.object({ language: z.string(), questions: z.number(), unanswerable: z.number(), ...ranking, auc: share }),
  ),
  thresholds: z.array(
    z.object({
      set: z.string(),
      rows: z.array(
        z.object({
          threshold: share,
          answerableKept: share,
          unanswerableKept: share,
          precision: share,
          rightWhereAnswerable: share,
        }),
      ),
    }),
  ),
  reliability: z.array(z.object({ questions: z.number(), similarity: share, right: share })),
  floors: z.array(z.object({ floor: share, lost: share, answerable: z.number(), unanswerable: z.number() })),
  xquad: z.array(
    z.object({
      unit: z.string(),
      asked: z.string(),
      told: z.string(),
      questions: z.number(),
      texts: z.number(),
      ...ranking,
    }),
  ),
});

export type Evaluation = z.infer<typeof Evaluation>;

/** An evaluation as Markdown tables with its conditions. */
export function evalTables(evaluation: Evaluation): string {
  const { date, node, machine, xquad } = evaluation;
  return [
    exampleTable(evaluation),
    ...(xquad.length > 0 ? [xquadTable(xquad)] : []),
    `Measured ${date}, Node ${node.replace(/^v/, '')}, ${machine.cores} cores, ${machine.arch}.`,
  ].join('\n\n');
}

function exampleTable({ claims, rows }: Evaluation): string {
  return table(
    [`Questions on ${claims} claims`, 'answerable + unanswerable', 'R@1', 'R@3', 'MRR@10', 'AUC'],
    rows.map(({ language, questions, unanswerable, recall1, recall3, mrr10, auc }) => [
      language,
      `${questions} + ${unanswerable}`,
      ...[recall1, recall3, mrr10, auc].map(figure),
    ]),
  );
}

/** What a threshold keeps of answerable and unanswerable questions, and how often the best match is right. */
export function thresholdTable({ thresholds }: Evaluation): string {
  return table(
    [
      'questions of',
      'best similarity at least',
      'answerable kept (recall)',
      'unanswerable kept',
      'best match right, of the answerable kept',
      'of all kept (precision)',
    ],
    thresholds.flatMap(({ set, rows }) =>
      rows.map(row => [
        set,
        row.threshold,
        ...[row.answerableKept, row.unanswerableKept, row.rightWhereAnswerable, row.precision].map(percent),
      ]),
    ),
  );
}

export function floorTable({ floors }: Evaluation): string {
  return table(
    ['floor', 'right claims lost, of those among five', 'matches of an answerable question', 'of an unanswerable one'],
    floors.map(({ floor, lost, answerable, unanswerable }) => [
      floor,
      `${(100 * lost).toFixed(1)} %`,
      answerable.toFixed(1),
      unanswerable.toFixed(1),
    ]),
  );
}

function xquadTable(rows: Evaluation['xquad']): string {
  return table(
    ['XQuAD', 'asked → told', 'questions', 'texts', 'R@1', 'R@3', 'MRR@10'],
    rows.map(({ unit, asked, told, questions, texts, recall1, recall3, mrr10 }) => [
      unit,
      `${asked} → ${told}`,
      questions,
      texts,
      ...[recall1, recall3, mrr10].map(figure),
    ]),
  );
}

const SIDE = 300;

/** The reliability curve: a dot for each tenth of the scale, as large as its share of the questions; the diagonal is the truth. */
export function reliabilitySvg({ reliability }: Evaluation): string {
  const most = Math.max(...reliability.map(({ questions }) => questions));
  const at = (value: number) => Math.round(SIDE * value);
  const dots = reliability.map(
    ({ similarity, right, questions }) =>
      `<circle cx="${40 + at(similarity)}" cy="${10 + SIDE - at(right)}" r="${(3 + 7 * Math.sqrt(questions / most)).toFixed(1)}"><title>similarity ${similarity.toFixed(2)}, right ${percent(right)}, ${questions} questions</title></circle>`,
  );
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    value =>
      `<text x="${40 + at(value)}" y="${SIDE + 28}" text-anchor="middle">${value}</text><text x="34" y="${14 + SIDE - at(value)}" text-anchor="end">${value}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE + 60} ${SIDE + 55}" width="${SIDE + 60}" font-family="sans-serif" font-size="11" fill="#333">
<title>How often the best match is right, by its similarity</title>
<rect width="100%" height="100%" fill="#fff"/>
<rect x="40" y="10" width="${SIDE}" height="${SIDE}" fill="none" stroke="#999"/>
<path d="M40 ${SIDE + 10}L${SIDE + 40} 10" stroke="#999" stroke-dasharray="4"/>
${ticks.join('\n')}
<text x="${40 + SIDE / 2}" y="${SIDE + 45}" text-anchor="middle">similarity of the best match</text>
<text transform="translate(12 ${10 + SIDE / 2}) rotate(-90)" text-anchor="middle">share that is right</text>
<g fill="#06c">
${dots.join('\n')}
</g>
</svg>
`;
}

/** `.755`, as the literature writes shares. */
const figure = (value: number) => value.toFixed(3).replace(/^0/, '');

const percent = (value: number) => `${Math.round(value * 100)} %`;
