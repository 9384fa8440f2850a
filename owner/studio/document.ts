import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Found, wordsOfFinding } from '../../brand/profile/finding-words.ts';

/** A value of JSON, and the way to a part of it (RFC 6901, taken apart). */
export type Json = unknown;
export type Path = readonly (string | number)[];

/**
 * One change, as the page sends it: what stood at a place and what shall stand there; absent, nothing. An entry of a list is
 * named by its id (`claims`, `clm-3`), or by its position and all that it says where it has no id of its own.
 */
export const Edit = z.strictObject({
  path: z
    .array(z.union([z.string().max(200), z.number().int().nonnegative()]))
    .min(1)
    .max(10),
  was: z.json().optional(),
  value: z.json().optional(),
  /** Where a new entry goes; absent: to the end. */
  at: z.number().int().nonnegative().optional(),
});
export type Edit = z.infer<typeof Edit>;

/** The page asks for what the document has no place for. */
export class EditError extends Error {
  override readonly name = 'EditError';
  readonly found: Found;
  constructor(code: Found['code'], ...values: readonly string[]) {
    super(wordsOfFinding({ code, values }, 'en').message);
    this.found = { code, values };
  }
}

/** An edit that was not done, since the document says something else there by now; `theirs` is absent where it says nothing. */
export interface Conflict {
  readonly edit: Edit;
  readonly theirs?: Json;
}

interface Applied {
  readonly document: Json;
  readonly conflict?: Conflict;
}

type Members = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member that names an entry of each list; questions have none. */
const ID: Readonly<Record<string, string>> = { claims: 'claim_id', proofs: 'proof_id', questions: '' };

/** Does an edit where the document still says what the page saw; it shares with the old one what stays. @throws EditError */
export function applyEdit(document: Json, edit: Edit): Applied {
  const { path, was, value } = edit;
  const [name = '', key, ...member] = path;
  if (!isObject(document) || path.includes('__proto__')) throw new EditError('no_member');
  if (!Object.hasOwn(ID, name) || key === undefined) {
    const theirs = valueAt(document, path);
    return isDeepStrictEqual(theirs, was) ? { document: put(document, path, value) } : refused(document, edit, theirs);
  }
  const list = document[name] ?? [];
  if (!Array.isArray(list)) throw new EditError('no_member');
  if (typeof key === 'number' && member.length > 0) throw new EditError('no_entry', String(key));
  const withList = (changed: readonly Json[]) => ({ document: { ...document, [name]: changed } });
  const at = positionOf(list, edit);
  if (member.length === 0 && was === undefined && value !== undefined) {
    const same = list.findIndex(entry => typeof key === 'string' && idOf(entry, name) === key);
    return same >= 0
      ? { document, conflict: { edit, theirs: list[same] } }
      : withList(list.toSpliced(edit.at ?? list.length, 0, value));
  }
  if (at === undefined) return value === undefined ? { document } : { document, conflict: { edit } };
  const theirs = valueAt(list[at], member);
  if (!isDeepStrictEqual(theirs, was)) return refused(document, edit, theirs);
  if (member[0] === ID[name] && list.some((entry, other) => other !== at && idOf(entry, name) === value))
    throw new EditError('id_taken', String(value));
  const changed = put(list[at], member, value);
  return withList(changed === undefined ? list.toSpliced(at, 1) : list.with(at, changed));
}

const idOf = (entry: Json, list: string | number) => (isObject(entry) ? entry[ID[list] ?? ''] : undefined);

/** Where an entry is now; undefined where it is gone, or not the only one of its id. */
function positionOf(list: readonly Json[], { path: [name = '', key], was }: Edit): number | undefined {
  if (typeof key !== 'string') {
    // A position alone may be another entry's by now.
    const at = isDeepStrictEqual(list[key ?? 0], was) ? key : list.findIndex(entry => isDeepStrictEqual(entry, was));
    return at === -1 ? undefined : at;
  }
  const found = list.flatMap((entry, at) => (idOf(entry, name) === key ? [at] : []));
  return found.length === 1 ? found[0] : undefined;
}

/** Where both said the same, nothing is to be decided. */
const refused = (document: Json, edit: Edit, theirs: Json): Applied =>
  isDeepStrictEqual(theirs, edit.value)
    ? { document }
    : { document, conflict: { edit, ...(theirs !== undefined && { theirs }) } };

const valueAt = (value: Json, path: Path): Json =>
  path.reduce<Json>((part, segment) => {
    if (Array.isArray(part)) return part[Number(segment)];
    return isObject(part) && Object.hasOwn(part, segment) ? part[segment] : undefined;
  }, value);

/** Empty, these say that there is nothing; absent, that nothing was decided. */
const SAYS_SOMETHING = new Set(['actions', ...Object.keys(ID)]);

/** The value with another one at a path. Members keep their order. */
export function put(value: Json, [first, ...rest]: Path, next: Json): Json {
  if (first === undefined) return next;
  if (value === undefined) return put(typeof first === 'number' ? [] : {}, [first, ...rest], next);
  const made = put(valueAt(value, [first]), rest, next);
  // What a removal leaves empty was there for that member alone: an empty metric is a fault.
  const goes = made === undefined || (next === undefined && isEmpty(made) && !SAYS_SOMETHING.has(String(first)));
  if (Array.isArray(value)) {
    const at = Number(first);
    if (!Number.isInteger(at) || at < 0 || at > value.length) throw new EditError('no_entry', String(first));
    return value.toSpliced(at, 1, ...(goes ? [] : [made]));
  }
  if (!isObject(value)) throw new EditError('no_member');
  if (!goes) return { ...value, [first]: made };
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== String(first)));
}

const isEmpty = (value: Json) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
