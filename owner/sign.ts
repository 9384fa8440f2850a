import { createInterface } from 'node:readline';
import * as z from 'zod';
import { readJson, readStrictJson } from '../brand/profile/strict-json.ts';
import { type Algorithm, keysBeside, type PrivateKey, publicKeyOf, readKeySet } from '../brand/trust/keys.ts';
import { signedText, verifySignatures } from '../brand/trust/signature.ts';
import { changeLines, changesBetween } from './changes.ts';
import { checkProfile } from './check-profile.ts';
import { commandWords } from './command-words.ts';
import { languageIn } from './draft.ts';
import { exists, readIfThere, readOwnFile, writeOwnFile } from './files.ts';
import { findingLines } from './finding-lines.ts';
import { keyBeside, makeKey, readKeyFile } from './key-files.ts';
import { neverPublishBeside } from './never-publish.ts';
import { type ExitCode, type Output, writeLines } from './output.ts';
import type { Terminal } from './terminal-questions.ts';

interface SignOptions {
  /** Files of the private keys, each of which signs, two during a rotation; default: FILE.key.json beside FILE.json. */
  readonly keys?: readonly string[];
  /** A file for a new private key: its public half joins the key set, and nothing is signed. */
  readonly newKey?: string;
  readonly alg?: Algorithm;
  /** How long the profile is valid from now on: `1y`, `6m`, `90d`. Absent: its dates stay. */
  readonly renew?: string;
  /** An earlier version of the profile: what changed since then is shown before the question. */
  readonly since?: Uint8Array;
  /** Signs without asking: for scripts. */
  readonly yes?: boolean;
  readonly now?: Date;
}

/**
 * `aval sign FILE`: shows what deserves a look and what changed, asks, replaces the signatures by those of these keys, and prints a
 * thumbprint for each. Where there are neither keys nor a key set, it makes them first. `last_updated` becomes today where the
 * text changed; `renew` sets all three dates. 1 where the profile has a fault or the answer is no. It speaks the profile's language.
 * @throws KeyError for a file that is no key, Error for a key that is not in the key set
 */
export async function sign(
  file: string,
  options: SignOptions,
  terminal: Output & Partial<Terminal>,
): Promise<ExitCode> {
  const { renew, since, yes = false, now = new Date() } = options;
  const { stdout, stderr } = terminal;
  const bytes = await readOwnFile(file);
  const language = languageIn(readJson(bytes).value);
  const { say } = commandWords(language);
  if (options.newKey !== undefined) return addKey(options.newKey, file, { ...options, say }, terminal);
  const until = renew === undefined ? undefined : later(now, renew);
  if (renew !== undefined && until === undefined) throw new Error(say('renew_span'));
  const findings = await guarded(file, bytes, { now, isRenewed: until !== undefined });
  if (findings.refuse) {
    writeLines(stderr, [...findings.lines, say('not_signed')]);
    return 1;
  }
  const document = Members.parse(readStrictJson(bytes));
  const paths = options.keys ?? [await keyFor(file, { ...options, say }, terminal)];
  const read = await Promise.all(paths.map(readKeyFile));
  const keys = read.map(({ key }) => key);
  const open = read.flatMap(({ path, isOpen }) => (isOpen ? say('open_key', path, path) : []));
  const notes = await refuseForeign(file, keys, say);
  const isSame = await isSigned(document, keys);
  const today = timestamp(now);
  const dates = {
    ...(!isSame && 'last_updated' in document && { last_updated: today }),
    ...(until !== undefined && { issued_at: today, expires_at: until, last_updated: today }),
  };
  const text = await signedText({ ...document, ...dates }, keys);
  writeLines(stderr, [...open, ...notes, ...findings.lines]);
  if (since) {
    const changes = changesBetween(readStrictJson(since), document);
    writeLines(stderr, [
      say(changes.length === 0 ? 'same_since' : 'changed_since'),
      ...changeLines(changes, language),
    ]);
  }
  if (!isSame && !yes && !(await agrees(say('sign', file), terminal))) {
    writeLines(stderr, [say('not_agreed')]);
    return 1;
  }
  await writeOwnFile(file, text);
  const kids = keys.map(({ kid }) => kid);
  writeLines(stdout, kids);
  writeLines(stderr, [say('signed', file, until ?? String(document.expires_at)), say('live')]);
  return 0;
}

