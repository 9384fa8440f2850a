import { MAX_PROFILE_BYTES } from '../../brand/profile/profile.ts';
import { readBounded } from '../../brand/profile/read-bounded.ts';
import { isMissing } from '../../brand/profile/thrown.ts';
import { keysBeside } from '../../brand/trust/keys.ts';
import { fetchProfile, type RemoteProfile } from './remote-profile.ts';

export interface SourceOptions {
  /** File of the public keys. Default: the keys that the address publishes, or FILE.jwks.json beside FILE.json. */
  readonly jwks?: string | undefined;
  /** Host that the profile must be of. Default: the host that it was fetched from. */
  readonly host?: string;
}

/** Reads a profile and its public keys from a file or an address. @throws RemoteError; Error for a missing file */
export async function readSource(target: string, { jwks, host }: SourceOptions): Promise<RemoteProfile> {
  const source = isAddress(target) ? await fetchProfile(new URL(target)) : await readFiles(target, jwks);
  const keys = jwks === undefined ? source.jwks : await readBounded(jwks, MAX_PROFILE_BYTES);
  return { brand: source.brand, jwks: keys, host: host ?? source.host };
}

/** The bytes of a profile alone, from a file or from a site that serves one. @throws RemoteError; Error for a missing file */
export async function readProfileBytes(target: string): Promise<Uint8Array> {
  return isAddress(target) ? (await fetchProfile(new URL(target))).brand : readBounded(target, MAX_PROFILE_BYTES);
}

/** Whether the target is an address, not a file. @throws Error for a malformed address */
export function isAddress(target: string): boolean {
  if (!/^https?:\/\//i.test(target)) return false;
  if (!URL.canParse(target)) throw new Error('this is not an address: write it like https://acme.example');
  return true;
}

async function readFiles(path: string, jwks = keysBeside(path)): Promise<RemoteProfile> {
  const brand = await readBounded(path, MAX_PROFILE_BYTES);
  const keys = await readBounded(jwks, MAX_PROFILE_BYTES).catch(error => {
    throw isMissing(error) ? new Error(`${jwks} is missing: name the public keys with --jwks`) : error;
  });
  return { brand, jwks: keys, host: undefined };
}
