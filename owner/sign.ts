import * as z from 'zod';
import { readStrictJson } from '../brand/profile/strict-json.ts';
import { addToKeySet, keysBeside, type PrivateKey, publicKeyOf, readKeySet } from '../brand/trust/keys.ts';
import { signedText, verifySignatures } from '../brand/trust/signature.ts';
import { checkProfile, findingLines } from './check-profile.ts';
import { exists, readIfThere, readPlainFile, replaceFile } from './files.ts';
import { keyBeside, makeKey, readKeyFile } from './key-files.ts';
import { commandLine, type ExitCode, type Output, writeLines } from './output.ts';
import { readNeverPublish } from './personal-data.ts';

interface SignOptions {
  /** Files of the private keys; two during a rotation. Default: FILE.key.json beside FILE.json. */
  readonly keys?: readonly string[];
  /** File for a new private key. Its public half is added to the key set, and nothing is signed. */
  readonly newKey?: string;
  /** New validity from now: `1y`, `6m`, `90d`. Absent: the dates stay. */
  readonly renew?: string;
  readonly now?: Date;
}

/**
 * `aval sign FILE`: prints the findings of `aval check`, replaces the signatures, and prints the thumbprint
 * of each key. Without keys and key set it makes both; if only the key set is missing, it writes it.
 * `last_updated` becomes today if the text changed; `renew` sets all three dates. Exit code 1 if the profile
 * has a fault.
 * @throws KeyError for a file that is no key; Error for a key that is not in the key set, or for a profile
 * that changed meanwhile
 */
export async function sign(
  file: string,
  options: SignOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { renew, now = new Date() } = options;
  if (options.newKey !== undefined) return addKey(options.newKey, file, { stdout, stderr });
  const expiresAt = renew === undefined ? undefined : laterBy(now, renew);
  if (renew !== undefined && expiresAt === undefined)
    throw new Error('--renew takes days, months or years: 90d, 6m or 1y');
  const bytes = await readPlainFile(file);
  const findings = await findingsBeforeSigning(file, bytes, { now, isRenewed: expiresAt !== undefined });
  if (findings.hasFault) {
    writeLines(stderr, [...findings.lines, 'Nothing was signed.']);
    return 1;
  }
  const document = Members.parse(readStrictJson(bytes));
  const jwks = keysBeside(file);
  if (options.keys === undefined && (await lacksKey(file))) {
    await makeKey({ key: keyBeside(file), jwks });
    writeLines(stderr, keyLines(keyBeside(file), jwks));
  }
  const keyFiles = await Promise.all((options.keys ?? [keyBeside(file)]).map(readKeyFile));
  const keys = keyFiles.map(({ key }) => key);
  const openKeys = keyFiles.filter(({ isOpen }) => isOpen);
  writeLines(stderr, [
    ...openKeys.map(({ path }) => `others can read ${path}: chmod 600 ${path}`),
    ...findings.lines,
  ]);
  const keySet = await readIfThere(jwks);
  if (keySet === undefined) {
    await replaceFile(jwks, await addToKeySet(keys));
    writeLines(stderr, [publicKeysLine(jwks)]);
  } else await refuseForeign(jwks, keySet, keys);
  const isUnchanged = await isSigned(document, keys);
  const today = timestamp(now);
  const dates = {
    ...(!isUnchanged && 'last_updated' in document && { last_updated: today }),
    ...(expiresAt !== undefined && { issued_at: today, expires_at: expiresAt, last_updated: today }),
  };
  await replaceFile(file, await signedText({ ...document, ...dates }, keys), { replaces: bytes });
  writeLines(
    stdout,
    keys.map(({ kid }) => kid),
  );
  writeLines(stderr, [`${file}: signed, valid until ${expiresAt ?? document.expires_at}`, RELOAD]);
  return 0;
}

const RELOAD =
  'A running server keeps the old text until it reads this file: put it where BRAND_FILE says, ' +
  'then run systemctl reload aval there, or restart the server.';

/** `--new-key`: for a rotation, which publishes the public half before the key signs anything. */
async function addKey(key: string, file: string, { stdout, stderr }: Output): Promise<ExitCode> {
  const jwks = keysBeside(file);
  const { kid } = await makeKey({ key, jwks });
  writeLines(stdout, [kid]);
  writeLines(stderr, [
    ...keyLines(key, jwks),
    `Nothing was signed: publish ${jwks}, and an hour later: ${commandLine('sign', file, '--key', key)}`,
  ]);
  return 0;
}

/** Whether there is neither a key nor a key set. @throws Error if only the key is missing */
async function lacksKey(file: string): Promise<boolean> {
  const key = keyBeside(file);
  const jwks = keysBeside(file);
  if (await exists(key)) return false;
  if (await exists(jwks))
    throw new Error(
      `there is no ${key}, though there is ${jwks}: name your key with --key; if it is lost, ` +
        'make another with --new-key',
    );
  return true;
}

const keyLines = (key: string, jwks: string) => [
  `private key: ${key} (keep it off the server and out of version control: who has it signs in your name)`,
  publicKeysLine(jwks),
];

const publicKeysLine = (jwks: string) => `public keys: ${jwks} (served as /.well-known/jwks.json)`;

/**
 * Refuses keys that are not in the key set beside the profile: a server with that set would refuse them too.
 */
async function refuseForeign(path: string, keySet: Uint8Array, keys: readonly PrivateKey[]): Promise<void> {
  const kids = new Set((await readKeySet(keySet)).map(({ kid }) => kid));
  const foreign = keys.find(({ kid }) => !kids.has(kid));
  if (!foreign) return;
  throw new Error(
    `${path} does not have the public half of this key (${foreign.kid}): sign with its key, or ` +
      'make another with --new-key',
  );
}

/** The findings of `aval check`, without those that signing mends: the signature, and renewed dates. */
async function findingsBeforeSigning(
  file: string,
  bytes: Uint8Array,
  { now, isRenewed }: { readonly now: Date; readonly isRenewed: boolean },
): Promise<{ readonly hasFault: boolean; readonly lines: readonly string[] }> {
  const report = await checkProfile(bytes, { now, neverPublish: await readNeverPublish(file) });
  const isMended = ({ path }: { readonly path: string }) =>
    path === 'signatures' || (isRenewed && (path === 'expires_at' || path === 'issued_at'));
  const faults = report.faults.filter(finding => !isMended(finding));
  const warnings = report.warnings.filter(finding => !isMended(finding));
  return { hasFault: faults.length > 0, lines: findingLines(file, { faults, warnings }) };
}

/** Whether a signature of one of the keys is good for the text. */
async function isSigned(document: object, keys: readonly PrivateKey[]): Promise<boolean> {
  const checks = await verifySignatures(document, keys.map(publicKeyOf));
  return checks.some(({ outcome }) => outcome === 'verified');
}

const Members = z.record(z.string(), z.unknown(), { error: 'a profile is one JSON object' });

const timestamp = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;

/** The time `1y`, `6m` or `90d` after another. Undefined for other spans. */
function laterBy(from: Date, span: string): string | undefined {
  const [, digits = '', unit] = /^([1-9]\d{0,3})([dmy])$/.exec(span) ?? [];
  if (unit === undefined) return undefined;
  const count = Number(digits);
  const date = new Date(from);
  if (unit === 'd') date.setUTCDate(date.getUTCDate() + count);
  else date.setUTCMonth(date.getUTCMonth() + (unit === 'y' ? 12 * count : count));
  return timestamp(date);
}
