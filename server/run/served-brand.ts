import { fault, jsonPath, renderFault } from '../../brand/profile/fault.ts';
import { ProfileError } from '../../brand/profile/profile.ts';
import { badAddressPaths } from '../../brand/profile/schema.ts';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { loadServedProfile, type ServedProfile } from '../../brand/trust/served-profile.ts';
import type { Config } from '../config/config.ts';

/** A brand and its files, which are published byte for byte. */
export interface ServedBrand extends Brand {
  /** Says which model answers. */
  readonly answeredBy: string;
  readonly bytes: Uint8Array;
  /** The public keys; absent for an unverified profile. */
  readonly jwks: Uint8Array | undefined;
}

/**
 * Reads and verifies the configured profile. This is much faster than loading the model, and says whose
 * server this is.
 * @throws Error with the file and every fault of the profile
 */
export async function readBrandFile(config: Config): Promise<ServedProfile> {
  const { brandFile, brandJwks, baseUrl, production } = config;
  const host = baseUrl && new URL(baseUrl).host;
  const options = { jwksPath: brandJwks, host, production, now: new Date() };
  try {
    const served = await loadServedProfile(brandFile, options);
    // Pages leave a bad address out. The profile may be signed already, so this is only a warning.
    const { logos, privacy_policy_url: privacyPolicyUrl } = served.document as Record<string, unknown>;
    const paths = badAddressPaths(Array.isArray(logos) ? logos : [], privacyPolicyUrl);
    const addressWarnings = paths.map(path => renderFault(fault(jsonPath(path), 'web_address')));
    return { ...served, warnings: [...served.warnings, ...addressWarnings] };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const faults = error.message.replace(/^/gm, '  ');
    const isUnsigned = error.faults.some(({ fix }) => fix?.includes('aval sign'));
    const fix = isUnsigned
      ? `\nWhere its key is, sign the text as it stands now: aval sign "${brandFile}"`
      : '';
    throw new Error(`The profile ${brandFile} cannot be used:\n${faults}${fix}`, { cause: error });
  }
}
