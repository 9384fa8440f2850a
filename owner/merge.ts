import { writeCell } from './cell.ts';
import type { Column } from './columns.ts';
import type { Draft, Members } from './draft.ts';
import { EXAMPLE_ID } from './new-profile.ts';
import { valueAt } from './positions.ts';
import type { Row, Sheet } from './sheet.ts';

/** The result of an import for claims or proofs. */
interface MergedParts {
  /** Parts of the sheet first, in its order. */
  readonly parts: readonly Members[];
  readonly added: number;
  /** One line for each cell that differs from the profile. */
  readonly changes: readonly string[];
  readonly changed: number;
  /** Ids of parts that are not in the sheet and stay. */
  readonly absent: readonly string[];
  /** Number of parts that got a new id. */
  readonly named: number;
}

export interface Merged {
  readonly draft: Draft;
  readonly claims: MergedParts;
  readonly proofs: MergedParts;
}

interface MergeOptions {
  /** Drops claims and proofs that are not in the sheet. */
  readonly replace?: boolean | undefined;
}

/**
 * Merges a sheet into a profile. It recognizes a claim by its id, or by its statement if the sheet has no
 * ids, and keeps the id. Members without a column stay. Examples of `aval init` are removed.
 */
export function mergeSheet(profile: Draft, sheet: Sheet, { replace = false }: MergeOptions): Merged {
  const { language } = profile;
  const claims = mergeParts(profile.claims, sheet.claims, { ...CLAIM, sheet, replace, language });
  // A sheet without proofs does not remove any.
  const replacesProofs = replace && sheet.proofs.length > 0;
  const proofs = mergeParts(profile.proofs, sheet.proofs, {
    ...PROOF,
    sheet,
    replace: replacesProofs,
    language,
  });
  return { draft: { claims: claims.parts, proofs: proofs.parts, language }, claims, proofs };
}

const CLAIM = { part: 'claim', id: 'claim_id', text: 'statement', prefix: 'clm' } as const;
const PROOF = { part: 'proof', id: 'proof_id', text: 'title', prefix: 'prf' } as const;

type PartOptions = Required<MergeOptions> &
  (typeof CLAIM | typeof PROOF) & { readonly sheet: Sheet; readonly language: string };

function mergeParts(
  existing: readonly Members[],
  rows: readonly Row[],
  { part, id, text, prefix, sheet, replace, language }: PartOptions,
): MergedParts {
  const columns = new Map([...sheet.columns].filter(([column]) => column.part === part));
  const [idColumn, textColumn] = [id, text].map(name => columnAt(columns, name));
  const left = new Set(existing);
  const existingBy = { [id]: groupsBy(existing, id), [text]: groupsBy(existing, text) };
  const ids = new Set([
    ...existing.map(entry => entry[id]),
    ...rows.map(({ cells }) => cellOf(cells, idColumn)),
  ]);
  const numbers = new Map<string, number>();
  const changes: string[] = [];
  const counts = { added: 0, changed: 0, named: 0 };
  const parts = rows.map(({ cells }) => {
    const key = cellOf(cells, idColumn) === undefined ? text : id;
    const keyValue = cellOf(cells, key === id ? idColumn : textColumn);
    const old = takeFirst(left, existingBy[key]?.get(keyValue));
    let merged: Members = old ?? {};
    for (const column of new Set([...columns.keys(), ...cells.keys()])) {
      const value = cells.get(column);
      const before = writeCell(valueAt(merged, column.path), column, language);
      const after = writeCell(value, column, language);
      if ((column === idColumn && value === undefined) || before === after) continue;
      merged = put(merged, column.path, value);
      if (old)
        changes.push(
          `${old[id]}, "${columns.get(column) ?? column.en}": “${onOneLine(before)}” is now ` +
            `“${onOneLine(after)}”`,
        );
    }
    if (merged === old) return old;
    counts[old ? 'changed' : 'added'] += 1;
    // The schema demands this member.
    if (part === 'claim') merged = { ...merged, proof_ids: merged.proof_ids ?? [] };
    if (merged[id] !== undefined) return merged;
    counts.named += 1;
    return { [id]: freshId(prefix, merged[text], ids, numbers), ...merged };
  });
  const absent = [...left].filter(entry => !replace && !String(entry[id]).startsWith(EXAMPLE_ID));
  return { parts: [...parts, ...absent], absent: absent.map(entry => String(entry[id])), changes, ...counts };
}

const onOneLine = (cell: string): string => cell.replaceAll('\n', ' / ');

/** Groups entries by a member. Searching all of them for each row would take minutes. */
function groupsBy(entries: readonly Members[], member: string): Map<unknown, Members[]> {
  const groups = new Map<unknown, Members[]>();
  for (const entry of entries) {
    const group = groups.get(entry[member]);
    if (group) group.push(entry);
    else groups.set(entry[member], [entry]);
  }
  return groups;
}

/** The first of a group that is still in the set. It leaves both. */
function takeFirst(left: Set<Members>, group: Members[] = []): Members | undefined {
  for (;;) {
    const entry = group.shift();
    if (entry === undefined || left.delete(entry)) return entry;
  }
}

const columnAt = (columns: ReadonlyMap<Column, string>, name: string): Column | undefined =>
  [...columns.keys()].find(({ path }) => path[0] === name);

const cellOf = (cells: Row['cells'], column: Column | undefined): unknown => column && cells.get(column);

/**
 * The object with another value at a path of names. Members keep their order. `undefined` removes the member,
 * and also an object that becomes empty: an empty metric is a fault.
 */
function put(object: Members, [name, ...inner]: readonly [string, ...string[]], value: unknown): Members {
  const [next, ...further] = inner;
  const changed = next === undefined ? value : put(Object(object[name]), [next, ...further], value);
  const isEmpty = value === undefined && Object.keys(Object(changed)).length === 0;
  if (changed !== undefined && !isEmpty) return { ...object, [name]: changed };
  const { [name]: _, ...others } = object;
  return others;
}

/**
 * A new id from the first words of a text, as `clm-price-review`. It is added to `ids`.
 * @param numbers the next number of each beginning
 */
function freshId(prefix: string, text: unknown, ids: Set<unknown>, numbers: Map<string, number>): string {
  const words =
    String(text ?? '')
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const base = [prefix, ...words.slice(0, 5)].join('-').slice(0, 80);
  let number = numbers.get(base) ?? 1;
  let id = base;
  while (ids.has(id)) {
    number += 1;
    id = `${base}-${number}`;
  }
  numbers.set(base, number);
  ids.add(id);
  return id;
}
