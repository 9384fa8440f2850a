import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Claim, Proof } from '../brand/profile/schema.ts';
import { sheetColumns } from './columns.ts';
import { type Members, put, valueAt } from './member.ts';
import { languageOf, questionsByClaim, type Row, readSheet, type Sheet, writeSheet } from './sheet.ts';

/** What an import does to a profile. */
export interface Merged {
  /** The profile with the claims and proofs of the sheet first, in its order. */
  readonly document: Members;
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

const list = z.array(z.record(z.string(), z.unknown())).catch([]);
const Document = z.looseObject({
  claims: list,
  proofs: list,
  questions: list,
  language: z.string().catch('es'),
});

/**
 * Puts what a sheet says into a profile. A claim is recognised by its id, or by its statement where the sheet has no ids, and
 * keeps its id. What the sheet has no column for stays as it was, and so does what it says as an export says it.
 */
export function mergeInto(existing: unknown, sheet: Sheet, options: MergeOptions): Merged {
  const { claims: oldClaims, proofs: oldProofs, questions, language } = Document.parse(existing);
  const document = z.record(z.string(), z.unknown()).parse(existing);
  // What an export of the profile says: a cell that says the same changes nothing.
  const text = writeSheet({ claims: oldClaims, proofs: oldProofs, questions, language });
  const exported = readSheet(new TextEncoder().encode(text));
  const claims = mergeParts(oldClaims, sheet.claims, {
    ...options,
    ...CLAIMS,
    headings: sheet.headings,
    exported: byPosition(exported.claims, 2),
  });
  const proofs = mergeParts(oldProofs, sheet.proofs, {
    ...options,
    ...PROOFS,
    // A sheet of claims alone says nothing of proofs.
    replace: options.replace && sheet.proofs.length > 0,
    headings: sheet.headings,
    exported: byPosition(exported.proofs, 2 + oldClaims.length),
  });
  const newQuestions = mergeQuestions(questions, claims.parts, { sheet, language });
  const { added, changed, absent } = claims;
  return {
    document: {
      ...document,
      claims: claims.parts,
      proofs: proofs.parts,
      ...((newQuestions.length > 0 || 'questions' in document) && { questions: newQuestions }),
    },
    added,
    changed,
    absent,
    named: claims.named + proofs.named,
  };
}

/** Rows of an export by the position of their part in the profile; a part that says nothing has none. */
const byPosition = (rows: readonly Row[], firstRow: number): ReadonlyMap<number, Members> =>
  new Map(rows.map(({ row, members }) => [row - firstRow, members]));

const CLAIMS = {
  part: 'claim',
  id: 'claim_id',
  text: 'statement',
  prefix: 'clm',
  /** What a claim must have, though a sheet says nothing of it. */
  defaults: { proof_ids: [] },
  order: Object.keys(Claim.shape),
} as const;
const PROOFS = {
  part: 'proof',
  id: 'proof_id',
  text: 'title',
  prefix: 'prf',
  defaults: {},
  order: Object.keys(Proof.shape),
} as const;

type PartOptions = MergeOptions &
  (typeof CLAIMS | typeof PROOFS) & {
    /** Headings of the sheet by the path that each has a column for. */
    readonly headings: ReadonlyMap<string, string>;
    /** What an export says of each part, by its position. */
    readonly exported: ReadonlyMap<number, Members>;
  };

function mergeParts(existing: readonly Members[], rows: readonly Row[], options: PartOptions) {
  const { id, text, prefix, defaults, order, replace, isExample, exported } = options;
  const counts = { added: 0, changed: 0, named: 0 };
  const all = [...existing, ...rows.map(({ members }) => members)];
  const freshId = createIds(prefix, new Set(all.map(part => String(part[id]))));
  const left = new Set(existing.keys());
  const byId = positionsBy(existing, exported, id);
  const byText = positionsBy(existing, exported, text);
  const merged = rows.map(({ members }) => {
    const positions = members[id] === undefined ? byText.get(members[text]) : byId.get(members[id]);
    let position = positions?.pop();
    while (position !== undefined && !left.delete(position)) position = positions?.pop();
    const old = position === undefined ? undefined : existing[position];
    const part = old ? withRow(old, members, exported.get(position ?? -1) ?? {}, options) : { ...members };
    if (part === old) return old;
    if (part[id] === undefined) {
      part[id] = freshId(part[text]);
      counts.named += 1;
    }
    counts[old ? 'changed' : 'added'] += 1;
    return inOrder({ ...defaults, ...part }, order);
  });
  const remaining = [...left]
    .map(position => existing[position]!)
    .filter(part => !replace && !isExample(String(part[id])));
  return {
    parts: [...merged, ...remaining],
    absent: remaining.map(part => String(part[id])),
    ...counts,
  };
}

/** The positions of the parts with a value of a member, the first last, for `pop`. */
function positionsBy(
  existing: readonly Members[],
  exported: ReadonlyMap<number, Members>,
  name: string,
): Map<unknown, number[]> {
  const positions = new Map<unknown, number[]>();
  for (const [position, part] of [...existing.entries()].toReversed()) {
    const value = (exported.get(position) ?? part)[name];
    positions.set(value, [...(positions.get(value) ?? []), position]);
  }
  return positions;
}

/** A part with what a row says otherwise than an export does: the part itself where that is nothing. */
function withRow(
  old: Members,
  row: Members,
  exported: Members,
  { part, id, headings }: PartOptions,
): Record<string, unknown> {
  const differing = sheetColumns([]).filter(
    column =>
      column.part === part &&
      !(column.path[0] === id && row[id] === undefined) &&
      (headings.has(column.path.join('.')) || valueAt(row, column.path) !== undefined) &&
      !isDeepStrictEqual(valueAt(row, column.path), valueAt(exported, column.path)),
  );
  return differing.reduce((value, { path }) => put(value, path, valueAt(row, path)), old);
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

interface QuestionOptions {
  readonly sheet: Sheet;
  /** Of the profile. */
  readonly language: string;
}

/**
 * The questions with those of the sheet in place of the ones that it has a column for. Questions of claims that are gone go, so
 * that no link leads nowhere.
 */
function mergeQuestions(
  old: readonly Members[],
  claims: readonly Members[],
  { sheet, language }: QuestionOptions,
): Members[] {
  const oldTexts = questionsByClaim(old, language);
  const ids = new Set(claims.map(claim => claim.claim_id));
  const replaced = new Set<string>();
  const added: Members[] = [];
  for (const [index, { questions }] of sheet.claims.entries()) {
    // The merged claims begin with those of the sheet, in its order.
    const id = claims[index]?.claim_id;
    for (const tag of sheet.questionLanguages) {
      const texts = questions[tag] ?? [];
      if (isDeepStrictEqual(texts, oldTexts.get(id)?.[tag] ?? [])) continue;
      replaced.add(`${tag} ${id}`);
      added.push(...texts.map(text => ({ text, language: tag, claim_id: id })));
    }
  }
  const kept = old.filter(
    question =>
      ids.has(question.claim_id) && !replaced.has(`${languageOf(question, language)} ${question.claim_id}`),
  );
  return [...kept, ...added];
}
