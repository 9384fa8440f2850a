import { readFile, stat } from 'node:fs/promises';
import {
  type Algorithm,
  addToKeySet,
  createPrivateKey,
  KeyError,
  type PrivateKey,
  publicKeyOf,
  readPrivateKey,
} from '../../brand/trust/keys.ts';
import { createFile, OWNER_ONLY, putFile, readIfThere } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';

interface KeyFiles {
  /** File of the private key. */
  readonly key: string;
  /** File of the public keys; a set that is there gets one key more. */
  readonly jwks: string;
  /** Replaces a private key that is there. */
  readonly force?: boolean | undefined;
}

interface KeygenOptions extends KeyFiles {
  readonly alg?: Algorithm;
}

/** `aval keygen`: a new key pair. Prints its thumbprint, the `kid` of its signatures. */
export async function keygen({ alg, ...files }: KeygenOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const pair = await createPrivateKey(alg);
  await writeKeyPair(pair, files);
  writeLines(stdout, [pair.kid]);
  writeLines(stderr, [
    `private key: ${files.key} (keep it off the server and out of version control: who has it signs in your name)`,
    `public keys: ${files.jwks} (served as /.well-known/jwks.json; publish it an hour before the first signature)`,
  ]);
  return 0;
}

/** Writes both halves of a new key, the private one for its owner alone. @throws Error where a private key is there already */
export async function writeKeyPair(pair: PrivateKey, { key, jwks, force }: KeyFiles): Promise<void> {
  const published = await readIfThere(jwks);
  const keySet = await addToKeySet(await publicKeyOf(pair), published);
  const { kid, alg, jwk } = pair;
  await createFile(key, `${JSON.stringify({ ...jwk, kid, alg }, null, 2)}\n`, { mode: OWNER_ONLY, force });
  await putFile(jwks, keySet);
}

/** A private key, and a warning where others can read it. @throws KeyError, or Error where there is no such file */
export async function readKeyFile(path: string): Promise<{ key: PrivateKey; warnings: string[] }> {
  const [bytes, { mode }] = await Promise.all([readFile(path), stat(path)]);
  // Windows has no such modes and reports every file as open to all.
  const open = process.platform !== 'win32' && (mode & 0o077) !== 0;
  const key = await readPrivateKey(bytes).catch(error => {
    throw error instanceof KeyError ? new KeyError(`${path}: ${error.message}`, { cause: error }) : error;
  });
  return { key, warnings: open ? [`others can read ${path}: chmod 600 ${path}`] : [] };
}
