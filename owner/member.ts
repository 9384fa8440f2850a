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

/**
 * The object with another value at a path of names; members keep their order. `undefined` removes the member, and an object
 * that is empty then: an empty metric is a fault.
 */
export function put(object: Members, [name, ...inner]: readonly [string, ...string[]], value: Json): Members {
  const [next, ...further] = inner;
  const old = object[name];
  const changed = next === undefined ? value : put(isObject(old) ? old : {}, [next, ...further], value);
  const isEmpty = value === undefined && isObject(changed) && Object.keys(changed).length === 0;
  if (changed !== undefined && !isEmpty) return { ...object, [name]: changed };
  const { [name]: _, ...others } = object;
  return others;
}
