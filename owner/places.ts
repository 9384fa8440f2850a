import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

export interface Place {
  /** Counted from 1. */
  readonly line: number;
  /** Where the member's value ends, in characters. */
  readonly end: number;
}

/**
 * Finds the members of a JSON text, in any state, by their paths (`claims[3].boundary`). A member that is not there is placed
 * where its object begins. The text is parsed when the first place is asked for.
 */
export function createPlaces(text: string): (path: string) => Place {
  let tree: Node | undefined;
  let starts: readonly number[] | undefined;
  return path => {
    tree ??= parseTree(text.replace(/^\uFEFF/, ' '), [], { disallowComments: true }) ?? NOTHING;
    starts ??= [...text.matchAll(/\n/g)].map(({ index }) => index);
    const { offset, length } = nearest(tree, path);
    return { line: countBelow(starts, offset) + 1, end: offset + length };
  };
}

const NOTHING: Node = { type: 'null', offset: 0, length: 0 };

/** Of a member its name is shown, not its value: an editor jumps to the beginning of the line. */
function nearest(tree: Node, path: string): Node {
  let node = tree;
  for (const segment of segmentsOf(path)) {
    const next = findNodeAtLocation(node, [segment]);
    if (!next) break;
    node = next;
  }
  return node;
}

/** `claims[3].boundary` taken apart: names and positions. */
export function segmentsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(
    ([, position, quoted, name]) => name ?? quoted ?? Number(position),
  );
}

/** How many of the ascending numbers are below the bound. */
function countBelow(ascending: readonly number[], bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
