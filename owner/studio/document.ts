import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isObject, type Json, put, valueAt } from '../member.ts';
import { EditError } from '../said-error.ts';

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

/** An edit that was not done, since the document says something else there by now; `theirs` is absent where it says nothing. */
export interface Conflict {
  readonly edit: Edit;
  readonly theirs?: Json;
}

interface Applied {
  readonly document: Json;
  readonly conflict?: Conflict;
}

/** The member that names an entry of each list; questions have none. */
const ID: Readonly<Record<string, string>> = { claims: 'claim_id', proofs: 'proof_id', questions: '' };

/** Does an edit where the document still says what the page saw; it shares with the old one what stays. @throws EditError */
export function applyEdit(document: Json, edit: Edit): Applied {
  const { path, was, value } = edit;
  const [name = '', key, ...member] = path;
  if (!isObject(document) || path.includes('__proto__')) throw new EditError('no_member');
  if (!Object.hasOwn(ID, name) || key === undefined) {
    const theirs = valueAt(document, path);
    return isDeepStrictEqual(theirs, was)
      ? { document: put(document, path, value) }
      : refused(document, edit, theirs);
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
  const done = withList(changed === undefined ? list.toSpliced(at, 1) : list.with(at, changed));
  return typeof name === 'string' && member[0] === ID[name] && typeof value === 'string'
    ? { document: linked(done.document, name, was, value) }
    : done;
}

/** A document whose questions, or lists of proofs, follow an id that was renamed. */
function linked(document: Readonly<Record<string, Json>>, name: string, was: Json, value: string): Json {
  const [list, link] = name === 'claims' ? ['questions', 'claim_id'] : ['claims', 'proof_ids'];
  const entries = document[list];
  const follow = (said: Json): Json => (Array.isArray(said) ? said.map(follow) : said === was ? value : said);
  const names = (said: Json) => said === was || (Array.isArray(said) && said.includes(was));
  if (was === undefined || !Array.isArray(entries)) return document;
  const fresh = entries.map(entry =>
    isObject(entry) && names(entry[link]) ? { ...entry, [link]: follow(entry[link]) } : entry,
  );
  return { ...document, [list]: fresh };
}

const idOf = (entry: Json, list: string | number) => (isObject(entry) ? entry[ID[list] ?? ''] : undefined);

/** Where an entry is now; undefined where it is gone, or not the only one of its id. */
function positionOf(list: readonly Json[], { path: [name = '', key], was }: Edit): number | undefined {
  if (typeof key !== 'string') {
    // A position alone may be another entry's by now.
    const at = isDeepStrictEqual(list[key ?? 0], was)
      ? key
      : list.findIndex(entry => isDeepStrictEqual(entry, was));
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
