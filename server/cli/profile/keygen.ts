import { type Algorithm, createPrivateKey } from '../../../brand/trust/keys.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { writeKeyPair } from './key-files.ts';

interface KeygenOptions {
  /** File of the private key, which must not be there yet. */
  readonly key: string;
  /** File of the public keys; a key set that is there gets one key more. */
  readonly jwks: string;
  readonly alg?: Algorithm;
  readonly force?: boolean;
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
