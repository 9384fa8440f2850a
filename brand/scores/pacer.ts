/** Call between steps of long work: waits for the next turn of the event loop once the current piece has lasted long enough. */
export type Pace = () => Promise<void> | undefined;

/** Short enough that nobody who waits behind a piece can tell. */
const PIECE_MS = 4;

/**
 * Cuts long work into pieces of a few milliseconds, between which timers fire and requests are answered. Of all work that shares
 * one pacer, a single piece runs in each turn of the event loop: sixty long questions at once delay a short one by a piece, not by sixty.
 */
export function createPacer(): () => Pace {
  let turn = Promise.resolve();
  return () => {
    let end = performance.now() + PIECE_MS;
    return () => {
      if (performance.now() < end) return undefined;
      turn = turn.then(nextTurn).then(() => {
        end = performance.now() + PIECE_MS;
      });
      return turn;
    };
  };
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
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
