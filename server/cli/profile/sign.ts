import { loadProfile } from '../../../brand/profile/profile.ts';
import { signedText } from '../../../brand/trust/signature.ts';
import { timeReasons } from '../../../brand/trust/verify-profile.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { replaceFile } from './files.ts';
import { readKeyFile } from './key-files.ts';

interface SignOptions {
  /** Files of the private keys, each of which signs; two during a rotation. */
  readonly keys: readonly string[];
  readonly now?: Date;
}

/**
 * `aval sign FILE`: replaces the signatures of a profile by those of these keys, and prints a thumbprint for each.
 * @throws ProfileError where the profile has a fault: what is signed can be served
 */
export async function sign(
  file: string,
  { keys: paths, now = new Date() }: SignOptions,
  output: Output,
): Promise<ExitCode> {
  const { document, profile } = await loadProfile(file);
  const read = await Promise.all(paths.map(readKeyFile));
  const keys = read.map(({ key }) => key);
  if (keys.length === 0) throw new Error('nothing to sign with: name a key with --key');
  await replaceFile(file, await signedText(document, keys));
  writeLines(
    output.stdout,
    keys.map(({ kid }) => kid),
  );
  writeLines(output.stderr, [
    ...read.flatMap(({ warnings }) => warnings),
    ...timeReasons(profile, now).map(({ message }) => message),
    `${file}: signed, valid until ${profile.expires_at}`,
  ]);
  return 0;
}
