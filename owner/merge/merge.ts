import * as z from 'zod';
import type { Column } from '../exchange/columns.ts';
import type { Imported, ImportedPart } from '../exchange/imported.ts';
import { type CellConflict, compare, type Imports, type Side } from './edited-twice.ts';

/** What an import does to a profile. */
export interface Merged {
  /** The profile with the claims and proofs of the file first, in its order. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly added: number;
  readonly changed: number;
  /** Ids of the profile's claims that the file does not have. */
  readonly absent: readonly string[];
  /** How many claims and proofs got an id here, since the file has none for them. */
  readonly named: number;
  /** Cells that the file and the profile both changed since the export. */
  readonly conflicts: readonly CellConflict[];
  /** Cells that only the profile changed since the export: they stay. */
  readonly kept: number;
  /** What the exports have brought in, this file included. */
  readonly imports: Imports;
}

interface MergeOptions {
  /** Claims and proofs that the file does not have are dropped. */
  readonly replace?: boolean | undefined;
  /** Whether a claim of the profile is one that `aval init` wrote: those give way. */
  readonly isExample: (id: string) => boolean;
  /** Whose value counts in a conflict; absent: each is told. */
  readonly side?: Side | undefined;
  /** What earlier imports of the same exports have brought in. */
  readonly imports?: Imports;
}

const Members = z.record(z.string(), z.unknown());
type Members = z.infer<typeof Members>;
const Document = z.looseObject({ claims: z.array(Members).catch([]), proofs: z.array(Members).catch([]) });

/**
 * Puts what a file says into a profile. A claim is known again by its id, or by its statement where the file has no ids, and
 * keeps its id; what the file has no column for stays as it was. The signatures stay, void, until the profile is signed.
 */
export function mergeInto(existing: unknown, imported: Imported, options: MergeOptions): Merged {
  const document = Document.parse(existing);
  const columns = new Set(imported.known);
  const known = new Set(imported.known.map(path => path.split('.')[0] ?? path));
  const proofs = mergeParts(document.proofs, imported.proofs, {
    ...{ ...options, ...PROOFS, known, columns },
    // A sheet of claims alone says nothing of proofs.
    replace: options.replace && imported.proofs.length > 0,
  });
  const claims = mergeParts(document.claims, imported.claims, { ...options, ...CLAIMS, known, columns });
  return {
    document: { ...document, claims: claims.parts, proofs: proofs.parts },
    added: claims.added,
    changed: claims.changed,
    absent: claims.absent,
    named: claims.named + proofs.named,
    conflicts: [...claims.conflicts, ...proofs.conflicts],
    kept: claims.kept + proofs.kept,
    imports: withMarks(options.imports ?? {}, [...claims.marks, ...proofs.marks]),
  };
}

/** Exports that are remembered: the last ones, far more than there are editors. */
const REMEMBERED = 20;

type Mark = readonly [id: string, mark: { readonly exported: string; readonly text: string }];

function withMarks(imports: Imports, marks: readonly Mark[]): Imports {
  const all = new Map(Object.entries(imports));
  for (const exported of new Set(marks.map(([, mark]) => mark.exported))) {
    const fresh = marks.flatMap(([id, mark]) => (mark.exported === exported ? [[id, mark.text] as const] : []));
    const rows = { ...all.get(exported), ...Object.fromEntries(fresh) };
    all.delete(exported);
    all.set(exported, rows);
  }
  return Object.fromEntries([...all].slice(-REMEMBERED));
}

const CLAIMS = {
  part: 'claim' as Column['part'],
  id: 'claim_id',
  text: 'statement',
  prefix: 'clm',
  /** What a claim must have, though a sheet says nothing of it. */
  empty: { proof_ids: [] },
  order: ['claim_id', 'statement', 'category', 'metric', 'boundary', 'confidence', 'proof_ids'],
};
const PROOFS = {
  part: 'proof' as Column['part'],
  id: 'proof_id',
  text: 'title',
  prefix: 'prf',
  empty: {},
  order: ['proof_id', 'type', 'title', 'summary', 'client', 'verifiable_by', 'confidentiality'],
};

type PartOptions = MergeOptions &
  (typeof CLAIMS | typeof PROOFS) & {
    /** Members that the file knows, and its columns. */
    readonly known: ReadonlySet<string>;
    readonly columns: ReadonlySet<string>;
  };

function mergeParts(existing: readonly Members[], imported: readonly ImportedPart[], options: PartOptions) {
  const { id, text, known, columns, replace, isExample, part: kind, side, imports = {} } = options;
  const counts = { added: 0, changed: 0, named: 0, kept: 0 };
  const conflicts: CellConflict[] = [];
  const marks: Mark[] = [];
  const taken = new Set([...existing, ...imported.map(({ members }) => members)].map(part => String(part[id])));
  const left = new Set(existing);
  const parts = imported.flatMap(row => {
    const same = [...left].find(part =>
      row.members[id] === undefined ? part[text] === row.members[text] : part[id] === row.members[id],
    );
    if (same) left.delete(same);
    const partId = String(same?.[id] ?? row.members[id] ?? '');
    const { members, ...compared } = compare(row, same, { part: kind, id: partId, imports, side, known: columns });
    if (compared.dropped) return [];
    conflicts.push(...compared.conflicts);
    counts.kept += compared.kept;
    if (compared.mark) marks.push([partId, compared.mark]);
    const kept = Object.entries(same ?? {}).filter(([name]) => !known.has(name) || name === id);
    const merged: Members = { ...options.empty, ...Object.fromEntries(kept), ...members };
    if (merged[id] === undefined) {
      merged[id] = freshId(merged[text], { prefix: options.prefix, taken });
      counts.named += 1;
    }
    const ordered = inOrder(merged, options.order);
    if (!same) counts.added += 1;
    else if (JSON.stringify(inOrder(same, options.order)) !== JSON.stringify(ordered)) counts.changed += 1;
    return [ordered];
  });
  const remaining = [...left].filter(part => !replace && !isExample(String(part[id])));
  return {
    parts: [...parts, ...remaining],
    absent: remaining.map(part => String(part[id])),
    ...counts,
    conflicts,
    marks,
  };
}

function inOrder(part: Members, order: readonly string[]): Members {
  const names = [
    ...order.filter(name => part[name] !== undefined),
    ...Object.keys(part).filter(name => !order.includes(name)),
  ];
  return Object.fromEntries(names.map(name => [name, part[name]]));
}

/** `clm-` and the first words of the text: an id that its owner recognises. */
function freshId(text: unknown, { prefix, taken }: { prefix: string; taken: Set<string> }): string {
  const words =
    String(text ?? '')
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const base = [prefix, ...words.slice(0, 5)].join('-').slice(0, 80);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}
