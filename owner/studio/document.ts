import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Found, wordsOfFinding } from '../../brand/profile/finding-words.ts';

/** A value of JSON, and the way to a part of it (RFC 6901, taken apart). */
export type Json = unknown;
export type Path = readonly (string | number)[];

const Segment = z.union([z.string().max(200), z.number().int().nonnegative()]);
const Place = z.array(Segment).min(1).max(10);
const Position = z.number().int().nonnegative();
const Value = z.json().optional();

/**
 * One change of a document, as the page sends it: `was` is the value that the page saw there. An entry of claims, proofs or
 * questions is named by its id (`claims`, `clm-3`), or by a position and the whole entry where its id is not its own.
 */
export const Edit = z.discriminatedUnion('do', [
  /** Gives a member or an entry a value, or takes it away where there is none; makes the objects on the way. */
  z.strictObject({ do: z.literal('set'), path: Place, was: Value, value: Value }),
  z.strictObject({ do: z.literal('insert'), path: z.tuple([z.string(), Position]), value: z.json() }),
  z.strictObject({ do: z.literal('move'), path: z.tuple([z.string(), Segment]), was: Value, to: Position }),
]);
export type Edit = z.infer<typeof Edit>;
type Of<Do extends Edit['do']> = Extract<Edit, { readonly do: Do }>;

/** The page asks for what the document has no place for. */
export class EditError extends Error {
  override readonly name = 'EditError';
  readonly found: Found;
  constructor(code: Found['code'], ...values: readonly string[]) {
    super(wordsOfFinding({ code, values }, 'en').message);
    this.found = { code, values };
  }
}

const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An edit that was not done: the document says something else there by now. */
export interface Conflict {
  readonly edit: Edit;
  /** What it says; absent where it says nothing. */
  readonly theirs?: Json;
}

/** What an edit did: the document after it and what takes it back, or why it was not done. */
export interface Applied {
  readonly document: Json;
  readonly undo?: Edit;
  readonly conflict?: Conflict;
}

/** Does an edit where the document still says what the page saw; it shares with the old one what stays. @throws EditError */
export function applyEdit(document: Json, edit: Edit): Applied {
  if (!isObject(document) || edit.path.some(segment => segment === '__proto__')) throw new EditError('no_member');
  if (edit.do === 'set') return set(document, edit);
  return edit.do === 'insert' ? insert(document, edit) : move(document, edit);
}

type Members = Readonly<Record<string, Json>>;

/** Entries of these lists are known by their ids, or, where there is none, by all that they say. */
const LISTS: Readonly<Record<string, string | undefined>> = {
  claims: 'claim_id',
  proofs: 'proof_id',
  questions: undefined,
};

/** The id of an entry where no other has it, else its position. */
export function keyOf(list: readonly Json[], at: number, member: string | undefined): string | number {
  const id = member === undefined ? undefined : idOf(list[at], member);
  const isItsOwn = id !== undefined && id !== '' && id.length <= 200 && id !== '__proto__';
  return isItsOwn && positionsOf(list, id, member ?? '').length === 1 ? id : at;
}

const idOf = (entry: Json, member: string) => {
  const id = isObject(entry) ? entry[member] : undefined;
  return typeof id === 'string' ? id : undefined;
};

const positionsOf = (list: readonly Json[], id: string, member: string) =>
  list.flatMap((entry, at) => (idOf(entry, member) === id ? [at] : []));

const listIn = (document: Members, name: string): readonly Json[] => {
  const list = document[name] ?? [];
  if (!Object.hasOwn(LISTS, name) || !Array.isArray(list)) throw new EditError('no_member');
  return list;
};

/** Where an entry is now; undefined where it is gone, or not the only one of its id. */
function positionOf(list: readonly Json[], { path, was }: Of<'set' | 'move'>): number | undefined {
  const [name, key = 0, ...rest] = path;
  const member = LISTS[String(name)];
  if (typeof key === 'string') {
    const found = member === undefined ? [] : positionsOf(list, key, member);
    return found.length === 1 ? found[0] : undefined;
  }
  // A position alone may be another entry's by now.
  if (rest.length > 0) throw new EditError('no_entry', String(key));
  if (key < list.length && isDeepStrictEqual(list[key], was)) return key;
  const at = list.findIndex(entry => isDeepStrictEqual(entry, was));
  return at < 0 ? undefined : at;
}

