import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Claim, Proof } from '../brand/profile/schema.ts';
import { COLUMNS } from './columns.ts';
import { put, valueAt } from './member.ts';
import { type Row, readSheet, type Sheet, writeSheet } from './sheet.ts';

/** What an import does to a profile. */
export interface Merged {
  /** The profile with the claims and proofs of the sheet first, in its order. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly added: number;
  readonly changed: number;
  /** Ids of the profile's claims that the sheet does not have. */
  readonly absent: readonly string[];
  /** How many claims and proofs got an id here, since the sheet has none for them. */
  readonly named: number;
}

interface MergeOptions {
  /** Claims and proofs that the sheet does not have are dropped. */
  readonly replace?: boolean | undefined;
  /** Whether a claim of the profile is one that `aval init` wrote: those give way. */
  readonly isExample: (id: string) => boolean;
}

const Members = z.record(z.string(), z.unknown());
type Members = z.infer<typeof Members>;
const list = z.array(Members).catch([]);
const Document = z.looseObject({
  claims: list,
  proofs: list,
  language: z.string().optional().catch(undefined),
});

/**
 * Puts what a sheet says into a profile. A claim is known again by its id, or by its statement where the sheet has no ids, and
 * keeps its id. What the sheet has no column for stays as it was, and so does what it says as an export says it.
 */
export function mergeInto(existing: unknown, sheet: Sheet, options: MergeOptions): Merged {
  const document = Document.parse(existing);
  const { claims: oldClaims, proofs: oldProofs, language = 'es' } = document;
  const written = writeSheet({ claims: oldClaims, proofs: oldProofs, language });
  const exported = readSheet(new TextEncoder().encode(written), language);
  /** Rows of an export, by the position of their part; a part that says nothing has none. */
  const rowsOf = (rows: readonly Row[], first: number) =>
    new Map(rows.map(({ row, members }) => [row - first, members] as const));
  const known = new Set(sheet.headings.keys());
  // A sheet of claims alone says nothing of proofs.
  const replace = options.replace && sheet.proofs.length > 0;
  const proofs = mergeParts(oldProofs, sheet.proofs, {
    ...{ ...options, ...PROOFS, known, replace },
    told: rowsOf(exported.proofs, 2 + oldClaims.length),
  });
  const claims = mergeParts(oldClaims, sheet.claims, {
    ...{ ...options, ...CLAIMS, known },
    told: rowsOf(exported.claims, 2),
  });
  const { added, changed, absent } = claims;
  const merged = { ...document, claims: claims.parts, proofs: proofs.parts };
  return { document: merged, added, changed, absent, named: claims.named + proofs.named };
}

const CLAIMS = {
  part: 'claim',
  id: 'claim_id',
  text: 'statement',
  prefix: 'clm',
  /** What a claim must have, though a sheet says nothing of it. */
  empty: { proof_ids: [] },
  order: Object.keys(Claim.shape),
} as const;
const PROOFS = {
  part: 'proof',
  id: 'proof_id',
  text: 'title',
  prefix: 'prf',
  empty: {},
  order: Object.keys(Proof.shape),
} as const;

type PartOptions = MergeOptions &
  (typeof CLAIMS | typeof PROOFS) & {
    /** Paths that the sheet has a column for. */
    readonly known: ReadonlySet<string>;
    /** What an export says of each part, by its position. */
    readonly told: ReadonlyMap<number, Members>;
  };

function mergeParts(existing: readonly Members[], rows: readonly Row[], options: PartOptions) {
  const { id, text, prefix, empty, order, replace, isExample, told } = options;
  const counts = { added: 0, changed: 0, named: 0 };
  const parts = [...existing, ...rows.map(({ members }) => members)];
  const freshId = createIds(prefix, new Set(parts.map(part => String(part[id]))));
  const left = new Set(existing.keys());
  const [byId, byText] = [placesOf(existing, told, id), placesOf(existing, told, text)];
  const merging = rows.map(({ members }) => {
    const places = (members[id] === undefined ? byText.get(members[text]) : byId.get(members[id])) ?? [];
    let at = places.pop();
    while (at !== undefined && !left.delete(at)) at = places.pop();
    const same = at === undefined ? undefined : existing[at];
    const merged = same ? withRow(same, members, options, told.get(at ?? -1)) : { ...members };
    if (merged === same) return same;
    if (merged[id] === undefined) {
      merged[id] = freshId(merged[text]);
      counts.named += 1;
    }
    counts[same ? 'changed' : 'added'] += 1;
    return inOrder({ ...empty, ...merged }, order);
  });
  const remaining = [...left]
    .map(at => existing[at]!)
    .filter(part => !replace && !isExample(String(part[id])));
  return { parts: [...merging, ...remaining], absent: remaining.map(part => String(part[id])), ...counts };
}

/** Where the parts with a value of a member stand, the first on top. */
function placesOf(
  existing: readonly Members[],
  told: ReadonlyMap<number, Members>,
  name: string,
): Map<unknown, number[]> {
  const places = new Map<unknown, number[]>();
  for (const [at, part] of [...existing.entries()].toReversed()) {
    const value = (told.get(at) ?? part)[name];
    const there = places.get(value);
    if (there) there.push(at);
    else places.set(value, [at]);
  }
  return places;
}

/** A part with what a row says otherwise than an export does: the part itself where that is nothing. */
function withRow(same: Members, row: Members, { part, id, known }: PartOptions, told: Members = {}): Members {
  const differing = COLUMNS.filter(
    ({ part: of, path }) =>
      of === part &&
      !(path[0] === id && row[id] === undefined) &&
      (known.has(path.join('.')) || valueAt(row, path) !== undefined) &&
      !isDeepStrictEqual(valueAt(row, path), valueAt(told, path)),
  );
  if (differing.length === 0) return same;
  return differing.reduce<Members>((value, { path }) => put(value, path, valueAt(row, path)), same);
}

function inOrder(part: Members, order: readonly string[]): Members {
  const names = new Set([...order.filter(name => part[name] !== undefined), ...Object.keys(part)]);
  return Object.fromEntries([...names].map(name => [name, part[name]]));
}

/** Makes ids that an owner recognises: `clm-` and the first words of the text. */
function createIds(prefix: string, taken: Set<string>): (text: unknown) => string {
  /** The last number that followed each beginning. */
  const numbers = new Map<string, number>();
  return text => {
    const words =
      String(text ?? '')
        .normalize('NFC')
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const base = [prefix, ...words.slice(0, 5)].join('-').slice(0, 80);
    for (let number = (numbers.get(base) ?? 0) + 1; ; number += 1) {
      const id = number === 1 ? base : `${base}-${number}`;
      if (taken.has(id)) continue;
      taken.add(id);
      numbers.set(base, number);
      return id;
    }
  };
}
