/**
 * Measures what retrieval finds: `npm run eval -- [--json FILE]`. Markdown on stdout; `--json bench/results/eval.json` keeps the
 * figures from which docs/retrieval.md is written. Three sets: the example, ten invented businesses that no
 * model has learned from, and two whose 200 questions were written before the code; what came after looked at them.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type LoadedModel, loadModel } from '../../brand/retrieval/model.ts';
import { cautious } from '../../brand/retrieval/ranking.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import { BANDS, FLOORS } from '../../brand/retrieval/similarity.ts';
import { type Evaluation, evalTables, type Figures } from '../../docs/eval-table.ts';
import { readConfig } from '../../server/config/config.ts';
import { auc, groupedBy, mean } from '../figures.ts';
import { profileTrials, type Question, type Trial, unseenTrials } from './questions.ts';

interface Found extends Question {
  readonly set: Trial['set'];
  readonly some: number;
  /** The five best. */
  readonly hits: readonly { readonly similarity: number; readonly isRight: boolean }[];
}

const [ANSWERS] = BANDS;

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });
const trials = [...(await profileTrials()), ...unseenTrials()];
const modes: Evaluation['modes'] = [];
for (const [mode, encoder] of [
  ['table and encoder', 'on'],
  ['table alone', 'off'],
] as const) {
  const model = remembering(await loadModel(readConfig({ ...process.env, ENCODER: encoder }).embedding));
  const found: Found[] = [];
  for (const trial of trials) found.push(...(await askAll(model, trial)));
  const sets = groupedBy(found, ({ set }) => set);
  modes.push({
    mode,
    sets: [...sets].map(([set, own]) => ({ set, rows: rowsOf(own), ...reliabilityOf(own) })),
  });
}
const evaluation: Evaluation = { date: new Date().toISOString().slice(0, 10), modes };
process.stdout.write(`${evalTables(evaluation)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(evaluation, rounded, 1)}\n`);

async function askAll(model: LoadedModel, { set, names, texts, questions }: Trial): Promise<Found[]> {
  const retrieval = await createRetrieval({ ...model, names, texts });
  const found: Found[] = [];
  for (const question of questions) {
    const ranking = await retrieval.search(question.query, 5);
    const { scored, some } = cautious(question.query, ranking, model.parameters);
    const hits = scored.map(({ index, similarity }) => ({
      similarity,
      isRight: question.answers.has(index),
    }));
    found.push({ ...question, set, some, hits });
  }
  return found;
}

/** The claims of each business are told twice, the questions are the same: the encoder reads each once. */
function remembering(model: LoadedModel): LoadedModel {
  const { encoder } = model;
  if (!encoder) return model;
  const known = new Map<string, Promise<Float32Array>>();
  const ask = (question: string) => {
    const vector = known.get(question) ?? encoder.ask(question);
    known.set(question, vector);
    return vector;
  };
  return { ...model, encoder: { ...encoder, ask } };
}

/** Of all questions, and of those of each language and kind. */
function rowsOf(found: readonly Found[]): Figures[] {
  const es = found.filter(({ language }) => language === 'es' || language === 'en');
  const groups = [
    ...groupedBy(found, ({ language }) => language),
    ...groupedBy(
      es.filter(({ kind }) => kind !== 'mixed' && kind !== 'unanswerable'),
      ({ kind }) => kind,
    ),
  ];
  return [figures('es and en', es), ...groups.map(([name, own]) => figures(name, own))];
}

function figures(name: string, found: readonly Found[]): Figures {
  const [answerable, unanswerable] = [true, false].map(is =>
    found.filter(({ answers }) => answers.size > 0 === is),
  );
  const [can = [], cannot = []] = [answerable, unanswerable];
  const rightIn = (depth: number) =>
    mean(can.map(({ hits }) => Number(hits.slice(0, depth).some(hit => hit.isRight))));
  const isEmpty = ({ some, hits }: Found) =>
    Number(some < FLOORS.some || (hits[0]?.similarity ?? 0) < FLOORS.match);
  const wrongFrom = (from: number, below: number) => {
    const first = found.filter(one => !isEmpty(one)).flatMap(({ hits }) => hits.slice(0, 1));
    const inside = first.filter(({ similarity }) => similarity >= from && similarity < below);
    return { wrong: inside.filter(({ isRight }) => !isRight).length, of: inside.length };
  };
  return {
    ...{ name, answerable: can.length, unanswerable: cannot.length },
    ...{ first: rightIn(1), three: rightIn(3), five: rightIn(5) },
    auc: auc(
      can.map(({ some }) => some),
      cannot.map(({ some }) => some),
    ),
    emptyRightly: mean(cannot.map(isEmpty)),
    emptyWrongly: mean(can.map(isEmpty)),
    near: wrongFrom(0.6, ANSWERS.from),
    answers: wrongFrom(ANSWERS.from, 2),
  };
}

/** First matches by tenths of their similarity: what it says, and how often they are right. */
function reliabilityOf(found: readonly Found[]) {
  const first = found.flatMap(({ hits }) => hits.slice(0, 1));
  const tenths = groupedBy(first, ({ similarity }) => Math.min(9, Math.floor(similarity * 10)));
  const reliability = [...tenths]
    .sort(([a], [b]) => a - b)
    .map(([tenth, inside]) => ({
      tenth: tenth / 10,
      matches: inside.length,
      similarity: mean(inside.map(({ similarity }) => similarity)),
      right: mean(inside.map(({ isRight }) => Number(isRight))),
    }));
  return { reliability };
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(4)) : value;
}
