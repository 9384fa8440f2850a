import { namesOf } from '../brand/profile/profile.ts';
import type { Profile } from '../brand/profile/schema.ts';
import type { RetrievalModel } from '../brand/retrieval/model.ts';
import { createRetrieval } from '../brand/retrieval/retrieval.ts';
import { searchText } from '../brand/retrieval/search-text.ts';
import { FLOORS } from '../brand/retrieval/similarity.ts';
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

export interface Figures {
  readonly group: string;
  readonly answerable: number;
  /** Of these, how many found their claim first, and among the five of an answer. */
  readonly first: number;
  readonly inFive: number;
  readonly unanswerable: number;
  /** Of these, how many get no answer. */
  readonly empty: number;
}

/** Asks every question. */
export async function ask(
  profile: Pick<Profile, 'claims' | 'names'>,
  model: RetrievalModel,
  questions: readonly Question[],
): Promise<Asked[]> {
  const { claims } = profile;
  const retrieval = await createRetrieval({
    ...model,
    names: namesOf(profile),
    texts: claims.map(searchText),
  });
  const asked: Asked[] = [];
  for (const question of questions) {
    const { scored, some } = await retrieval.search(question.query, Math.min(claims.length, DEPTH));
    const ranking = scored.flatMap(({ index }) => claims[index]?.claim_id ?? []);
    asked.push({ question, ranking, similarity: scored[0]?.similarity ?? 0, some });
  }
  return asked;
}

/** Places beyond count as not found. */
const DEPTH = 100;

/** The figures of all questions, then by language and by kind where there are several. */
export function figuresOf(asked: readonly Asked[]): Figures[] {
  const groups = (['lang', 'kind'] as const).flatMap(member => {
    const values = [...new Set(asked.map(({ question }) => question[member]))];
    const having = (value: string) => asked.filter(({ question }) => question[member] === value);
    return values.length < 2 ? [] : values.map(value => of(value, having(value)));
  });
  return [of('all', asked), ...groups];
}

function of(group: string, asked: readonly Asked[]): Figures {
  const places = asked.filter(({ question }) => question.relevant.length > 0).map(placeOf);
  const others = asked.filter(({ question }) => question.relevant.length === 0);
  return {
    group,
    answerable: places.length,
    first: places.filter(place => place === 0).length,
    inFive: places.filter(place => place < 5).length,
    unanswerable: others.length,
    empty: others.filter(({ some }) => some < FLOORS.some).length,
  };
}

/** Counted from 0. */
const placeOf = ({ ranking, question }: Asked): number => {
  const place = ranking.findIndex(id => question.relevant.includes(id));
  return place < 0 ? DEPTH : place;
};

/** The worst first: questions whose claim comes late or not at all, and those that nothing answers and something seemed to. */
export function worst(asked: readonly Asked[], count: number): Asked[] {
  const loss = (one: Asked) =>
    one.question.relevant.length > 0 ? 1 - 1 / (placeOf(one) + 1) : one.similarity;
  const lost = asked.filter(one => loss(one) >= NOTABLE_LOSS);
  return lost.toSorted((a, b) => loss(b) - loss(a)).slice(0, count);
}

/** A second place, or a similarity that readers take for a weak answer. */
const NOTABLE_LOSS = 0.4;
