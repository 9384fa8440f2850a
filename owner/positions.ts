import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

interface Position {
  /** Line number, from 1. */
  readonly line: number;
  /** Index of the character after the member's value. */
  readonly end: number;
}

/**
 * Makes a function that finds members of a JSON text, in any state, by path (`claims[3].boundary`). For a
 * missing member it returns the position of the object that lacks it.
 */
export function createPositions(text: string): (path: string) => Position {
  const tree: Node = parseTree(text.replace(/^\uFEFF/, ' '), [], { disallowComments: true }) ?? EMPTY;
  const lineBreaks = Array.from(text.matchAll(/\n/g), ({ index }) => index);
  return path => {
    const { offset, length } = deepestNode(tree, path);
    return { line: countBelow(lineBreaks, offset) + 1, end: offset + length };
  };
}

const EMPTY: Node = { type: 'null', offset: 0, length: 0 };

function deepestNode(tree: Node, path: string): Node {
  let node = tree;
  for (const segment of segmentsOf(path)) {
    const next = findNodeAtLocation(node, [segment]);
    if (!next) break;
    node = next;
  }
  return node;
}

/** Splits a path: `claims[3].boundary` is `claims`, 3, `boundary`. */
export function segmentsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(
    ([, position, quoted, name]) => name ?? quoted ?? Number(position),
  );
}

/** The value at a path. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let part = value;
  for (const segment of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, segment)) return undefined;
    part = (part as Record<string | number, unknown>)[segment];
  }
  return part;
}

/** How many of the ascending numbers are below the bound. */
function countBelow(ascending: readonly number[], bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
