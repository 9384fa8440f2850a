import { EditError } from './said-error.ts';

/** A value of JSON, and the way to a part of it (RFC 6901, taken apart). */
export type Json = unknown;
export type Path = readonly (string | number)[];

export type Members = Readonly<Record<string, Json>>;

export const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at the end of a path. */
export const valueAt = (value: Json, path: Path): Json =>
  path.reduce<Json>((part, segment) => {
    if (Array.isArray(part)) return part[Number(segment)];
    return isObject(part) && Object.hasOwn(part, segment) ? part[segment] : undefined;
  }, value);

/** Empty, these say that there is nothing; absent, that nothing was decided. */
const SAYS_SOMETHING = new Set(['actions', 'claims', 'proofs', 'questions']);

/** The value with another one at a path. Members keep their order. */
export function put(value: Members, path: readonly [string, ...string[]], next: Json): Members;
export function put(value: Json, path: Path, next: Json): Json;
export function put(value: Json, [first, ...rest]: Path, next: Json): Json {
  if (first === undefined) return next;
  if (value === undefined) return put(typeof first === 'number' ? [] : {}, [first, ...rest], next);
  const made = put(valueAt(value, [first]), rest, next);
  // What a removal leaves empty was there for that member alone: an empty metric is a fault.
  const goes =
    made === undefined || (next === undefined && isEmpty(made) && !SAYS_SOMETHING.has(String(first)));
  if (Array.isArray(value)) {
    const at = Number(first);
    if (!Number.isInteger(at) || at < 0 || at > value.length) throw new EditError('no_entry', String(first));
    return value.toSpliced(at, 1, ...(goes ? [] : [made]));
  }
  if (!isObject(value)) throw new EditError('no_member');
  if (!goes) return { ...value, [first]: made };
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== String(first)));
}

const isEmpty = (value: Json) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
