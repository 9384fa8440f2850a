import { ProfileError } from '../../brand/profile/profile.ts';
import { loadServedProfile, type ServedProfile } from '../../brand/trust/served-profile.ts';
import type { Config } from '../config/config.ts';

/**
 * Reads and verifies the configured profile. This is much faster than loading the model, and says whose server this is.
 * @throws Error with the file and every fault of the profile
 */
export function readBrandFile({ brandFile, brandJwks, baseUrl, production }: Config): Promise<ServedProfile> {
  const host = baseUrl && new URL(baseUrl).host;
  const served = loadServedProfile(brandFile, { jwksPath: brandJwks, host, production, now: new Date() });
  return served.catch(error => {
    throw inFile(brandFile, error);
  });
}

/** Adds the file's name to faults, which name places inside it. */
function inFile(file: string, error: unknown): unknown {
  if (!(error instanceof ProfileError)) return error;
  return new Error(`The profile ${file} cannot be used:\n${error.message.replace(/^/gm, '  ')}`, { cause: error });
}
