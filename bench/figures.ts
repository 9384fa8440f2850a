/**
 * Probability that a positive scores above a negative, ties counting one half: the area under the ROC curve,
 * by ranks (Mann-Whitney).
 */
export function auc(positives: readonly number[], negatives: readonly number[]): number | undefined {
  if (positives.length === 0 || negatives.length === 0) return undefined;
  const all = [
    ...positives.map(score => ({ score, won: 1 })),
    ...negatives.map(score => ({ score, won: 0 })),
  ];
  all.sort((a, b) => a.score - b.score);
  let below = 0;
  let wins = 0;
  for (let from = 0; from < all.length; ) {
    const score = all[from]?.score;
    let to = from;
    let tied = 0;
    for (; all[to]?.score === score; to += 1) tied += all[to]?.won ?? 0;
    const tiedNegatives = to - from - tied;
    wins += tied * (below + tiedNegatives / 2);
    below += tiedNegatives;
    from = to;
  }
  return wins / (positives.length * negatives.length);
}

/** Undefined where there is nothing. */
export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @returns what this share of the values stays below; NaN where there are none */
function percentile(values: readonly number[], share: number): number {
  const index = Math.min(values.length - 1, Math.floor(values.length * share));
  return values.toSorted((a, b) => a - b)[index] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** A percentile of latencies, to a tenth of a millisecond. */
export const percentileMs = (latencies: readonly number[], share: number): number =>
  Math.round(percentile(latencies, share) * 10) / 10;

export function groupedBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
