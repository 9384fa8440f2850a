import { type Judged, mean } from '../brand/evaluation/measures.ts';

/** A question with what was found for it, best first. */
export interface Asked extends Judged<string> {
  readonly set: 'example' | 'validation';
  readonly query: string;
  /** Of the ranked claims, as far as they are kept. */
  readonly similarities: readonly number[];
}

export const isAnswerable = ({ relevant }: Asked): boolean => relevant.size > 0;

export const bestOf = ({ similarities }: Asked): number => similarities[0] ?? 0;

/** Similarity of every right claim that is among the first five. */
export function rightAmongFive(asked: readonly Asked[]): number[] {
  return asked.flatMap(({ ranking, relevant, similarities }) =>
    ranking.slice(0, 5).flatMap((claim, place) => (relevant.has(claim) ? [similarities[place]!] : [])),
  );
}

export interface FloorRow {
  readonly floor: number;
  /** Share of the right claims among the first five that fall below it. */
  readonly lost: number;
  /** Mean number of matches of an answerable and of an unanswerable question. */
  readonly answerable: number;
  readonly unanswerable: number;
  /** Share of the unanswerable questions that get an empty list. */
  readonly empty: number;
}

export function floorRow(floor: number, asked: readonly Asked[]): FloorRow {
  const right = rightAmongFive(asked);
  const matches = (some: readonly Asked[]) =>
    some.map(({ similarities }) => similarities.slice(0, 5).filter(value => value >= floor).length);
  const unanswerable = matches(asked.filter(question => !isAnswerable(question)));
  return {
    floor,
    lost: mean(right.map(similarity => Number(similarity < floor))),
    answerable: mean(matches(asked.filter(isAnswerable))),
    unanswerable: mean(unanswerable),
    empty: mean(unanswerable.map(count => Number(count === 0))),
  };
}
