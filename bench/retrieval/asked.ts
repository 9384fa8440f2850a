import { type Judged, mean } from '../../owner/measure/measures.ts';

/** A question with what was found for it, best first. */
export interface Asked extends Judged<string> {
  readonly language: string;
  /** Of the ranked claims, in order. */
  readonly similarities: readonly number[];
}

export const isAnswerable = ({ relevant }: Asked): boolean => relevant.size > 0;

export const bestOf = ({ similarities }: Asked): number => similarities[0] ?? 0;

const isRight = ({ ranking, relevant }: Asked): boolean => relevant.has(ranking[0] ?? '');

export interface ThresholdRow {
  readonly threshold: number;
  /** Share of the questions whose best match reaches the threshold. */
  readonly answerableKept: number;
  readonly unanswerableKept: number;
  /** Of all questions kept, and of the answerable ones: how often the best match is a right one. */
  readonly precision: number;
  readonly rightWhereAnswerable: number;
}

export function thresholdRow(threshold: number, asked: readonly Asked[]): ThresholdRow {
  const kept = asked.filter(question => bestOf(question) >= threshold);
  const share = (part: readonly Asked[], whole: readonly Asked[]) => part.length / Math.max(whole.length, 1);
  const answerable = kept.filter(isAnswerable);
  const unanswerable = asked.filter(question => !isAnswerable(question));
  return {
    threshold,
    answerableKept: share(answerable, asked.filter(isAnswerable)),
    unanswerableKept: share(
      kept.filter(question => !isAnswerable(question)),
      unanswerable,
    ),
    precision: share(kept.filter(isRight), kept),
    rightWhereAnswerable: share(answerable.filter(isRight), answerable),
  };
}

/** Questions whose best similarity lies in one tenth of the scale: what it says, and how often the best match is right. */
export interface ReliabilityRow {
  readonly questions: number;
  readonly similarity: number;
  readonly right: number;
}

export function reliabilityRows(asked: readonly Asked[]): ReliabilityRow[] {
  return Array.from({ length: 10 }, (_, bin) => {
    const inside = asked.filter(question => Math.min(9, Math.floor(bestOf(question) * 10)) === bin);
    return {
      questions: inside.length,
      similarity: mean(inside.map(bestOf)),
      right: mean(inside.map(question => Number(isRight(question)))),
    };
  }).filter(({ questions }) => questions > 0);
}

export interface FloorRow {
  readonly floor: number;
  /** Share of the right claims among the first five that fall below it. */
  readonly lost: number;
  /** Mean number of matches of an answerable and of an unanswerable question. */
  readonly answerable: number;
  readonly unanswerable: number;
}

export function floorRow(floor: number, asked: readonly Asked[]): FloorRow {
  const right = asked.flatMap(({ ranking, relevant, similarities }) =>
    ranking.slice(0, 5).flatMap((claim, place) => (relevant.has(claim) ? [similarities[place]!] : [])),
  );
  const matches = (some: readonly Asked[]) =>
    mean(some.map(({ similarities }) => similarities.slice(0, 5).filter(value => value >= floor).length));
  return {
    floor,
    lost: mean(right.map(similarity => Number(similarity < floor))),
    answerable: matches(asked.filter(isAnswerable)),
    unanswerable: matches(asked.filter(question => !isAnswerable(question))),
  };
}
