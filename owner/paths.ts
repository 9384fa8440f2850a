import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/**
 * Makes a function that finds the line of a member in a JSON text, from 1, by its path
 * (`claims[3].boundary`). For a missing member it is the line of the object that lacks it.
 */
export function createLineOf(json: string): (path: string) => number {
  const tree = parseTree(json);
  const lineBreaks = Array.from(json.matchAll(/\n/g), ({ index }) => index);
  return path => countBelow(lineBreaks, deepestNode(tree, path)?.offset ?? 0) + 1;
}

function deepestNode(tree: Node | undefined, path: string): Node | undefined {
  let node = tree;
  for (const segment of segmentsOf(path)) {
    const next = node && findNodeAtLocation(node, [segment]);
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
    if (!hasMembers(part) || !Object.hasOwn(part, segment)) return undefined;
    part = part[segment];
  }
  return part;
}

/** Whether a value is an object or an array. */
const hasMembers = (value: unknown): value is Readonly<Record<string | number, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * The object with another value at a path of names. Members keep their order. `undefined` removes the member,
 * and also an object that becomes empty: an empty metric is a fault.
 */
export function withValue(
  object: Readonly<Record<string, unknown>>,
  [name, ...inner]: readonly [string, ...string[]],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const [next, ...further] = inner;
  const changed = next === undefined ? value : withValue(Object(object[name]), [next, ...further], value);
  const isEmpty = value === undefined && Object.keys(Object(changed)).length === 0;
  if (changed !== undefined && !isEmpty) return { ...object, [name]: changed };
  const { [name]: _, ...others } = object;
  return others;
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
