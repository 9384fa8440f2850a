import { renderFault } from '../../brand/profile/fault.ts';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { openModel } from '../../brand/retrieval/model.ts';
import { proveAnswer } from '../../brand/trust/prove-answer.ts';
import { readConfig } from '../config/config.ts';
import { brandInUse } from '../run/brand-in-use.ts';
import { loadBrand, readBrandFile } from '../run/load-brand.ts';
import { readSource, type SourceOptions } from '../run/profile-source.ts';
import type { Settings } from './create-server.ts';

/** A profile that can be asked, without a server. */
export interface OpenedBrand extends Brand {
  /** A signature was verified with the keys of BRAND_JWKS. */
  readonly verified: boolean;
  /** What its owner should know, a sentence each. */
  readonly warnings: readonly string[];
  /** Frees the encoder's threads and memory. A question that is asked afterwards is refused. */
  readonly close: () => Promise<void>;
}

/**
 * Loads a profile, verifies it and makes it answer questions.
 * @param settings BRAND_JWKS names the public keys: with them a bad signature or a foreign host (BASE_URL) is
 * refused. EMBEDDING_MODEL and the like are settings too
 * @throws Error naming every fault of the file, or why its signature is not good
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
  return { ...brandInUse(brand, { now: () => new Date() }), verified, warnings, close };
}

/** Whether an answer stands verbatim in a signed profile. */
export interface AnswerProof {
  /** The profile is verified, and holds every match of the answer, of which there is one at least. */
  readonly verified: boolean;
  /** How many matches were compared, up to the first difference. */
  readonly matches: number;
  /** Everything against it, a sentence each; empty when verified. */
  readonly reasons: readonly string[];
  /** Thumbprints of the keys that signed the profile. */
  readonly kids: readonly string[];
}

export interface VerifyAnswerOptions extends SourceOptions {
  /** What is given is one claim, quoted with its id and statement, and not a whole answer. */
  readonly claim?: boolean | undefined;
}

/**
 * Proves an answer of any server of this kind, as `aval verify` does: each claim, boundary, metric and proof
 * whole and word for word. Nobody signs the question, the similarities and the ids of messages: only their
 * form and the order are checked.
 * @param answer the body of /ask, an MCP result or the JSON-RPC response around one: its bytes or text as
 * they came
 * @param source the profile to hold it against: the address of its host, which publishes the keys too, or a
 * file
 * @throws Error when profile or keys cannot be read
 * @example
 * const { verified, reasons } = await verifyAnswer(bodyOfAsk, 'https://acme.example');
 */
export async function verifyAnswer(
  answer: Uint8Array | string,
  source: string,
  { claim, ...options }: VerifyAnswerOptions = {},
): Promise<AnswerProof> {
  const bytes = typeof answer === 'string' ? new TextEncoder().encode(answer) : answer;
  const { profile, answer: verdict } = await proveAnswer(bytes, {
    ...(await readSource(source, options)),
    claim,
  });
  const { matches, difference } = verdict;
  const against = [...profile.reasons, ...(difference ? [difference] : [])].map(renderFault);
  const reasons =
    against.length === 0 && matches === 0 ? ['the answer has no match, and claims nothing'] : against;
  return { verified: reasons.length === 0, matches, reasons, kids: profile.kids };
}
