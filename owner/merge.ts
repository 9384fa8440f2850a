import * as z from 'zod';
import type { Row, Sheet } from './sheet.ts';

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
const Document = z.looseObject({ claims: z.array(Members).catch([]), proofs: z.array(Members).catch([]) });

/**
 * Puts what a sheet says into a profile. A claim is known again by its id, or by its statement where the sheet has no ids, and
 * keeps its id; what the sheet has no column for stays as it was.
 */
export function mergeInto(existing: unknown, sheet: Sheet, options: MergeOptions): Merged {
  const document = Document.parse(existing);
  const known = new Set([...sheet.headings.keys()].map(path => path.split('.')[0] ?? path));
  // A sheet of claims alone says nothing of proofs.
  const replace = options.replace && sheet.proofs.length > 0;
  const proofs = mergeParts(document.proofs, sheet.proofs, { ...options, ...PROOFS, known, replace });
  const claims = mergeParts(document.claims, sheet.claims, { ...options, ...CLAIMS, known });
  const { added, changed, absent } = claims;
  const merged = { ...document, claims: claims.parts, proofs: proofs.parts };
  return { document: merged, added, changed, absent, named: claims.named + proofs.named };
}

const CLAIMS = {
  id: 'claim_id',
  text: 'statement',
  prefix: 'clm',
  /** What a claim must have, though a sheet says nothing of it. */
  empty: { proof_ids: [] },
  order: ['claim_id', 'statement', 'category', 'metric', 'boundary', 'confidence', 'proof_ids'],
};
const PROOFS = {
  id: 'proof_id',
  text: 'title',
  prefix: 'prf',
  empty: {},
  order: ['proof_id', 'type', 'title', 'summary', 'client', 'verifiable_by', 'confidentiality'],
};

type PartOptions = MergeOptions & (typeof CLAIMS | typeof PROOFS) & { readonly known: ReadonlySet<string> };

function mergeParts(existing: readonly Members[], rows: readonly Row[], options: PartOptions) {
  const { id, text, prefix, empty, order, known, replace, isExample } = options;
  const counts = { added: 0, changed: 0, named: 0 };
  const numbers = new Map<string, number>();
  const taken = new Set([...existing, ...rows.map(({ members }) => members)].map(part => String(part[id])));
  const left = new Set(existing);
  const [byId, byText] = [stacksOf(existing, id), stacksOf(existing, text)];
  const parts = rows.map(({ members }) => {
    const stack = members[id] === undefined ? byText.get(members[text]) : byId.get(members[id]);
    let same = stack?.pop();
    while (same && !left.delete(same)) same = stack?.pop();
    const kept = Object.entries(same ?? {}).filter(([name]) => !known.has(name) || name === id);
    const merged: Members = { ...empty, ...Object.fromEntries(kept), ...members };
    if (merged[id] === undefined) {
      merged[id] = freshId(merged[text], { prefix, taken, numbers });
      counts.named += 1;
    }
    const ordered = inOrder(merged, order);
    if (!same) counts.added += 1;
    else if (JSON.stringify(inOrder(same, order)) !== JSON.stringify(ordered)) counts.changed += 1;
    return ordered;
  });
  const remaining = [...left].filter(part => !replace && !isExample(String(part[id])));
  return { parts: [...parts, ...remaining], absent: remaining.map(part => String(part[id])), ...counts };
}

/** Parts by the value of a member, the first on top. */
function stacksOf(parts: readonly Members[], name: string): Map<unknown, Members[]> {
  const stacks = new Map<unknown, Members[]>();
  for (const part of parts.toReversed()) {
    const stack = stacks.get(part[name]);
    if (stack) stack.push(part);
    else stacks.set(part[name], [part]);
  }
  return stacks;
}

function inOrder(part: Members, order: readonly string[]): Members {
  const names = new Set([...order.filter(name => part[name] !== undefined), ...Object.keys(part)]);
  return Object.fromEntries([...names].map(name => [name, part[name]]));
}

interface Names {
  readonly prefix: string;
  readonly taken: Set<string>;
  /** The last number that followed each beginning. */
  readonly numbers: Map<string, number>;
}

/** `clm-` and the first words of the text: an id that its owner recognises. */
function freshId(text: unknown, { prefix, taken, numbers }: Names): string {
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
}
