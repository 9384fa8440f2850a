import { stat } from 'node:fs/promises';
import {
  addToKeySet,
  createPrivateKey,
  KeyError,
  type PrivateKey,
  publicKeyOf,
  readPrivateKey,
} from '../brand/trust/keys.ts';
import { createFile, OWNER_ONLY, readIfThere, readPlainFile, replaceFile } from './files.ts';

export interface KeyFiles {
  /** File of the private key. */
  readonly key: string;
  /** File of the public keys; a set that is there gets one key more. */
  readonly jwks: string;
}

/** Where `aval init` puts the private key: beside FILE.json the file FILE.key.json. */
export const keyBeside = (profile: string): string => profile.replace(/(\.json)?$/, '.key.json');

/** A new key: the private half for its owner alone, the public one into the key set. @throws Error where a private key is there already */
export async function makeKey(files: KeyFiles): Promise<PrivateKey> {
  const created = await createPrivateKey();
  await saveKey(created, files);
  return created;
}

/** Writes both halves of a new key. @throws Error where a private key is there already */
export async function saveKey(created: PrivateKey, { key, jwks }: KeyFiles): Promise<void> {
  const keySet = await addToKeySet(await publicKeyOf(created), await readIfThere(jwks));
  const { kid, jwk, alg } = created;
  await createFile(key, `${JSON.stringify({ ...jwk, kid, alg }, null, 2)}\n`, OWNER_ONLY);
  await replaceFile(jwks, keySet);
}

/** A private key, and whether others can read it. @throws KeyError, or Error where there is no such file */
export async function readKeyFile(path: string): Promise<{ key: PrivateKey; path: string; isOpen: boolean }> {
  const [bytes, { mode }] = await Promise.all([readPlainFile(path), stat(path)]);
  // Windows has no such modes and reports every file as open to all.
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  const key = await readPrivateKey(bytes).catch(error => {
    throw error instanceof KeyError ? new KeyError(`${path}: ${error.message}`, { cause: error }) : error;
  });
  return { key, path, isOpen };
}
