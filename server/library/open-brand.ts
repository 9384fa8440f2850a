import type { Brand } from '../../brand/retrieval/brand.ts';
import { readConfig } from '../config/config.ts';
import { untilExpiry } from '../run/expiry.ts';
import { loadBrand } from '../run/load-brand.ts';
import { readBrandFile } from '../run/served-brand.ts';
import type { Settings } from './create-server.ts';

/** A profile that can be asked, without a server. */
export interface OpenedBrand extends Brand {
  /** A signature was verified with the keys of BRAND_JWKS. */
  readonly verified: boolean;
  /** What its owner should know, a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Loads a profile, verifies it and makes it answer questions.
 * @param settings BRAND_JWKS names the public keys: with them a bad signature or a foreign host (BASE_URL) is refused.
 * The model, ANSWER_FLOOR and the like are settings too
 * @throws Error naming every fault of the file, or why its signature is not good
 */
export async function openBrand(file: string, settings: Settings = {}): Promise<OpenedBrand> {
  const config = readConfig({ ...settings, BRAND_FILE: file });
  const reading = readBrandFile(config);
  const [brand, { verified, warnings }] = await Promise.all([loadBrand(config, () => {}, { reading }), reading]);
  const asked = untilExpiry(brand, () => new Date());
  return { ...asked, verified, warnings };
}
