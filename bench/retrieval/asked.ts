import { BANDS, FLOORS } from '../../brand/retrieval/similarity.ts';
import { mean, recallAt, reciprocalRank } from '../../owner/measure/measures.ts';

export interface Judged<T> {
  readonly ranking: readonly T[];
  readonly relevant: ReadonlySet<T>;
}

export interface RankingFigures {
  readonly questions: number;
  readonly recall1: number;
  readonly recall3: number;
  readonly mrr10: number;
}

/** Means over all questions, each counting once. */
export function rankingFigures<T>(judged: readonly Judged<T>[]): RankingFigures {
  return {
    questions: judged.length,
    recall1: mean(judged.map(({ ranking, relevant }) => recallAt(ranking, relevant, 1))),
    recall3: mean(judged.map(({ ranking, relevant }) => recallAt(ranking, relevant, 3))),
    mrr10: mean(judged.map(({ ranking, relevant }) => reciprocalRank(ranking, relevant, 10))),
  };
}

/** A question with what was found for it, best first. */
export interface Asked extends Judged<string> {
  readonly language: string;
  /** The chance that any claim answers. */
  readonly some: number;
  /** Of the ranked claims, in order. */
  readonly similarities: readonly number[];
}

export const isAnswerable = ({ relevant }: Asked): boolean => relevant.size > 0;

/** A claim among the first five of a question. */
interface Hit {
  readonly similarity: number;
  readonly isRight: boolean;
}

const MATCHES = 5;

const hitsOf = ({ ranking, similarities, relevant }: Asked): Hit[] =>
  ranking
    .slice(0, MATCHES)
    .map((claim, place) => ({ similarity: similarities[place] ?? 0, isRight: relevant.has(claim) }));

/** What an answer shows with these floors. */
const shownOf = (asked: Asked, floors: Record<'some' | 'match', number>): Hit[] =>
  asked.some < floors.some ? [] : hitsOf(asked).filter(({ similarity }) => similarity >= floors.match);

const shareRight = (hits: readonly Hit[]): number => mean(hits.map(({ isRight }) => Number(isRight)));

export interface BandRow {
  readonly band: string;
  readonly from: number;
  /** Matches of the band in the lists of all questions, and the share of them that is right (precision). */
  readonly matches: number;
  readonly right: number;
  /** Of all claims that answer, the share that lies in this band or a better one (recall). */
  readonly recall: number;
}

/** What the bands are worth, over the lists that people and agents get. */
export function bandRows(asked: readonly Asked[]): BandRow[] {
  const shown = asked.flatMap(question => shownOf(question, FLOORS));
  const answers = asked.reduce((sum, { relevant }) => sum + relevant.size, 0);
  return BANDS.map(({ band, from }, nth) => {
    const below = BANDS[nth - 1]?.from ?? 2;
    const inside = shown.filter(({ similarity }) => similarity >= from && similarity < below);
    const found = shown.filter(({ similarity, isRight }) => isRight && similarity >= from).length;
    return { band, from, matches: inside.length, right: shareRight(inside), recall: found / answers };
  });
}

/** Matches whose similarity lies in one tenth of the scale: what it says, and how often they are right. */
export interface ReliabilityRow {
  readonly matches: number;
  readonly similarity: number;
  readonly right: number;
}

export function reliabilityRows(asked: readonly Asked[]): ReliabilityRow[] {
  const hits = asked.flatMap(hitsOf);
  return Array.from({ length: 10 }, (_, bin) => {
    const inside = hits.filter(({ similarity }) => Math.min(9, Math.floor(similarity * 10)) === bin);
    return {
      matches: inside.length,
      similarity: mean(inside.map(({ similarity }) => similarity)),
      right: shareRight(inside),
    };
  }).filter(({ matches }) => matches > 0);
}

export interface FloorRow {
  readonly some: number;
  readonly match: number;
  /** Share of the answerable questions whose list holds a right claim. */
  readonly found: number;
  /** Mean number of matches of an answerable question, and of an unanswerable one. */
  readonly answerable: number;
  readonly unanswerable: number;
  /** Share of the unanswerable questions that get an empty list. */
  readonly empty: number;
}

export function floorRow(some: number, match: number, asked: readonly Asked[]): FloorRow {
  const lists = (questions: readonly Asked[]) => questions.map(question => shownOf(question, { some, match }));
  const answerable = lists(asked.filter(isAnswerable));
  const unanswerable = lists(asked.filter(question => !isAnswerable(question)));
  return {
    some,
    match,
    found: mean(answerable.map(hits => Number(hits.some(({ isRight }) => isRight)))),
    answerable: mean(answerable.map(hits => hits.length)),
    unanswerable: mean(unanswerable.map(hits => hits.length)),
    empty: mean(unanswerable.map(hits => Number(hits.length === 0))),
  };
}