/** The options, and how they are spoken of. */
type Spoken = SignOptions & Pick<ReturnType<typeof commandWords>, 'say'>;

/** `--new-key`: for a rotation, in which the public half is published before anything is signed with the private one. */
async function addKey(
  key: string,
  file: string,
  { alg, say }: Spoken,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const jwks = keysBeside(file);
  const { kid } = await makeKey({ key, jwks, alg });
  writeLines(stdout, [kid]);
  writeLines(stderr, [...keyLines(key, jwks, say), say('publish_first', jwks, key)]);
  return 0;
}

/** The key beside the profile; a new one where there is neither a key nor a key set. @throws Error where the key is elsewhere */
async function keyFor(file: string, { alg, say }: Spoken, { stderr }: Output): Promise<string> {
  const [key, jwks] = [keyBeside(file), keysBeside(file)];
  if (await exists(key)) return key;
  if (await exists(jwks)) throw new Error(say('no_key', key, jwks));
  await makeKey({ key, jwks, alg });
  writeLines(stderr, keyLines(key, jwks, say));
  return key;
}

const keyLines = (key: string, jwks: string, say: Spoken['say']) => [
  say('private_key', key),
  say('public_keys', jwks),
];

/**
 * Looks for the keys in the key set beside the profile: a server that has that set would refuse another key's signature.
 * @returns what is worth saying where there is no key set
 */
async function refuseForeign(
  file: string,
  keys: readonly PrivateKey[],
  say: Spoken['say'],
): Promise<string[]> {
  const path = keysBeside(file);
  const set = await readIfThere(path);
  if (set === undefined) return [say('no_key_set', path)];
  const known = new Set((await readKeySet(set)).map(({ kid }) => kid));
  const foreign = keys.find(({ kid }) => !known.has(kid));
  if (!foreign) return [];
  throw new Error(say('foreign_key', path, foreign.kid));
}

/** What keeps a profile from being signed, and what deserves a look before, as lines. @param isRenewed its dates are set anew */
async function guarded(
  file: string,
  bytes: Uint8Array,
  { now, isRenewed }: { now: Date; isRenewed: boolean },
) {
  const report = await checkProfile(bytes, { now, neverPublish: await neverPublishBeside(file) });
  const matters = ({ path }: { readonly path: string }) =>
    path !== 'signatures' && !(isRenewed && /^(?:expires|issued)_at$/.test(path));
  const [faults, warnings] = [report.faults.filter(matters), report.warnings.filter(matters)];
  return { refuse: faults.length > 0, lines: findingLines(file, { ...report, faults, warnings }) };
}

/** Asks whoever sits at the terminal. */
async function agrees(question: string, { stderr, stdin }: Output & Partial<Terminal>): Promise<boolean> {
  if (!stdin?.isTTY) return false;
  stderr.write(question);
  // Closed, or the terminal keeps the process waiting for more.
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return /^(?:y|yes|s|sí|si)$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}

/** Whether one of the keys signed the text as it is. */
async function isSigned(document: object, keys: readonly PrivateKey[]): Promise<boolean> {
  const checks = await verifySignatures(document, await Promise.all(keys.map(publicKeyOf)));
  return checks.some(({ outcome }) => outcome === 'verified');
}

const Members = z.record(z.string(), z.unknown(), { error: 'a profile is one JSON object' });

const timestamp = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;

/** The moment `1y`, `6m` or `90d` after another; undefined for anything else. */
function later(from: Date, span: string): string | undefined {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,3})([dmy])$/.exec(span) ?? [];
  const count = Number(digits);
  const date = new Date(from);
  if (unit === 'd') date.setUTCDate(date.getUTCDate() + count);
  else if (unit !== '') addMonths(date, unit === 'y' ? 12 * count : count);
  else return undefined;
  return timestamp(date);
}

/** The last day of a month that is shorter: 31 January and a month is 28 February. */
function addMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
}
