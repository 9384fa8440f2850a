import * as z from 'zod';
import { type Fault, fault } from '../brand/profile/fault.ts';
import type { FindingCode } from '../brand/profile/finding-words.ts';
import { judgeDocument, MAX_PROFILE_BYTES } from '../brand/profile/profile.ts';
import { readJson } from '../brand/profile/strict-json.ts';
import { hiddenFaults } from '../brand/profile/texts.ts';
import { readKeySet } from '../brand/trust/keys.ts';
import { verifySignatures } from '../brand/trust/signature.ts';
import { claimWarnings } from './claim-warnings.ts';
import { nameFindings } from './confidential-names.ts';
import { type Draft, readDraft } from './draft.ts';
import { FIGURE_GUARDS, rivalWarnings } from './figure-warnings.ts';
import { type Guard, guardOfClaims } from './guards.ts';
import { valueAt } from './member.ts';
import { METRIC_GUARDS } from './metric-faults.ts';
import { createPlaces, segmentsOf } from './places.ts';
import { textFindings } from './text-findings.ts';
import { OWN_GUARDS, PROFILE_GUARDS } from './warnings.ts';

export interface CheckOptions {
  readonly now: Date;
  /** Bytes of the key set that the signature is held against; without one it is not looked at. */
  readonly jwks?: Uint8Array | undefined;
  /** Names that the profile may not say, as `never-publish.txt` lists them. */
  readonly neverPublish?: readonly string[] | undefined;
}

/** A fault or a warning, with the name of the claim, the proof or the question it belongs to. */
export interface Finding extends Fault {
  readonly claim_id?: string;
  readonly proof_id?: string;
  readonly question?: string;
}

export interface CheckReport {
  /** What keeps the profile from being served, in the order of the lines. */
  readonly faults: readonly Finding[];
  /** What is allowed, and seldom meant. */
  readonly warnings: readonly Finding[];
  readonly claims: number;
  readonly proofs: number;
  /** Of the profile; Spanish where it says none. */
  readonly language: string;
}

/**
 * All that can be said about a profile in one pass, whatever state it is in: syntax, shape, links, dates, signature, and
 * what an owner seldom means. Where the text stops being JSON, only what stands whole before that place is judged.
 * Never throws for what the bytes say; a key set that is none throws KeyError.
 */
export async function checkProfile(bytes: Uint8Array, options: CheckOptions): Promise<CheckReport> {
  if (bytes.length > MAX_PROFILE_BYTES)
    return report(bytes, { faults: [tooLong(bytes.length)], warnings: [] });
  const { value, faults, brokenAt } = readJson(bytes);
  const draft = readDraft(value);
  const content = contentFindings(value, options);
  const found = {
    faults: brokenAt === 0 ? [] : content.faults,
    warnings: [
      ...content.warnings,
      ...(await signatureWarnings(value, options.jwks)),
    ],
  };
  return report(bytes, { ...found, syntax: faults, brokenAt, draft, value });
}

/** What is looked for in a document that is JSON, beyond its shape. */
const GUARDS: readonly Guard[] = [
  claimWarnings,
  ...PROFILE_GUARDS,
  textFindings,
  guardOfClaims([...OWN_GUARDS, ...METRIC_GUARDS, ...FIGURE_GUARDS]),
  rivalWarnings,
  nameFindings,
];

/** What of it keeps a profile from being served: published once, a secret is everybody's. */
const FAULTS: ReadonlySet<FindingCode> = new Set([
  'secret',
  'expired',
  'listed_name',
  'figure_differs',
  'figure_unit',
]);

const isFault = ({ found }: Fault): boolean => found !== undefined && FAULTS.has(found.code);

/** What can be said at once about a document that is JSON: shape, links, dates, and what an owner seldom means. */
export function contentFindings(
  document: unknown,
  { now, neverPublish = [] }: Pick<CheckOptions, 'now' | 'neverPublish'>,
): Record<'faults' | 'warnings', Fault[]> {
  const draft = readDraft(document);
  const found = GUARDS.flatMap(guard => guard(draft, { document, now, neverPublish }));
  return {
    faults: [...judgeDocument(document).faults, ...hiddenFaults(document), ...found.filter(isFault)],
    warnings: found.filter(one => !isFault(one)),
  };
}

const tooLong = (size: number) => fault('', 'too_many_bytes', String(size), String(MAX_PROFILE_BYTES));

interface Found {
  readonly syntax?: readonly Fault[];
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
  readonly brokenAt?: number | undefined;
  readonly draft?: Draft;
  readonly value?: unknown;
}

function report(
  bytes: Uint8Array,
  { syntax = [], faults, warnings, brokenAt, draft, value }: Found,
): CheckReport {
  const place = createPlaces(new TextDecoder().decode(bytes));
  const placed = (list: readonly Fault[]): Finding[] =>
    list.flatMap(fault => {
      const { line, end } = place(fault.path);
      // What is cut off by a broken line is missing for that reason alone.
      if (brokenAt !== undefined && fault.line === undefined && end > brokenAt) return [];
      return [{ ...fault, line: fault.line ?? line, ...nameOf(value, fault.path) }];
    });
  return {
    faults: inOrder([...placed(syntax), ...placed(faults)]),
    warnings: inOrder(placed(warnings)),
    claims: draft?.claimIds.length ?? 0,
    proofs: draft?.proofs.length ?? 0,
    language: draft?.language ?? 'en',
  };
}

/** The member that names an entry of each list, and how a finding says it. */
const NAMES: Readonly<Record<string, readonly [member: string, said: string]>> = {
  claims: ['claim_id', 'claim_id'],
  proofs: ['proof_id', 'proof_id'],
  questions: ['text', 'question'],
};

function nameOf(document: unknown, path: string): Readonly<Record<string, string>> {
  const [list = '', at] = segmentsOf(path);
  const [member = '', said = ''] = NAMES[list] ?? [];
  const name = typeof at === 'number' ? valueAt(document, [list, at, member]) : undefined;
  return typeof name === 'string' ? { [said]: name } : {};
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

async function signatureWarnings(document: unknown, jwks: Uint8Array | undefined): Promise<Fault[]> {
  const { success, data } = z
    .looseObject({ signatures: z.array(z.unknown()).default([]) })
    .safeParse(document);
  if (!success) return [];
  if (data.signatures.length === 0) return [fault('signatures', 'unsigned')];
  if (!jwks) return [];
  const checks = await verifySignatures(document, await readKeySet(jwks));
  if (checks.some(({ outcome }) => outcome === 'verified')) return [];
  return [fault('signatures', 'void_signature', checks[0]?.reason ?? '')];
}
