import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Found, wordsOfFinding } from '../../brand/profile/finding-words.ts';

/** A value of JSON, and the way to a part of it (RFC 6901, taken apart). */
export type Json = unknown;
export type Path = readonly (string | number)[];

const Segment = z.union([z.string().max(200), z.number().int().nonnegative()]);
const Place = z.array(Segment).min(1).max(10);

/** One change of a document, as the page sends it. */
export const Edit = z.discriminatedUnion('do', [
  /** Gives a member a value, or an entry of a list another one; makes the objects on the way. */
  z.strictObject({ do: z.literal('set'), path: Place, value: z.json() }),
  z.strictObject({ do: z.literal('remove'), path: Place }),
  /** Puts an entry into a list, before the entry of this position. */
  z.strictObject({ do: z.literal('insert'), path: Place, value: z.json() }),
  z.strictObject({ do: z.literal('move'), path: Place, to: z.number().int().nonnegative() }),
]);
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

const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document with a change; it shares with the old one what stays. Members keep their order. @throws EditError */
export function applyEdit(document: Json, edit: Edit): Json {
  if (edit.path.some(segment => segment === '__proto__')) throw new EditError('no_member');
  return change(document, edit.path, edit);
}

function change(value: Json, [first, ...rest]: Path, edit: Edit): Json {
  if (first === undefined) throw new EditError('no_member');
  if (Array.isArray(value)) return changeList(value, [first, ...rest], edit);
  if (value !== undefined && !isObject(value)) throw new EditError('no_member');
  const name = String(first);
  const members = value ?? {};
  if (rest.length === 0 && edit.do === 'remove') {
    return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));
  }
  const old = Object.hasOwn(members, name) ? members[name] : undefined;
  const next = rest.length === 0 ? changed(edit) : change(old ?? emptyFor(rest, edit), rest, edit);
  // An object of which the last member went was there for that member alone: an empty metric is a fault.
  const emptied = edit.do === 'remove' && isObject(next) && Object.keys(next).length === 0 && !SAYS_SOMETHING.has(name);
  if (emptied) return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));
  return { ...members, [name]: next };
}

/** Empty, these say that there is nothing; absent, that nothing was decided. */
const SAYS_SOMETHING = new Set(['actions']);

function changed(edit: Edit): Json {
  if (edit.do === 'set') return edit.value;
  throw new EditError('no_member');
}

const emptyFor = ([next]: Path, edit: Edit) => (typeof next === 'number' || edit.do === 'insert' ? [] : {});

function changeList(list: readonly Json[], [first, ...rest]: Path, edit: Edit): Json {
  const at = Number(first);
  const most = edit.do === 'insert' || (edit.do === 'set' && rest.length === 0) ? list.length : list.length - 1;
  if (!Number.isInteger(at) || at < 0 || at > most) throw new EditError('no_entry', String(first));
  if (rest.length > 0) return list.with(at, change(list[at], rest, edit));
  if (edit.do === 'set') return at === list.length ? [...list, edit.value] : list.with(at, edit.value);
  if (edit.do === 'insert') return list.toSpliced(at, 0, edit.value);
  const without = list.toSpliced(at, 1);
  return edit.do === 'remove' ? without : without.toSpliced(Math.min(edit.to, without.length), 0, list[at]);
}

/** What was changed here and elsewhere at once, in two ways. */
export interface Conflict {
  readonly path: Path;
  readonly mine: Json;
  readonly theirs: Json;
}

interface Versions {
  /** What both began with. */
  readonly base: Json;
  readonly mine: Json;
  readonly theirs: Json;
}

/** Entries of these lists are known by their ids, wherever they stand. */
const IDS: Readonly<Record<string, string>> = { claims: 'claim_id', proofs: 'proof_id' };

/** Joins two changed versions of a document, member by member. Where both changed one member, theirs stays and the conflict is named. */
export function merge({ base, mine, theirs }: Versions, path: Path = []): { value: Json; conflicts: Conflict[] } {
  if (isDeepStrictEqual(mine, theirs) || isDeepStrictEqual(base, mine)) return { value: theirs, conflicts: [] };
  if (isDeepStrictEqual(base, theirs)) return { value: mine, conflicts: [] };
  if (isObject(mine) && isObject(theirs)) return mergeMembers({ base: isObject(base) ? base : {}, mine, theirs }, path);
  const id = IDS[String(path.at(-1))];
  if (id !== undefined && Array.isArray(mine) && Array.isArray(theirs))
    return mergeEntries({ base: Array.isArray(base) ? base : [], mine, theirs }, path, id);
  return { value: theirs, conflicts: [{ path, mine, theirs }] };
}

type Of<Part> = { readonly base: Part; readonly mine: Part; readonly theirs: Part };

function mergeMembers({ base, mine, theirs }: Of<Readonly<Record<string, Json>>>, path: Path) {
  const conflicts: Conflict[] = [];
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const members = names.flatMap(name => {
    const part = { base: base[name], mine: mine[name], theirs: theirs[name] };
    const merged = merge(part, [...path, name]);
    conflicts.push(...merged.conflicts);
    return merged.value === undefined ? [] : [[name, merged.value] as const];
  });
  return { value: Object.fromEntries(members), conflicts };
}

/** Theirs in their order, with what is new here behind the entry that it follows here. */
function mergeEntries({ base, mine, theirs }: Of<readonly Json[]>, path: Path, id: string) {
  const key = (entry: Json, at: number) => (isObject(entry) && typeof entry[id] === 'string' ? entry[id] : `#${at}`);
  const index = (list: readonly Json[]) => new Map(list.map((entry, at) => [key(entry, at), entry]));
  const [before, here, there] = [index(base), index(mine), index(theirs)];
  const conflicts: Conflict[] = [];
  const value: Json[] = [];
  const keys = [...there.keys()];
  let last = -1;
  for (const name of here.keys()) {
    const at = keys.indexOf(name);
    last = at >= 0 ? at : last + 1;
    if (at < 0) keys.splice(last, 0, name);
  }
  for (const name of keys) {
    const part = { base: before.get(name), mine: here.get(name), theirs: there.get(name) };
    const merged = merge(part, [...path, value.length]);
    conflicts.push(...merged.conflicts);
    if (merged.value !== undefined) value.push(merged.value);
  }
  return { value, conflicts };
}
