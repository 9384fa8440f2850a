/** Does once in a while what would otherwise be done for every request. */
export function atMostEvery<Given extends unknown[], Result>(
  ms: number,
  now: () => number,
  act: (...given: Given) => Result,
): (...given: Given) => Result | undefined {
  let last = Number.NEGATIVE_INFINITY;
  return (...given) => {
    if (now() - last < ms) return undefined;
    last = now();
    return act(...given);
  };
}
