import { stat } from 'node:fs/promises';
import {
  addToKeySet,
  createPrivateKey,
  KeyError,
  type PrivateKey,
  readPrivateKey,
} from '../brand/trust/keys.ts';
import { createFile, OWNER_ONLY, readIfThere, readPlainFile, replaceFile } from './files.ts';

interface KeyFiles {
  /** File of the private key. */
  readonly key: string;
  /** File of the public keys. An existing set gets one more key. */
  readonly jwks: string;
}

/** The file of the private key: FILE.key.json beside FILE.json. */
export const keyBeside = (profile: string): string => profile.replace(/(\.json)?$/, '.key.json');

/** Makes a key and writes both halves, the private one for its owner only. @throws Error if its file exists */
export async function makeKey({ key: path, jwks }: KeyFiles): Promise<PrivateKey> {
  const key = await createPrivateKey();
  const keySet = await addToKeySet([key], await readIfThere(jwks));
  const { kid, jwk, alg } = key;
  await createFile(path, `${JSON.stringify({ ...jwk, kid, alg }, null, 2)}\n`, OWNER_ONLY);
  await replaceFile(jwks, keySet);
  return key;
}

/** A private key, and whether others can read its file. @throws KeyError; Error if there is no such file */
export async function readKeyFile(path: string): Promise<{ key: PrivateKey; path: string; isOpen: boolean }> {
  const [bytes, { mode }] = await Promise.all([readPlainFile(path), stat(path)]);
  // Windows has no such modes and reports every file as open to all.
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  const key = await readPrivateKey(bytes).catch(error => {
    throw error instanceof KeyError ? new KeyError(`${path}: ${error.message}`, { cause: error }) : error;
  });
  return { key, path, isOpen };
}
