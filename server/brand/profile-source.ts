import { readFile } from 'node:fs/promises';
import { isMissing } from '../../brand/profile/thrown.ts';
import { keysBeside } from '../../brand/trust/keys.ts';
import { fetchProfile, type RemoteProfile } from './remote-profile.ts';

export interface SourceOptions {
  /** File of the public keys; default: what the address publishes, or beside FILE.json the file FILE.jwks.json. */
  readonly jwks?: string;
  /** Host the profile must speak for; default: the address it was fetched from. */
  readonly host?: string;
}

/** A profile with the keys to verify it, from a file or an address. @throws RemoteError, or Error where a file is missing */
export async function readSource(target: string, { jwks, host }: SourceOptions): Promise<RemoteProfile> {
  const source = isAddress(target) ? await fetchProfile(new URL(target)) : await readFiles(target, jwks);
  const keys = jwks === undefined ? source.jwks : await readFile(jwks);
  return { brand: source.brand, jwks: keys, host: host ?? source.host };
}

/** Whether a target is an address and no file. @throws Error for what begins as an address and is none */
export function isAddress(target: string): boolean {
  if (!/^https?:\/\//i.test(target)) return false;
  if (!URL.canParse(target)) throw new Error('this is no address: write it like https://acme.example');
  return true;
}

async function readFiles(path: string, jwks = keysBeside(path)): Promise<RemoteProfile> {
  const brand = await readFile(path);
  const keys = await readFile(jwks).catch(error => {
    throw isMissing(error) ? new Error(`${jwks} is missing: name the public keys with --jwks`) : error;
  });
  return { brand, jwks: keys, host: undefined };
}
