import * as z from 'zod';
import { type Fault, fault } from '../brand/profile/fault.ts';
import { judgeDocument, MAX_PROFILE_BYTES } from '../brand/profile/profile.ts';
import { Claim, Proof } from '../brand/profile/schema.ts';
import { readJson } from '../brand/profile/strict-json.ts';
import type { Embedder } from '../brand/retrieval/embedder.ts';
import type { RetrievalModel } from '../brand/retrieval/model.ts';
import { readKeySet } from '../brand/trust/keys.ts';
import { verifySignatures } from '../brand/trust/signature.ts';
import { nameFindings } from './confidential-names.ts';
import { metricFindings } from './metric-faults.ts';
import { duplicateWarnings } from './near-duplicates.ts';
import { oncePerPart } from './once-per-part.ts';
import { createPlaces } from './places.ts';
import { questionWarnings } from './question-warnings.ts';
import {
  claimWarnings,
  colorWarnings,
  type Draft,
  dateFindings,
  emailWarnings,
  languageWarnings,
  phoneWarnings,
  privacyWarnings,
  proofWarnings,
  replyWarnings,
  textFindings,
} from './warnings.ts';

export interface CheckOptions {
  readonly now: Date;
  /** Finds claims that say the same; without one they are not looked for. */
  readonly embedder?: Embedder | undefined;
  /** Loads what answers questions; without it the questions of the profile are not asked. */
  readonly model?: (() => Promise<RetrievalModel>) | undefined;
  /** Bytes of the key set that the signature is held against; without one it is not looked at. */
  readonly jwks?: Uint8Array | undefined;
  /** Names that the profile may not say, as `never-publish.txt` lists them. */
  readonly neverPublish?: readonly string[] | undefined;
}

/** A fault or a warning, with the claim it belongs to. */
export interface Finding extends Fault {
  readonly claim_id?: string;
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
  if (bytes.length > MAX_PROFILE_BYTES) return report(bytes, { faults: [tooLong(bytes.length)], warnings: [] });
  const { value, faults, brokenAt } = readJson(bytes);
  const draft = readDraft(value);
  const content = contentFindings(value, draft, options);
  const found = {
    faults: brokenAt === 0 ? [] : content.faults,
    warnings: [
      ...content.warnings,
      ...(await signatureWarnings(value, options.jwks)),
      ...(options.embedder ? await duplicateWarnings(draft, options.embedder) : []),
      ...(options.model ? await askedWarnings(value, options.model) : []),
    ],
  };
  return report(bytes, { ...found, syntax: faults, brokenAt, draft });
}

/** Only a whole profile answers questions. */
async function askedWarnings(value: unknown, model: () => Promise<RetrievalModel>): Promise<Fault[]> {
  const { profile, faults } = judgeDocument(value);
  return profile && faults.length === 0 ? questionWarnings(profile, model) : [];
}

/** What can be said at once about a document that is JSON: shape, links, dates, and what an owner seldom means. */
export function contentFindings(
  value: unknown,
  draft: Draft,
  { now, neverPublish = [] }: Pick<CheckOptions, 'now' | 'neverPublish'>,
): Record<'faults' | 'warnings', Fault[]> {
  const dates = dateFindings(draft, now);
  const texts = textFindings(value);
  const names = nameFindings(value, neverPublish);
  const figures = draft.claims.map(({ at, part }) => metricFindings(part, at, draft.language));
  return {
    faults: [
      ...judgeDocument(value).faults,
      ...texts.filter(isSecret),
      ...dates.faults,
      ...names.faults,
      ...figures.flatMap(({ faults }) => faults),
    ],
    warnings: [
      ...claimWarnings(draft, now),
      ...proofWarnings(draft),
      ...colorWarnings(draft),
      ...privacyWarnings(draft),
      ...languageWarnings(draft),
      ...texts.filter(text => !isSecret(text)),
      ...emailWarnings(draft),
      ...phoneWarnings(draft),
      ...replyWarnings(draft),
      ...dates.warnings,
      ...names.warnings,
      ...figures.flatMap(({ warnings }) => warnings),
    ],
  };
}

/** Published once, it is everybody's. */
const isSecret = ({ found }: Fault): boolean => found?.code === 'secret';

const tooLong = (size: number) => fault('', 'too_many_bytes', String(size), String(MAX_PROFILE_BYTES));

interface Found {
  readonly syntax?: readonly Fault[];
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
  readonly brokenAt?: number | undefined;
  readonly draft?: Draft;
}

