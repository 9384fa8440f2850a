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