function set(document: Members, edit: Of<'set'>): Applied {
  const { path, was, value } = edit;
  const [name = '', ...rest] = path;
  if (!Object.hasOwn(LISTS, name) || rest.length === 0) {
    const theirs = valueAt(document, path);
    if (!isDeepStrictEqual(theirs, was)) return refused(document, edit, theirs);
    return { document: put(document, path, value), undo: { do: 'set', path, was: value, value: was } };
  }
  const list = listIn(document, String(name));
  const at = positionOf(list, edit);
  if (at === undefined) return value === undefined ? { document } : { document, conflict: { edit } };
  const member = rest.slice(1);
  const before = list[at];
  const theirs = valueAt(before, member);
  if (!isDeepStrictEqual(theirs, was)) return refused(document, edit, theirs);
  const after = put(before, member, value);
  if (after === undefined) {
    const undo: Edit = { do: 'insert', path: [String(name), at], value: z.json().parse(before) };
    return { document: { ...document, [name]: list.toSpliced(at, 1) }, undo };
  }
  const changed = list.with(at, after);
  const key = keyOf(changed, at, LISTS[name]);
  const undo: Edit =
    typeof key === 'string'
      ? { do: 'set', path: [name, key, ...member], was: value, value: was }
      : { do: 'set', path: [name, at], was: z.json().parse(after), value: z.json().parse(before) };
  return { document: { ...document, [name]: changed }, undo };
}

/** Where both said the same, nothing is to be decided. */
const refused = (document: Json, edit: Of<'set'>, theirs: Json): Applied =>
  isDeepStrictEqual(theirs, edit.value)
    ? { document }
    : { document, conflict: { edit, ...(theirs !== undefined && { theirs }) } };

function insert(document: Members, edit: Of<'insert'>): Applied {
  const [name, wanted] = edit.path;
  const list = listIn(document, name);
  const member = LISTS[name];
  const id = member === undefined ? undefined : idOf(edit.value, member);
  const taken = id === undefined ? [] : positionsOf(list, id, member ?? '');
  if (taken.length > 0) return { document, conflict: { edit, theirs: list[taken[0] ?? 0] } };
  const at = Math.min(wanted, list.length);
  const changed = list.toSpliced(at, 0, edit.value);
  const undo: Edit = { do: 'set', path: [name, keyOf(changed, at, member)], was: edit.value };
  return { document: { ...document, [name]: changed }, undo };
}

function move(document: Members, edit: Of<'move'>): Applied {
  const [name] = edit.path;
  const list = listIn(document, name);
  const from = positionOf(list, edit);
  if (from === undefined) return { document, conflict: { edit } };
  const to = Math.min(edit.to, list.length - 1);
  const changed = list.toSpliced(from, 1).toSpliced(to, 0, list[from]);
  const undo: Edit = {
    do: 'move',
    path: [name, keyOf(changed, to, LISTS[name])],
    was: z.json().parse(list[from]),
    to: from,
  };
  return { document: { ...document, [name]: changed }, undo };
}

const valueAt = (value: Json, path: Path): Json =>
  path.reduce<Json>((part, segment) => {
    if (Array.isArray(part)) return part[Number(segment)];
    return isObject(part) && Object.hasOwn(part, segment) ? part[segment] : undefined;
  }, value);

/** Empty, these say that there is nothing; absent, that nothing was decided. */
const SAYS_SOMETHING = new Set(['actions', ...Object.keys(LISTS)]);

/** The value with another one at a path. Members keep their order. */
function put(value: Json, [first, ...rest]: Path, next: Json): Json {
  if (first === undefined) return next;
  if (value === undefined) return put(typeof first === 'number' ? [] : {}, [first, ...rest], next);
  const old = valueAt(value, [first]);
  const made = put(old, rest, next);
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
