import * as z from 'zod';
import { namesOf } from '../brand/profile/profile.ts';
import { Claim, Proof } from '../brand/profile/schema.ts';
import { oncePerPart } from './once-per-part.ts';

/** A profile in any state: the parts of it that can be judged, each with its position. */
export interface Draft {
  readonly issued_at?: string | undefined;
  readonly expires_at?: string | undefined;
  readonly language: string;
  readonly colors: Readonly<Record<string, unknown>>;
  /** Addresses; empty where one has none. */
  readonly logos: readonly string[];
  readonly privacy_policy_url?: unknown;
  /** Of the contact; empty where it has none. */
  readonly phone: string;
  readonly email: string;
  /** Address of the brand's site. */
  readonly url: string;
  /** In which the slowest form promises a reply; undefined where no form is offered. */
  readonly replyHours: number | undefined;
  readonly claims: readonly { readonly at: number; readonly part: Claim }[];
  readonly proofs: readonly { readonly at: number; readonly part: Proof }[];
  /** Of every claim, broken ones too; undefined where it has none. */
  readonly claimIds: readonly (string | undefined)[];
  /** Proofs that some claim names, a broken one too. */
  readonly usedProofs: ReadonlySet<string>;
}

/** What of a document can be judged on its own: each claim and each proof that has its shape, with its position. */
export function readDraft(document: unknown): Draft {
  const { claims, proofs, contact, actions, logos, ...top } = Lenient.parse(document);
  const hours = Object.values(actions).flatMap(({ enabled, reply_hours }) => (enabled ? reply_hours : []));
  const read = claims.map(claim => (isObject(claim) ? readClaim(claim) : NO_CLAIM));
  const whole = <Part>(parts: readonly (Part | undefined)[]) =>
    parts.flatMap((part, at) => (part === undefined ? [] : [{ at, part }]));
  return {
    ...top,
    logos: logos.map(({ url }) => url),
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
export const namesIn = (document: unknown): string[] => namesOf(Names.parse(document));

/** The language of a document; Spanish where it says none. */
export const languageIn = (document: unknown): string => Spoken.parse(document).language;

const NO_CLAIM = { part: undefined, id: undefined, proofIds: [] };
const readClaim = oncePerPart((entry: object) => ({
  part: Claim.safeParse(entry).data,
  id: Named.safeParse(entry).data?.claim_id,
  proofIds: Linked.safeParse(entry).data?.proof_ids ?? [],
}));
const readProof = oncePerPart((entry: object) => Proof.safeParse(entry).data);
const isObject = (entry: unknown) => typeof entry === 'object' && entry !== null;

const Spoken = z.object({ language: z.string().catch('es') }).catch({ language: 'es' });
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
const Logo = z.object({ url: z.string().catch('') }).catch({ url: '' });
const Actions = z.record(z.string(), Action).catch({});
const Lenient = z
  .object({
    ...{ issued_at: text, expires_at: text, language, claims: list, proofs: list },
    url: z.string().catch(''),
    logos: z.array(Logo).catch([]),
    ...{ colors: members, privacy_policy_url: z.unknown().optional(), contact: Contact, actions: Actions },
  })
  .catch({
    language: 'es',
    colors: {},
    claims: [],
    proofs: [],
    contact: { phone: '', email: '' },
    actions: {},
    logos: [],
    url: '',
  });
