import * as z from 'zod';
import { Claim, Proof } from '../brand/profile/schema.ts';
import { isObject } from './member.ts';
import { oncePerPart } from './once-per-part.ts';

/** A profile in any state: the parts of it that can be judged, each with its position. */
export type Draft = ReturnType<typeof readDraft>;

/** What of a document can be judged on its own: each claim and each proof that has its shape, with its position. */
export function readDraft(document: unknown) {
  const { claims, proofs, actions, ...top } = Lenient.parse(document);
  const hours = Object.values(actions).flatMap(({ enabled, reply_hours }) => (enabled ? reply_hours : []));
  const read = claims.map(claim => readClaim(isObject(claim) ? claim : {}));
  const whole = <Part>(parts: readonly (Part | undefined)[]) =>
    parts.flatMap((part, at) => (part === undefined ? [] : [{ at, part }]));
  return {
    ...top,
    /** In which the slowest form promises a reply; undefined where no form is offered. */
    replyHours: hours.length > 0 ? Math.max(...hours) : undefined,
    claims: whole(read.map(({ part }) => part)),
    proofs: whole(proofs.map(proof => readProof(isObject(proof) ? proof : {}))),
    /** Of every claim, broken ones too. */
    statements: read.map(({ statement }) => statement),
    /** Of every proof, broken ones too. */
    clients: proofs.map(proof => readClient(isObject(proof) ? proof : {})),
    /** Of every claim, broken ones too; undefined where it has none. */
    claimIds: read.map(({ claim_id }) => claim_id),
    /** Proofs that some claim names, a broken one too. */
    usedProofs: new Set(read.flatMap(({ proof_ids }) => proof_ids)),
  };
}

/** The language of a document; Spanish where it says none. */
export const languageIn = (document: unknown): string => Spoken.parse(document).language;

/** An object of members that each stand for themselves where they are missing or of another kind. */
function lenient<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const object = z.object(shape);
  return object.catch(() => object.parse({}));
}

const text = z.string().catch('');
const list = z.array(z.unknown()).catch([]);
const language = z.string().catch('es');
const Spoken = lenient({ language });
const Linking = lenient({
  claim_id: z.string().optional().catch(undefined),
  proof_ids: z.array(z.string()).catch([]),
  statement: text,
});
const Clients = lenient({ proof_id: text, client: text, confidentiality: text });
const readClaim = oncePerPart((entry: object) => ({
  part: Claim.safeParse(entry).data,
  ...Linking.parse(entry),
}));
const readProof = oncePerPart((entry: object) => Proof.safeParse(entry).data);
const readClient = oncePerPart((entry: object) => Clients.parse(entry));
const Lenient = lenient({
  ...{ language, issued_at: text, expires_at: text, description: text },
  names: z.array(z.record(z.string(), z.string())).catch([]),
  /** Address of the brand's site. */
  url: text,
  contact: lenient({ phone: text, email: z.string().optional().catch(undefined), address: text }),
  areas: z.array(z.string()).catch([]),
  colors: z.record(z.string(), z.unknown()).catch({}),
  logos: z.array(lenient({ url: text })).catch([]),
  privacy_policy_url: z.unknown().optional(),
  ...{ claims: list, proofs: list },
  /** The contract's 48 hours where an action says none. */
  actions: z
    .record(z.string(), lenient({ enabled: z.boolean().catch(false), reply_hours: z.number().catch(48) }))
    .catch({}),
});
