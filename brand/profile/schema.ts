import * as z from 'zod';
import { Actions, languageTag, MAX_TEXT, Question, text } from './action-schema.ts';
import { isWebAddress } from './web-address.ts';

/** The format of profiles that this version reads. */
export const PROFILE_FORMAT = 'brand-profile/1';

const id = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u, 'id_form')
  .max(100);

// Callers read each `description` too (OpenAPI). `advice` is for authors alone (profileJsonSchema).

/** The figure behind a claim: over which time, compared with what, from how many cases. */
export const Metric = z.strictObject({
  name: text(120).meta({ description: 'What was measured.', advice: 'Use the word that people use.' }),
  value: z.union([z.number(), text(120)]).describe('The figure: a number, else a text.'),
  unit: text(120).describe('Unit of the figure, which says nothing alone.').optional(),
  window: text(300).describe('The time over which it was measured.').optional(),
  baseline: z
    .union([z.number(), text(300)])
    .describe('What it is compared with: a number or a text.')
    .optional(),
  n: z
    .number()
    .int()
    .nonnegative()
    .meta({ description: 'Number of cases.', advice: '27 convinces more than many.' })
    .optional(),
});

/** Where a claim applies and where it does not. */
export const Boundary = z.strictObject({
  applicable_for: text(MAX_TEXT).describe('Where the claim applies: for whom, under which condition.'),
  not_applicable_for: text(MAX_TEXT).meta({
    description: 'Where the claim does not apply.',
    advice: 'Name whom you would send away.',
  }),
});

export const Claim = z.strictObject({
  claim_id: id.describe('Names the claim. Keep it when the words change.'),
  statement: text(MAX_TEXT).describe('What the brand says, word for word: thing, figure and time.'),
  category: text(120).describe('What the claim is about. It groups claims for readers.'),
  metric: Metric.describe('Makes the figure checkable.').optional(),
  boundary: Boundary.describe('An agent may use the claim only inside it.'),
  confidence: text(40).meta({
    description: 'How sure the brand is: high, medium or low.',
    advice: 'High wants a proof.',
  }),
  proof_ids: z.array(id).max(50).describe('Ids of the proofs behind the claim; [] where there is none.'),
});

export const Proof = z.strictObject({
  proof_id: id.describe('Names the proof. Claims refer to it.'),
  type: text(80).describe('Kind of proof: case_study, audit, certificate, dataset, reference…'),
  title: text(300).describe('Title of the proof, which readers see first.'),
  summary: text(MAX_TEXT).describe('What it shows, in one or two sentences.'),
  client: text(300).meta({
    description: 'Whose case it is.',
    advice: 'Name the client only where the proof is public, else describe it.',
  }),
  verifiable_by: text(500).describe('Who can check it for a stranger, and how.'),
  confidentiality: z
    .enum(['public', 'anonymised', 'on_request', 'confidential'])
    .describe('Who may see the proof.'),
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
  profile: z.literal(PROFILE_FORMAT).describe('The format, always this text.'),
  id: z
    .string()
    .regex(/^[a-z0-9_]+$/, 'brand_id_form')
    .describe('Names the brand. Never change it.'),
  names: z.array(localName).min(1).max(100).describe('Name of the brand, by language.'),
  url: z
    .string()
    .max(2000)
    .refine(isWebAddress, 'web_address')
    .describe('Web address of the brand. The signature counts on this host alone.'),
  language: languageTag.default('es').describe('Language of the claims and of the pages.'),
  description: text(MAX_TEXT).describe('The brand in two sentences, to introduce it.').optional(),
  issued_at: dateTime.describe('When the profile begins to be valid: nothing is answered before.'),
  expires_at: dateTime.describe('When it ends: nothing is answered after. A year is usual.'),
  claims: z.array(Claim).min(1).max(20_000).describe('The claims: only these are answered.'),
  proofs: z.array(Proof).max(20_000).describe('The proofs, to which claims refer.'),
  actions: Actions.describe(
    'What people can send to the team, by the name of its tool. What it leaves out is off. ' +
      "Without it: the contract's two.",
  ).optional(),
  questions: z
    .array(Question)
    .max(100_000)
    .describe('Questions that people ask, two for each claim and language. Twelve of a claim are searched.')
    .optional(),
  signatures: z.array(Signature).max(10).describe('Signatures; any change voids them.').optional(),
});

export type Metric = z.infer<typeof Metric>;
export type Boundary = z.infer<typeof Boundary>;
export type Claim = z.infer<typeof Claim>;
export type Proof = z.infer<typeof Proof>;
export type Signature = z.infer<typeof Signature>;
export type Profile = z.infer<typeof Profile>;
