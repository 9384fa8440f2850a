import * as z from 'zod';
import { table } from './table.ts';

const share = z.number().min(0).max(1);

/** What `npm run eval` measures. */
export const Evaluation = z.object({
  date: z.string(),
  node: z.string(),
  machine: z.object({ cores: z.number(), arch: z.string() }),
  example: z.object({
    claims: z.number(),
    rows: z
      .array(
        z.object({
          language: z.string(),
          questions: z.number(),
          unanswerable: z.number(),
          recall1: share,
          recall3: share,
          mrr10: share,
          auc: share,
        }),
      )
      .readonly(),
    thresholds: z
      .array(z.object({ threshold: share, answerableKept: share, unanswerableKept: share, precision: share }))
      .readonly(),
  }),
  xquad: z
    .array(
      z.object({
        unit: z.string(),
        asked: z.string(),
        told: z.string(),
        questions: z.number(),
        texts: z.number(),
        recall1: share,
        recall3: share,
        mrr10: share,
      }),
    )
    .readonly(),
});

export type Evaluation = z.infer<typeof Evaluation>;

/** An evaluation as Markdown tables with its conditions. */
export function evalTables({ date, node, machine, example, xquad }: Evaluation): string {
  return [
    exampleTable(example),
    thresholdTable(example),
    ...(xquad.length > 0 ? [xquadTable(xquad)] : []),
    `Measured ${date}, Node ${node.replace(/^v/, '')}, ${machine.cores} cores, ${machine.arch}.`,
  ].join('\n\n');
}

function exampleTable({ claims, rows }: Evaluation['example']): string {
  return table(
    [`Questions on ${claims} claims`, 'answerable + unanswerable', 'R@1', 'R@3', 'MRR@10', 'AUC'],
    rows.map(({ language, questions, unanswerable, recall1, recall3, mrr10, auc }) => [
      language,
      `${questions} + ${unanswerable}`,
      ...[recall1, recall3, mrr10, auc].map(figure),
    ]),
  );
}

function thresholdTable({ thresholds }: Evaluation['example']): string {
  return table(
    ['similarity at least', 'answerable kept (recall)', 'unanswerable kept', 'answerable among the kept (precision)'],
    thresholds.map(row => [row.threshold, ...[row.answerableKept, row.unanswerableKept, row.precision].map(percent)]),
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

/** `.755`, as the literature writes shares. */
const figure = (value: number) => value.toFixed(3).replace(/^0/, '');

const percent = (value: number) => `${Math.round(value * 100)} %`;
