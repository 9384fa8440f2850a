import type { Profile } from '../brand/profile/schema.ts';
import type { RetrievalModel } from '../brand/retrieval/model.ts';
import { createRetrieval } from '../brand/retrieval/retrieval.ts';
import { searchText } from '../brand/retrieval/search-text.ts';
import { auc, mean, recallAt, reciprocalRank } from './measures.ts';
import type { Question } from './questions.ts';

/** A question with what the profile answered. */
export interface Asked {
  readonly question: Question;
  /** Claim ids, best first. */
  readonly ranking: readonly string[];
  /** Of the best claim. */
  readonly similarity: number;
  /** The chance that any claim answers. */
  readonly some: number;
}

/** A figure with the bounds between which 95 of 100 samples of as many questions fall. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Figures {
  readonly group: string;
  readonly answerable: number;
  readonly unanswerable: number;
  /** Share of the right claims in the first place, and among the first three; mean of 1 / place. Absent without such questions. */
  readonly recall1?: Estimate;
  readonly recall3?: Estimate;
  readonly mrr?: Estimate;
  /** How well the chance of any answer tells questions with an answer from those without: .5 is chance. */
  readonly auc?: Estimate;
}

/** Asks every question. @param progress told now and then how many are done */
export async function ask(
  profile: Pick<Profile, 'claims'>,
  {
    model,
    questions,
    progress,
  }: { model: RetrievalModel; questions: readonly Question[]; progress?: (done: number) => void },
): Promise<Asked[]> {
  const retrieval = await createRetrieval({ ...model, texts: profile.claims.map(searchText) });
  const asked: Asked[] = [];
  for (const question of questions) {
    const { scored, some } = await retrieval.search(question.query, Math.min(profile.claims.length, DEPTH));
    const ranking = scored.flatMap(({ index }) => profile.claims[index]?.claim_id ?? []);
    asked.push({ question, ranking, similarity: scored[0]?.similarity ?? 0, some });
    if (asked.length % 200 === 0) progress?.(asked.length);
  }
  return asked;
}

/** Places beyond count as not found. */
const DEPTH = 100;

/** The figures of all questions, then by language and by kind where there are several. */
export function figuresOf(asked: readonly Asked[]): Figures[] {
  const groups = (['lang', 'kind'] as const).flatMap(member => {
    const values = [...new Set(asked.map(({ question }) => question[member]))];
    return values.length < 2
      ? []
      : values.map(value => ({ group: value, of: asked.filter(({ question }) => question[member] === value) }));
  });
  return [{ group: 'all', of: asked }, ...groups].map(({ group, of }) => figuresOfGroup(group, of));
}

function figuresOfGroup(group: string, asked: readonly Asked[]): Figures {
  const { answerable, unanswerable } = split(asked);
  const answered = (measure: Measure) => estimate(answerable, sample => mean(sample.map(measure)));
  return {
    group,
    answerable: answerable.length,
    unanswerable: unanswerable.length,
    ...(answerable.length > 0 && {
      recall1: answered(hitAt1),
      recall3: answered(({ ranking, question }) => recallAt(ranking, new Set(question.relevant), 3)),
      mrr: answered(placeOf),
    }),
    ...(answerable.length > 0 &&
      unanswerable.length > 0 && {
        auc: estimate(asked, sample => {
          const parts = split(sample);
          return auc(
            parts.answerable.map(({ some }) => some),
            parts.unanswerable.map(({ some }) => some),
          );
        }),
      }),
  };
}

type Measure = (asked: Asked) => number;

const hitAt1: Measure = ({ ranking, question }) => recallAt(ranking, new Set(question.relevant), 1);
const placeOf: Measure = ({ ranking, question }) => reciprocalRank(ranking, new Set(question.relevant), DEPTH);

function split(asked: readonly Asked[]) {
  const isAnswerable = ({ question }: Asked) => question.relevant.length > 0;
  return { answerable: asked.filter(isAnswerable), unanswerable: asked.filter(one => !isAnswerable(one)) };
}

/** The difference of R@1 between two runs over the same questions, by pairs: what both find or miss cancels out. */
export function difference(before: readonly Asked[], after: readonly Asked[]): Estimate {
  const pairs = before.flatMap((one, at) => {
    const other = after[at];
    return one.question.relevant.length > 0 && other ? [hitAt1(other) - hitAt1(one)] : [];
  });
  return estimate(pairs, mean);
}

/** The worst first: questions whose claim comes late or not at all, and those that nothing answers and something seemed to. */
export function worst(asked: readonly Asked[], count: number): Asked[] {
  const loss = (one: Asked) => (one.question.relevant.length > 0 ? 1 - placeOf(one) : one.similarity);
  return asked
    .filter(one => loss(one) >= NOTABLE_LOSS)
    .toSorted((a, b) => loss(b) - loss(a))
    .slice(0, count);
}

/** A second place, or a similarity that readers take for a weak answer. */
const NOTABLE_LOSS = 0.4;

const RESAMPLES = 1000;

/** Percentile bootstrap (Efron 1979) with fixed random numbers: the same questions give the same bounds. */
function estimate<T>(values: readonly T[], measure: (sample: readonly T[]) => number): Estimate {
  const random = createRandom();
  const draws = Array.from({ length: RESAMPLES }, () =>
    measure(values.map(() => values[Math.floor(random() * values.length)]).filter(value => value !== undefined)),
  );
  const sorted = draws.filter(draw => !Number.isNaN(draw)).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { value: measure(values), low: at(0.025), high: at(0.975) };
}

/** Mulberry32: 32 bits of state are enough to draw questions. */
function createRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
