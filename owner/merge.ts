import { writeCell } from './cell.ts';
import { columnOf } from './columns.ts';
import type { Draft, Members } from './draft.ts';
import { EXAMPLE_ID } from './new-profile.ts';
import { valueAt, withValue } from './paths.ts';
import type { Row, Sheet } from './sheet.ts';

/** The result of an import for claims or proofs. */
interface MergedParts {
  /** Parts of the sheet first, in its order. */
  readonly parts: readonly Members[];
  readonly added: number;
  readonly changed: number;
  /** One line for each cell that differs from the profile. */
  readonly changes: readonly string[];
  /** Ids of parts that are not in the sheet and stay. */
  readonly absent: readonly string[];
}

export interface Merged {
  readonly draft: Draft;
  readonly claims: MergedParts;
  readonly proofs: MergedParts;
}

/**
 * Merges a sheet into a profile. It recognizes a claim by its id, or by its statement if the sheet has no
 * ids, and keeps the id. Members without a column stay. Examples of `aval init` are removed.
 * @param replace drops claims and proofs that are not in the sheet
 */
export function mergeSheet(profile: Draft, sheet: Sheet, replace = false): Merged {
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

/** A row can name its proof without a column of ids. */
const PROOF_IDS = columnOf('proof ids')!;

type PartOptions = (typeof CLAIM | typeof PROOF) & {
  readonly sheet: Sheet;
  readonly replace: boolean;
  readonly language: string;
};

function mergeParts(
  existing: readonly Members[],
  rows: readonly Row[],
  { part, id, text, prefix, sheet, replace, language }: PartOptions,
): MergedParts {
  const columns = [...sheet.columns.keys()].filter(column => column.part === part);
  const existingById = groupsBy(existing, id);
  const existingByText = groupsBy(existing, text);
  const left = new Set(existing);
  const ids = new Set([...existing, ...rows.map(({ members }) => members)].map(members => members[id]));
  const numbers = new Map<string, number>();
  const changes: string[] = [];
  const counts = { added: 0, changed: 0 };
  const parts = rows.map(({ members }) => {
    const group =
      members[id] === undefined ? existingByText.get(members[text]) : existingById.get(members[id]);
    let old = group?.shift();
    while (old && !left.delete(old)) old = group?.shift();
    let merged: Members = old ?? {};
    for (const column of new Set(members.proof_ids ? [...columns, PROOF_IDS] : columns)) {
      const value = valueAt(members, column.path);
      const before = writeCell(valueAt(merged, column.path), column, language);
      const after = writeCell(value, column, language);
      if (before === after || (column.path[0] === id && value === undefined)) continue;
      merged = withValue(merged, column.path, value);
      if (old)
        changes.push(
          `${old[id]}, "${sheet.columns.get(column) ?? column.en}": “${onOneLine(before)}” is now ` +
            `“${onOneLine(after)}”`,
        );
    }
    if (merged === old) return old;
    counts[old ? 'changed' : 'added'] += 1;
    // The schema demands this member.
    if (part === 'claim') merged = { ...merged, proof_ids: merged.proof_ids ?? [] };
    return merged[id] === undefined
      ? { [id]: freshId(prefix, merged[text], ids, numbers), ...merged }
      : merged;
  });
  const absent = [...left].filter(entry => !replace && !String(entry[id]).startsWith(EXAMPLE_ID));
  return { parts: [...parts, ...absent], absent: absent.map(entry => String(entry[id])), changes, ...counts };
}

const onOneLine = (cell: string): string => cell.replaceAll('\n', ' / ');

/** Entries by a member. Searching all of them for each row would take minutes. */
function groupsBy(entries: readonly Members[], member: string): ReadonlyMap<unknown, Members[]> {
  const groups = new Map<unknown, Members[]>();
  for (const entry of entries) {
    const group = groups.get(entry[member]) ?? [];
    group.push(entry);
    groups.set(entry[member], group);
  }
  return groups;
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
