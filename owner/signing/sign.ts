import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { readProfile } from '../../brand/profile/profile.ts';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import { keysBeside, type PrivateKey, publicKeyOf, readKeySet } from '../../brand/trust/keys.ts';
import { signedText, verifySignatures } from '../../brand/trust/signature.ts';
import { checkProfile } from '../check/check-profile.ts';
import { findingLines } from '../check/finding-lines.ts';
import { neverPublishBeside } from '../check/never-publish.ts';
import { changeLines, changesBetween } from '../guards/changes.ts';
import { createFile, READABLE, readIfThere, replaceFile } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { ownCommand, quoted } from '../terminal/own-command.ts';
import type { Terminal } from '../terminal/questions.ts';
import { readKeyFile } from './keygen.ts';

interface SignOptions {
  /** Files of the private keys, each of which signs; two during a rotation. */
  readonly keys: readonly string[];
  /** How long the profile is valid from now on: `1y`, `6m`, `90d`. Absent: its dates stay. */
  readonly renew?: string;
  /** Signs without asking: for scripts. */
  readonly yes?: boolean;
  readonly now?: Date;
}

/**
 * `aval sign FILE`: shows what changed since the profile was last signed, asks, replaces its signatures by those of these
 * keys, and prints a thumbprint for each. `last_updated` becomes today where the text changed; `renew` sets all three dates.
 * A copy of what was signed stays beside the file, for the next comparison. 1 where the profile has a fault or the answer is no.
 * @throws ProfileError where the profile has a fault that no server would take, KeyError for a key that is not in the key set
 */
export async function sign(
  file: string,
  options: SignOptions,
  terminal: Output & Partial<Terminal>,
): Promise<ExitCode> {
  const { keys: paths, renew, yes = false, now = new Date() } = options;
  const { stdout, stderr } = terminal;
  if (paths.length === 0) throw new Error('nothing to sign with: name a key with --key');
  const until = renew === undefined ? undefined : later(now, renew);
  const bytes = await readFile(file);
  const document = Members.parse(readStrictJson(bytes));
  const read = await Promise.all(paths.map(readKeyFile));
  const keys = read.map(({ key }) => key);
  const notes = await refuseForeign(file, keys);
  const isSame = await isSigned(document, keys);
  const today = timestamp(now);
  const dates = {
    ...(!isSame && 'last_updated' in document && { last_updated: today }),
    ...(until !== undefined && { issued_at: today, expires_at: until, last_updated: today }),
  };
  const text = await signedText({ ...document, ...dates }, keys);
  const { profile } = readProfile(new TextEncoder().encode(text));
  const findings = await guarded(file, bytes, { now, isRenewed: until !== undefined });
  writeLines(stderr, [...read.flatMap(({ warnings }) => warnings), ...notes, ...findings.lines]);
  if (findings.refuse) {
    writeLines(stderr, ['Nothing was signed.']);
    return 1;
  }
  const isAgreed = isSame || (await confirmChanges(file, document, terminal)) || yes;
  if (!isAgreed) {
    writeLines(stderr, ['Nothing was signed: type y to agree, or sign with --yes in a script.']);
    return 1;
  }
  await replaceFile(file, text);
  await createFile(signedBeside(file), text, { mode: READABLE, force: true });
  writeLines(
    stdout,
    keys.map(({ kid }) => kid),
  );
  writeLines(stderr, [`${file}: signed, valid until ${profile.expires_at}`]);
  return 0;
}

/** Where the text stays that was signed last: beside FILE.json the file FILE.signed.json. */
export const signedBeside = (file: string) => file.replace(/(\.json)?$/, '.signed.json');

/**
 * Looks for the keys in the key set beside the profile: a server that has that set would refuse another key's signature.
 * @returns what is worth saying where there is no key set
 */
async function refuseForeign(file: string, keys: readonly PrivateKey[]): Promise<string[]> {
  const path = keysBeside(file);
  const set = await readIfThere(path);
  if (set === undefined) return [`there is no ${path}: servers and readers need the public keys to verify`];
  const known = new Set((await readKeySet(set)).map(({ kid }) => kid));
  const foreign = keys.find(({ kid }) => !known.has(kid));
  if (!foreign) return [];
  const command = `${ownCommand().here} keygen --jwks ${quoted(path)}`;
  throw new Error(
    `${path} does not have the public half of this key (${foreign.kid}): sign with its key, or make one: ${command}`,
  );
}

interface Guarding {
  readonly now: Date;
  /** The dates of the file are about to be set anew. */
  readonly isRenewed: boolean;
}

/** What keeps a profile from being signed, and what deserves a look before, as lines. */
async function guarded(file: string, bytes: Uint8Array, { now, isRenewed }: Guarding) {
  const report = await checkProfile(bytes, { now, neverPublish: await neverPublishBeside(file) });
  const matters = ({ path }: { readonly path: string }) =>
    path !== 'signatures' && !(isRenewed && /^(?:expires|issued)_at$/.test(path));
  const [faults, warnings] = [report.faults.filter(matters), report.warnings.filter(matters)];
  return { refuse: faults.length > 0, lines: findingLines(file, { ...report, faults, warnings }) };
}

/** Shows what changed and asks. @returns true where nothing changed, or a person says yes */
async function confirmChanges(file: string, document: object, { stderr, stdin }: Output & Partial<Terminal>) {
  const last = await lastSigned(file);
  const changes = last === undefined ? undefined : changesBetween(last, document);
  if (changes?.length === 0) return true;
  writeLines(
    stderr,
    changes
      ? [`Changed since ${file} was last signed:`, ...changeLines(changes)]
      : [`${file}: what was signed before is not known; ${signedBeside(file)} keeps it from now on`],
  );
  if (!stdin?.isTTY) return false;
  stderr.write('Sign this? [y/N] ');
  const lines = createInterface({ input: stdin });
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    return /^(?:y|yes|s|sí|si)$/i.test(String(value ?? '').trim());
  } finally {
    lines.close();
  }
}

/** The text as it was last signed, from the copy beside it. */
async function lastSigned(file: string): Promise<unknown> {
  try {
    return readStrictJson(await readFile(signedBeside(file)));
  } catch {
    return undefined;
  }
}

/** Whether one of the keys signed the text as it is. */
async function isSigned(document: object, keys: readonly PrivateKey[]): Promise<boolean> {
  const checks = await verifySignatures(document, await Promise.all(keys.map(publicKeyOf)));
  return checks.some(({ outcome }) => outcome === 'verified');
}

const Members = z.record(z.string(), z.unknown(), { error: 'a profile is one JSON object' });

const timestamp = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;

/** The moment `1y`, `6m` or `90d` after another. @throws Error for anything else */
function later(from: Date, span: string): string {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,3})([dmy])$/.exec(span) ?? [];
  const count = Number(digits);
  const date = new Date(from);
  if (unit === 'd') date.setUTCDate(date.getUTCDate() + count);
  else if (unit !== '') addMonths(date, unit === 'y' ? 12 * count : count);
  else throw new Error('--renew takes days, months or years: 90d, 6m or 1y');
  return timestamp(date);
}

/** The last day of a month that is shorter: 31 January and a month is 28 February. */
function addMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
}
