/** Call between steps of long work: waits for the next turn of the event loop once the current piece has lasted long enough. */
export type Pace = () => Promise<void> | undefined;

/** Short enough that nobody who waits behind a piece can tell. */
const PIECE_MS = 4;

interface Waiting {
  readonly asker: string;
  /** Pieces that its work has had. */
  readonly pieces: number;
  readonly proceed: () => void;
}

/**
 * Cuts long work into pieces of a few milliseconds, between which timers fire and requests are answered. Of all work that shares
 * one pacer, a single piece runs in each turn of the event loop: of the client whose waiting work has had the fewest pieces, that
 * of the work which has had the fewest (least attained service, Kleinrock). So a hundred long questions of one client at once
 * delay another's by a few pieces, not by a hundred.
 * @returns begins work, for a client where it has a name
 */
export function createPacer(): (asker?: string) => Pace {
  const waiting: Waiting[] = [];
  /** By client, while work of it waits. */
  const pieces = new Map<string, number>();
  const before = (one: Waiting, other: Waiting): boolean => {
    const ahead = (pieces.get(one.asker) ?? 0) - (pieces.get(other.asker) ?? 0);
    return ahead === 0 ? one.pieces < other.pieces : ahead < 0;
  };
  let isPlanned = false;
  const plan = () => {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      const next = waiting.reduce((first, one) => (before(one, first) ? one : first));
      waiting.splice(waiting.indexOf(next), 1);
      if (!waiting.some(({ asker }) => asker === next.asker)) pieces.delete(next.asker);
      next.proceed();
      plan();
    });
  };
  return (asker = '') => {
    let own = 0;
    let end = performance.now() + PIECE_MS;
    return () => {
      if (performance.now() < end) return undefined;
      own += 1;
      pieces.set(asker, (pieces.get(asker) ?? 0) + 1);
      return new Promise<void>(resolve => {
        const proceed = () => {
          end = performance.now() + PIECE_MS;
          resolve();
        };
        waiting.push({ asker, pieces: own, proceed });
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
