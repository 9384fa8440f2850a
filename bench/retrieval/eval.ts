/**
 * Measures what retrieval finds: `npm run eval -- [--learn] [--json FILE]`. Markdown on stdout; `--learn`
 * lays what was asked beside the claims, as `aval asked --take` does; `--json bench/results/eval.json` keeps
 * the figures of docs/retrieval.md.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildBrand } from '../../brand/retrieval/ask.ts';
import type { Answer } from '../../brand/retrieval/brand.ts';
import { openModel } from '../../brand/retrieval/model.ts';
import type { Parameters } from '../../brand/retrieval/similarity.ts';
import { type Evaluation, evalTables, type FoundRow, type ReliabilityRow } from '../../docs/eval-table.ts';
import { rememberVectors } from '../../owner/asked.ts';
import { readConfig } from '../../server/config/config.ts';
import { groupedBy, mean } from '../figures.ts';
import { type AskedQuestion, allTrials, learnedTrials, type Trial } from './trials.ts';

/** A question, with the places of the claims that it found. */
interface Result {
  readonly trial: Trial;
  readonly question: AskedQuestion;
  /** Before the floors, best first. */
  readonly ranking: readonly number[];
  /** As served: five at most, none below the floors. */
  readonly served: readonly number[];
  /** Of the first match as served. */
  readonly similarity: number;
}

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, learn: { type: 'boolean' } },
});
const { embedder, parameters } = await openModel(readConfig({}).embedding);
if (!parameters) throw new Error('the bundled model has no parameters');
// Each text is read once, though claims are read in several ways and questions asked of each.
const remembering = rememberVectors(embedder);
const results: Result[] = [];
const trials = options.learn ? learnedTrials() : allTrials();
for (const trial of trials) results.push(...(await askAll(trial, parameters)));

const evaluation: Evaluation = {
  date: new Date().toISOString().slice(0, 10),
  sets: [...groupedBy(results, ({ trial }) => `${trial.set}\n${trial.way}`).values()].map(foundRow),
  reliability: reliabilityRows(results.filter(isCounted)),
};
process.stdout.write(`${evalTables(evaluation)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(evaluation, rounded, 1)}\n`);
await embedder.close();
process.exit();

async function askAll(trial: Trial, calibrated: Parameters): Promise<Result[]> {
  const input = { profile: trial.profile, digest: '' };
  const withoutFloors = { ...calibrated, floor: { some: 0, match: 0 } };
  const served = await buildBrand({ ...input, model: { embedder: remembering, parameters: calibrated } });
  const ranked = await buildBrand({ ...input, model: { embedder: remembering, parameters: withoutFloors } });
  const places = new Map(trial.profile.claims.map(({ claim_id }, place) => [claim_id, place]));
  const placesOf = ({ matches }: Answer) => matches.map(({ claim_id }) => places.get(claim_id)!);
  const trialResults: Result[] = [];
  for (const question of trial.questions) {
    const answer = await served.ask(question.query);
    trialResults.push({
      trial,
      question,
      ranking: placesOf(await ranked.ask(question.query)),
      served: placesOf(answer),
      similarity: answer.matches[0]?.similarity ?? 0,
    });
  }
  return trialResults;
}

function isAnswerable({ question }: Result): boolean {
  return question.answers.size > 0;
}

function isRight({ question }: Result, place: number | undefined): boolean {
  return place !== undefined && question.answers.has(place);
}

function foundRow(inSet: readonly Result[]): FoundRow {
  const [{ trial } = { trial: undefined }] = inSet;
  const answerable = inSet.filter(isAnswerable);
  const unanswerable = inSet.filter(result => !isAnswerable(result));
  const share = (list: readonly Result[], is: (result: Result) => boolean) =>
    mean(list.map(result => Number(is(result))));
  const sure = inSet.filter(({ similarity }) => similarity >= 0.8);
  return {
    set: trial?.set ?? '',
    way: trial?.way ?? '',
    answerable: answerable.length,
    unanswerable: unanswerable.length,
    first: share(answerable, result => isRight(result, result.ranking[0])),
    five: share(answerable, result => result.ranking.some(place => isRight(result, place))),
    servedFirst: share(answerable, result => isRight(result, result.served[0])),
    servedFive: share(answerable, result => result.served.some(place => isRight(result, place))),
    emptyWrongly: share(answerable, ({ served }) => served.length === 0),
    emptyRightly: share(unanswerable, ({ served }) => served.length === 0),
    sure: sure.length,
    sureWrong: sure.filter(result => !isRight(result, result.served[0])).length,
  };
}

/** Sets that the calibration was not fitted on: with their questions where they have some. */
function isCounted({ trial: { isUnseen, way, set } }: Result): boolean {
  return isUnseen && (set.startsWith('held-out') || way === 'four');
}

function reliabilityRows(counted: readonly Result[]): ReliabilityRow[] {
  const answered = counted.filter(({ served }) => served.length > 0);
  const tenths = groupedBy(answered, ({ similarity }) => Math.min(9, Math.floor(similarity * 10)));
  return [...tenths]
    .sort(([a], [b]) => a - b)
    .map(([tenth, inside]) => ({
      from: tenth / 10,
      matches: inside.length,
      promised: mean(inside.map(({ similarity }) => similarity)) ?? 0,
      right: mean(inside.map(result => Number(isRight(result, result.served[0])))) ?? 0,
    }));
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(4)) : value;
}
