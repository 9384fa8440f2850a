/** Says once in a while what would otherwise be said for every request. */
export function atMostEvery(ms: number, now: () => number, act: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - last < ms) return;
    last = now();
    act();
  };
}
