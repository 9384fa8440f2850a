/**
 * Measures what retrieval finds: `npm run eval -- [--learn] [--json FILE]`. Markdown on stdout; `--learn`
 * lays what was asked beside the claims, as `aval asked --take` does; `--json bench/results/eval.json` keeps
 * the figures of docs/retrieval.md.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildBrand } from '../../brand/retrieval/ask.ts';
import { openModel } from '../../brand/retrieval/model.ts';
import type { Parameters } from '../../brand/retrieval/similarity.ts';
import { type Evaluation, evalTables, type FoundRow, type ReliabilityRow } from '../../docs/eval-table.ts';
import { rememberVectors } from '../../owner/asked.ts';
import { type Asked, askAll, figuresOfGroup, isRight } from '../../owner/evaluate.ts';
import { readConfig } from '../../server/config/config.ts';
import { groupedBy, mean } from '../figures.ts';
import { allTrials, learnedTrials, type Trial } from './trials.ts';

/** A trial with its answers. */
interface Result {
  readonly trial: Trial;
  /** Before the floors. */
  readonly ranked: readonly Asked[];
  /** As served: five at most, none below the floors. */
  readonly served: readonly Asked[];
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
for (const trial of trials) results.push(await resultOf(trial, parameters));

const evaluation: Evaluation = {
  date: new Date().toISOString().slice(0, 10),
  sets: [...groupedBy(results, ({ trial }) => `${trial.set}\n${trial.way}`).values()].map(foundRow),
  reliability: reliabilityRows(results.filter(isCounted).flatMap(({ served }) => served)),
};
process.stdout.write(`${evalTables(evaluation)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(evaluation, rounded, 1)}\n`);
await embedder.close();
process.exit();

async function resultOf(trial: Trial, parameters: Parameters): Promise<Result> {
  const askWith = async (floor: Parameters['floor']) => {
    const model = { embedder: remembering, parameters: { ...parameters, floor } };
    return askAll(await buildBrand({ profile: trial.profile, digest: '', model }), trial.questions);
  };
  return { trial, ranked: await askWith({ some: 0, match: 0 }), served: await askWith(parameters.floor) };
}

function foundRow(inSet: readonly Result[]): FoundRow {
  const { set = '', way = '' } = inSet[0]?.trial ?? {};
  const served = inSet.flatMap(result => result.served);
  const ranked = figuresOfGroup(
    set,
    inSet.flatMap(result => result.ranked),
  );
  const figures = figuresOfGroup(set, served);
  const { answerable, unanswerable } = figures;
  const sure = served.filter(({ similarity }) => similarity >= 0.8);
  const share = (count: number, all: number) => (all === 0 ? undefined : count / all);
  return {
    set,
    way,
    answerable,
    unanswerable,
    first: share(ranked.first, answerable),
    five: share(ranked.inFive, answerable),
    servedFirst: share(figures.first, answerable),
    servedFive: share(figures.inFive, answerable),
    emptyWrongly: share(figures.emptyWrongly, answerable),
    emptyRightly: share(figures.emptyRightly, unanswerable),
    sure: sure.length,
    sureWrong: sure.filter(answer => !isRight(answer)).length,
  };
}

/** Sets that the calibration was not fitted on: with their questions where they have some. */
function isCounted({ trial: { isUnseen, way, set } }: Result): boolean {
  return isUnseen && (set.startsWith('held-out') || way === 'four');
}

function reliabilityRows(served: readonly Asked[]): ReliabilityRow[] {
  const answered = served.filter(({ ranking }) => ranking.length > 0);
  const tenths = groupedBy(answered, ({ similarity }) => Math.min(9, Math.floor(similarity * 10)));
  return [...tenths]
    .sort(([a], [b]) => a - b)
    .map(([tenth, inside]) => ({
      from: tenth / 10,
      matches: inside.length,
      promised: mean(inside.map(({ similarity }) => similarity)) ?? 0,
      right: inside.filter(isRight).length / inside.length,
    }));
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(4)) : value;
}
