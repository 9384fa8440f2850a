import { COLUMNS, type Column, valueAt } from '../exchange/columns.ts';
import { cellOf, digestOf, markOf, readMark } from '../exchange/export-mark.ts';
import type { ImportedPart } from '../exchange/imported.ts';

/** Whose value counts where a file and the profile both changed one cell since the export. */
export type Side = 'file' | 'profile';

/** A cell that the file and the profile both changed since the export, to different values. */
export interface CellConflict {
  readonly place: string;
  readonly id: string;
  /** Absent where the profile dropped the whole claim or proof. */
  readonly column?: Column;
  readonly file: string;
  readonly profile: string;
}

/** What each export last brought in: its number, then the id of a claim or proof, then the mark of its row. */
export type Imports = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Comparing {
  readonly part: Column['part'];
  readonly id: string;
  readonly imports: Imports;
  readonly side: Side | undefined;
  /** Columns that the file has. */
  readonly known: ReadonlySet<string>;
}

/** A row of a file after it was compared, cell by cell, with the profile and with what both said at the export. */
export interface Compared {
  readonly members: Readonly<Record<string, unknown>>;
  readonly conflicts: readonly CellConflict[];
  /** Cells that only the profile changed: its values stay. */
  readonly kept: number;
  /** What the next import of this file compares with. */
  readonly mark?: { readonly exported: string; readonly text: string };
  /** The profile dropped it since the export, and its side counts. */
  readonly dropped?: boolean;
}

/**
 * Joins two edits of one row: a cell that one side changed takes that side's value; one that both changed is a conflict, unless `side`
 * decides. A row without the mark of an export is taken as it is.
 * @param same what the profile has under the row's id, if anything
 */
export function compare(row: ImportedPart, same: object | undefined, comparing: Comparing): Compared {
  const { part, id, side } = comparing;
  const exported = readMark(row.mark, part)?.exported;
  const mark = readMark(exported && (comparing.imports[exported]?.[id] ?? row.mark), part);
  if (!mark) return { members: row.members, conflicts: [], kept: 0 };
  const next = { exported: mark.exported, text: markOf(row.members, part, mark.exported) };
  if (!same) return { ...comparedWithNothing(row, id, { mark, ...comparing }), mark: next };
  let { members } = row;
  const conflicts: CellConflict[] = [];
  let kept = 0;
  for (const [column, digest] of mark.digests) {
    const [mine, theirs] = [cellOf(row.members, column), cellOf(same, column)];
    if (mine === theirs || digestOf(theirs) === digest || column.path[0] === ID_OF[part]) continue;
    const isUntouched = digestOf(mine) === digest || !comparing.known.has(column.path.join('.'));
    if (isUntouched || side === 'profile') {
      members = withCell(members, column.path, valueAt(same, column.path));
      kept += 1;
    } else if (side === undefined) conflicts.push({ place: row.place, id, column, file: mine, profile: theirs });
  }
  return { members, conflicts, kept, mark: next };
}

const ID_OF = { claim: 'claim_id', proof: 'proof_id' } as const;

/** A row that was exported, and whose claim or proof somebody has dropped since. A copy of a row under a new id is no such row. */
function comparedWithNothing(
  { members, place }: ImportedPart,
  id: string,
  { mark, part, side }: Comparing & { readonly mark: NonNullable<ReturnType<typeof readMark>> },
): Compared {
  const column = COLUMNS.find(({ path }) => path[0] === ID_OF[part]);
  const isExported = column !== undefined && mark.digests.get(column) === digestOf(id);
  if (!isExported || side === 'file') return { members, conflicts: [], kept: 0 };
  if (side === 'profile') return { members, conflicts: [], kept: 0, dropped: true };
  return { members, conflicts: [{ place, id, file: id, profile: '' }], kept: 0 };
}

type Members = Readonly<Record<string, unknown>>;

/** Members with one cell replaced, or without it; a group that becomes empty goes as well. */
function withCell(members: Members, [name, ...rest]: readonly [string, ...string[]], value: unknown): Members {
  const { [name]: old, ...others } = members;
  const [next, ...deeper] = rest;
  const fresh = next === undefined ? value : withCell({ ...Object(old) }, [next, ...deeper], value);
  const isEmpty = fresh === undefined || (next !== undefined && Object.keys(Object(fresh)).length === 0);
  return isEmpty ? others : { ...members, [name]: fresh };
}
