import type * as z from 'zod';
import { ProfileError, readProfile } from '../../brand/profile/profile.ts';
import type { Profile } from '../../brand/profile/schema.ts';
import { addToKeySet, type PrivateKey, readPrivateKey } from '../../brand/trust/keys.ts';
import { signDocument } from '../../brand/trust/signature.ts';

export const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** The private key of RFC 7515, appendix A.3: known to all, so it protects nothing. */
export const ES256_KEY = await readPrivateKey(
  bytesOf({
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
  }),
);

/** The private key of RFC 8037, appendix A.1. */
export const EDDSA_KEY = await readPrivateKey(
  bytesOf({
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  }),
);

/** A moment within the time of `PROFILE`. */
export const NOW = new Date('2026-06-01T12:00:00Z');

export const PROFILE: z.input<typeof Profile> = {
  profile: 'brand-profile/1',
  id: 'brand',
  names: [{ en: 'The Brand' }],
  url: 'https://brand.example',
  language: 'en',
  description: 'A consultancy for makers of packaged food.',
  issued_at: '2026-01-01T00:00:00Z',
  expires_at: '2027-01-01T00:00:00Z',
  claims: [
    {
      claim_id: 'clm-margin',
      statement: 'We raise the gross margin by 3.4 points.',
      category: 'prices',
      metric: {
        name: 'gross_margin',
        value: 3.4,
        unit: 'points',
        window: '12 months',
        baseline: 'the year before',
        n: 27,
      },
      boundary: {
        applicable_for: 'Makers of packaged food.',
        not_applicable_for: 'Traders of raw materials.',
      },
      confidence: 'high',
      proof_ids: ['prf-panel', 'prf-case'],
    },
    {
      claim_id: 'clm-price',
      statement: 'A first diagnosis costs 0 euros.',
      category: 'terms',
      boundary: {
        applicable_for: 'Companies with a year of sales data.',
        not_applicable_for: 'Private persons.',
      },
      confidence: 'medium',
      proof_ids: [],
    },
  ],
  proofs: [
    {
      proof_id: 'prf-panel',
      type: 'panel',
      title: 'Margins of 27 clients',
      summary: 'Audited accounts before and after.',
      client: '27 makers of food, Spain',
      verifiable_by: 'The auditor, on request',
      confidentiality: 'anonymised',
    },
    {
      proof_id: 'prf-case',
      type: 'case',
      title: 'A case in public',
      summary: 'What was done, and what came of it.',
      client: 'Salsas Doña Cuca',
      verifiable_by: 'The client',
      confidentiality: 'public',
    },
  ],
  questions: [
    { text: 'How much more margin do I get?', claim_id: 'clm-margin' },
    { text: 'What does the first look cost?', claim_id: 'clm-price' },
  ],
};

/** What an owner writes for an action. */
export const WORDS = {
  title: 'Write to us',
  purpose: 'Tell us about your case.',
  context: 'What happened, and when.',
  thanks: 'We have received your message.',
};

export async function signedBytes(
  document: object = PROFILE,
  keys: readonly PrivateKey[] = [ES256_KEY],
): Promise<Uint8Array> {
  const signatures = await Promise.all(keys.map(key => signDocument(document, key)));
  return bytesOf({ ...document, signatures });
}

export const keySet = async (...keys: readonly PrivateKey[]) => Buffer.from(await addToKeySet(keys));

/** The faults of a profile that differs from the good one, as `path: message`. */
export function faultsOf(changes: object): string[] {
  try {
    readProfile(bytesOf({ ...PROFILE, ...changes }));
  } catch (error) {
    if (error instanceof ProfileError) return error.message.split('\n');
    throw error;
  }
  return [];
}
