import { renderFault } from '../../brand/profile/fault.ts';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { openModel } from '../../brand/retrieval/model.ts';
import { proveAnswer } from '../../brand/trust/prove-answer.ts';
import { readConfig } from '../config/config.ts';
import { untilExpiry } from '../run/expiry.ts';
import { loadBrand, readBrandFile } from '../run/load-brand.ts';
import type { Settings } from './create-server.ts';
import { readSource, type SourceOptions } from './profile-source.ts';

/** A profile that answers questions, without a server. */
export interface OpenedBrand extends Brand {
  /** A signature was verified with the keys of BRAND_JWKS. */
  readonly verified: boolean;
  /** Warnings for the owner, a sentence each. */
  readonly warnings: readonly string[];
  /** Frees the encoder's threads and memory. Later questions are refused. */
  readonly close: () => Promise<void>;
}

/**
 * Loads a profile, verifies it and makes it answer questions.
 * @param settings BRAND_JWKS names the public keys: with them a bad signature or another host (BASE_URL) is
 * refused. EMBEDDING_MODEL is a setting too
 * @throws Error with every fault of the file, or the reason against its signature
 * @example
 * const brand = await openBrand('brand.json', { BRAND_JWKS: 'brand.jwks.json' });
 * const { matches } = await brand.ask('What does the diagnostic cost?');
 */
export async function openBrand(file: string, settings: Settings = {}): Promise<OpenedBrand> {
  const config = readConfig({ ...settings, BRAND_FILE: file });
  const reading = readBrandFile(config);
  const { verified, warnings } = await reading;
  const model = await openModel(config.embedding);
  const brand = await loadBrand(config, () => {}, { reading, model });
  const close = () => model.embedder.close();
  return { ...untilExpiry(brand, Date.now), verified, warnings, close };
}

/** Whether a signed profile has an answer verbatim. */
export interface AnswerProof {
  /** The profile is verified and has every match of the answer, and the answer has a match. */
  readonly verified: boolean;
  /** Matches compared, up to the first difference. */
  readonly matches: number;
  /** The reasons against it, a sentence each. Empty if verified. */
  readonly reasons: readonly string[];
  /** Thumbprints of the keys that signed the profile. */
  readonly kids: readonly string[];
}

/**
 * Proves an answer of any Aval server, as `aval verify` does: each claim, boundary, metric and proof must
 * equal the profile's. Nobody signs the question and the similarities, so only their form and the order are
 * checked.
 * @param answer the body of /ask, or `structuredContent` of an MCP result as JSON: bytes or text
 * @param source the profile: a file, or the address of its host, which publishes the keys too
 * @throws Error if profile or keys cannot be read
 * @example
 * const { verified, reasons } = await verifyAnswer(bodyOfAsk, 'https://acme.example');
 */
export async function verifyAnswer(
  answer: Uint8Array | string,
  source: string,
  options: SourceOptions = {},
): Promise<AnswerProof> {
  const bytes = typeof answer === 'string' ? new TextEncoder().encode(answer) : answer;
  const { profile, answer: verdict } = await proveAnswer(bytes, await readSource(source, options));
  const { matches, difference } = verdict;
  const against = [...profile.reasons, ...(difference ? [difference] : [])].map(renderFault);
  const reasons =
    against.length === 0 && matches === 0 ? ['the answer has no match, and claims nothing'] : against;
  return { verified: reasons.length === 0, matches, reasons, kids: profile.kids };
}
