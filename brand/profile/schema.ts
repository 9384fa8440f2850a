import * as z from 'zod';
import { Actions, languageTag, MAX_TEXT, Question, text } from './action-schema.ts';
import { isWebAddress } from './web-address.ts';

/** The format of profiles that this version reads. */
export const PROFILE_FORMAT = 'brand-profile/1';

const id = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u, 'id_form')
  .max(100);

/** The figure behind a claim: over which time, compared with what, from how many cases. */
export const Metric = z.strictObject({
  name: text(120).meta({ description: 'What was measured.' }),
  value: z.union([z.number(), text(120)]).meta({ description: 'The figure.' }),
  unit: text(120).meta({ description: 'Unit of the figure.' }).optional(),
  window: text(300).meta({ description: 'The time over which it was measured.' }).optional(),
  baseline: z
    .union([z.number(), text(300)])
    .meta({ description: 'What it is compared with.' })
    .optional(),
  n: z.number().int().nonnegative().meta({ description: 'Number of cases.' }).optional(),
});

/** Where a claim applies and where it does not. */
export const Boundary = z.strictObject({
  applicable_for: text(MAX_TEXT).meta({ description: 'Where the claim applies.' }),
  not_applicable_for: text(MAX_TEXT).meta({ description: 'Where it does not.' }),
});

export const Claim = z.strictObject({
  claim_id: id.meta({ description: 'Names the claim.' }),
  statement: text(MAX_TEXT).meta({ description: 'What the brand says, word for word.' }),
  category: text(120).meta({ description: 'What the claim is about.' }),
  metric: Metric.optional(),
  boundary: Boundary,
  confidence: text(40).meta({ description: 'How sure the brand is of the claim.' }),
  proof_ids: z.array(id).max(50).meta({ description: 'Ids of the proofs behind the claim.' }),
});

export const Proof = z.strictObject({
  proof_id: id.meta({ description: 'Names the proof.' }),
  type: text(80).meta({ description: 'Kind of proof.' }),
  title: text(300).meta({ description: 'Title of the proof.' }),
  summary: text(MAX_TEXT).meta({ description: 'What it shows.' }),
  client: text(300).meta({ description: 'Whose case it is; named only where the proof is public.' }),
  verifiable_by: text(500).meta({ description: 'How it can be checked.' }),
  confidentiality: z
    .enum(['public', 'anonymised', 'on_request', 'confidential'])
    .meta({ description: 'Who may see the proof.' }),
});

const base64url = z
  .string()
  .max(2000)
  .regex(/^[A-Za-z0-9_-]+$/, 'base64url');

/** JWS parts over the RFC 8785 bytes of the document without `signatures`. */
export const Signature = z.strictObject({ protected: base64url, signature: base64url });

const dateTime = z.iso.datetime({ offset: true, error: 'date_time' });

/** A name by its language, as in AdCP: `{ "es": "Norte Claro" }`. AdCP takes any key, `en_US` too. */
const localName = z.record(z.string(), text(200)).refine(name => Object.keys(name).length > 0, 'no_name');

/** A colour in `colors` (AdCP): `#rrggbb`, or a list, of which the first counts. */
export const Color = z
  .union([z.string(), z.array(z.string()).transform(([first]) => first)])
  .pipe(z.string().regex(/^#[\da-f]{6}$/i));

/** brand.json. Unknown members are accepted and signed. Pages read some members of AdCP, such as `colors`. */
export const Profile = z.looseObject({
  profile: z.literal(PROFILE_FORMAT).meta({ description: 'The format.' }),
  id: z
    .string()
    .regex(/^[a-z0-9_]+$/, 'brand_id_form')
    .meta({ description: 'Names the brand.' }),
  names: z.array(localName).min(1).max(100).meta({ description: 'Name of the brand, by language.' }),
  url: z
    .string()
    .max(2000)
    .refine(isWebAddress, 'web_address')
    .meta({ description: 'Web address of the brand.' }),
  language: languageTag.default('es').meta({ description: 'Language of the claims.' }),
  description: text(MAX_TEXT).meta({ description: 'The brand in two sentences.' }).optional(),
  issued_at: dateTime.meta({ description: 'When the profile begins to be valid.' }),
  expires_at: dateTime.meta({ description: 'When it ends.' }),
  claims: z.array(Claim).min(1).max(20_000).meta({ description: 'The claims.' }),
  proofs: z.array(Proof).max(20_000).meta({ description: 'The proofs.' }),
  actions: Actions.meta({
    description: 'What people can send to the team, by the name of its tool.',
  }).optional(),
  questions: z
    .array(Question)
    .max(100_000)
    .meta({ description: 'Questions that people ask. Up to twelve of a claim are searched with it.' })
    .optional(),
  signatures: z.array(Signature).max(10).meta({ description: 'Signatures of everything else.' }).optional(),
});

export type Metric = z.infer<typeof Metric>;
export type Boundary = z.infer<typeof Boundary>;
export type Claim = z.infer<typeof Claim>;
export type Proof = z.infer<typeof Proof>;
export type Signature = z.infer<typeof Signature>;
export type Profile = z.infer<typeof Profile>;
