/** Call between steps of long work: waits for the next turn of the event loop once the current piece has lasted long enough. */
export type Pace = () => Promise<void> | undefined;

/** Short enough that nobody who waits behind a piece can tell. */
const PIECE_MS = 4;

interface Waiting {
  /** Pieces that its work has had. */
  readonly pieces: number;
  readonly proceed: () => void;
}

/**
 * Cuts long work into pieces of a few milliseconds, between which timers fire and requests are answered. Of all work that shares
 * one pacer, a single piece runs in each turn of the event loop, that of the work which has had the fewest (least attained
 * service, Kleinrock): a hundred long questions at once delay a short one by a few pieces, not by a hundred.
 */
export function createPacer(): () => Pace {
  const waiting: Waiting[] = [];
  let isPlanned = false;
  const plan = () => {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      const next = waiting.reduce((least, one) => (one.pieces < least.pieces ? one : least));
      waiting.splice(waiting.indexOf(next), 1);
      next.proceed();
      plan();
    });
  };
  return () => {
    let pieces = 0;
    let end = performance.now() + PIECE_MS;
    return () => {
      if (performance.now() < end) return undefined;
      pieces += 1;
      return new Promise<void>(resolve => {
        const proceed = () => {
          end = performance.now() + PIECE_MS;
          resolve();
        };
        waiting.push({ pieces, proceed });
        plan();
      });
    };
  };
}

/** What `make` gives for every item, in order, with `pace` between. */
export async function mapInPieces<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made | Promise<Made>,
  pace: Pace,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    const result = make(item, index);
    made.push(result instanceof Promise ? await result : result);
    const turn = pace();
    if (turn) await turn; // an await of nothing would cost more than most steps
  }
  return made;
}