function report(bytes: Uint8Array, { syntax = [], faults, warnings, brokenAt, draft }: Found): CheckReport {
  const place = createPlaces(new TextDecoder().decode(bytes));
  const placed = (list: readonly Fault[]): Finding[] =>
    list.flatMap(fault => {
      const { line, end } = place(fault.path);
      const claim_id = draft?.claimIds[Number(/^claims\[(\d+)\]/.exec(fault.path)?.[1] ?? -1)];
      // What is cut off by a broken line is missing for that reason alone.
      if (brokenAt !== undefined && fault.line === undefined && end > brokenAt) return [];
      return [{ ...fault, line: fault.line ?? line, ...(claim_id !== undefined && { claim_id }) }];
    });
  return {
    faults: inOrder([...placed(syntax), ...placed(faults)]),
    warnings: inOrder(placed(warnings)),
    claims: draft?.claimIds.length ?? 0,
    proofs: draft?.proofs.length ?? 0,
    language: draft?.language ?? 'en',
  };
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** What of a document can be judged on its own: each claim and each proof that has its shape, with its position. */
export function readDraft(document: unknown): Draft {
  const { claims, proofs, contact, actions, ...top } = Lenient.parse(document);
  const hours = Object.values(actions).flatMap(({ enabled, reply_hours }) => (enabled ? reply_hours : []));
  const read = claims.map(claim => (isObject(claim) ? readClaim(claim) : NO_CLAIM));
  const whole = <Part>(parts: readonly (Part | undefined)[]) =>
    parts.flatMap((part, at) => (part === undefined ? [] : [{ at, part }]));
  return {
    ...top,
    phone: contact.phone,
    email: contact.email,
    replyHours: hours.length > 0 ? Math.max(...hours) : undefined,
    claims: whole(read.map(({ part }) => part)),
    proofs: whole(proofs.map(proof => (isObject(proof) ? readProof(proof) : undefined))),
    claimIds: read.map(({ id }) => id),
    usedProofs: new Set(read.flatMap(({ proofIds }) => proofIds)),
  };
}

/** The names of the brand that a document says, whatever state it is in. */
export const namesIn = (document: unknown): string[] =>
  Names.parse(document).names.flatMap(name => Object.values(name));

const NO_CLAIM = { part: undefined, id: undefined, proofIds: [] };
const readClaim = oncePerPart((entry: object) => ({
  part: Claim.safeParse(entry).data,
  id: Named.safeParse(entry).data?.claim_id,
  proofIds: Linked.safeParse(entry).data?.proof_ids ?? [],
}));
const readProof = oncePerPart((entry: object) => Proof.safeParse(entry).data);
const isObject = (entry: unknown) => typeof entry === 'object' && entry !== null;

const Names = z.object({ names: z.array(z.record(z.string(), z.string())).catch([]) }).catch({ names: [] });
const Named = z.looseObject({ claim_id: z.string() });
const Linked = z.looseObject({ proof_ids: z.array(z.string()) });
const text = z.string().optional().catch(undefined);
const list = z.array(z.unknown()).catch([]);
const members = z.record(z.string(), z.unknown()).catch({});
const language = z.string().catch('es');
const Contact = z.object({ phone: z.string().catch(''), email: z.string().catch('') }).catch({ phone: '', email: '' });
/** The contract's 48 hours where an action says none. */
const Action = z
  .object({ enabled: z.boolean(), reply_hours: z.number().catch(48) })
  .catch({ enabled: false, reply_hours: 48 });
const Actions = z.record(z.string(), Action).catch({});
const Lenient = z
  .object({
    ...{ issued_at: text, expires_at: text, language, claims: list, proofs: list },
    url: z.string().catch(''),
    ...{ colors: members, privacy_policy_url: z.unknown().optional(), contact: Contact, actions: Actions },
  })
  .catch({
    language: 'es',
    colors: {},
    claims: [],
    proofs: [],
    contact: { phone: '', email: '' },
    actions: {},
    url: '',
  });

async function signatureWarnings(document: unknown, jwks: Uint8Array | undefined): Promise<Fault[]> {
  const { success, data } = z.looseObject({ signatures: z.array(z.unknown()).default([]) }).safeParse(document);
  if (!success) return [];
  if (data.signatures.length === 0) return [fault('signatures', 'unsigned')];
  if (!jwks) return [];
  const checks = await verifySignatures(document, await readKeySet(jwks));
  if (checks.some(({ outcome }) => outcome === 'verified')) return [];
  return [fault('signatures', 'void_signature', checks[0]?.reason ?? '')];
}
