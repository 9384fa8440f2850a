/**
 * Indices of the `count` largest values, largest first, ties by index. One pass: most values cost one comparison,
 * where a full sort of 10,000 scores would cost more than the rest of a question.
 */
export function indicesOfLargest(values: ArrayLike<number>, count: number): number[] {
  const best: number[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    if (best.length === count && !(value > values[best[count - 1]!]!)) continue;
    let place = best.length === count ? count - 1 : best.length;
    for (; place > 0 && value > values[best[place - 1]!]!; place -= 1) best[place] = best[place - 1]!;
    best[place] = index;
  }
  return best;
}
