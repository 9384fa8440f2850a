import { createInterface } from 'node:readline';
import * as z from 'zod';
import { readProfile } from '../brand/profile/profile.ts';
import { readStrictJson } from '../brand/profile/strict-json.ts';
import type { RetrievalModel } from '../brand/retrieval/model.ts';
import { type Algorithm, keysBeside, type PrivateKey, publicKeyOf, readKeySet } from '../brand/trust/keys.ts';
import { signedText, verifySignatures } from '../brand/trust/signature.ts';
import { changeLines, changesBetween } from './changes.ts';
import { checkProfile } from './check-profile.ts';
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
  /** Loads what answers the questions of the profile. */
  readonly model?: (() => Promise<RetrievalModel>) | undefined;
}

/**
 * `aval sign FILE`: shows what deserves a look and what changed, asks, replaces the signatures by those of these keys, and prints a
 * thumbprint for each. Where there are neither keys nor a key set, it makes them first. `last_updated` becomes today where the
 * text changed; `renew` sets all three dates. 1 where the profile has a fault or the answer is no.
 * @throws ProfileError where the profile has a fault that no server would take, KeyError for a key that is not in the key set
 */
export async function sign(
  file: string,
  options: SignOptions,
  terminal: Output & Partial<Terminal>,
): Promise<ExitCode> {
  const { model, renew, since, yes = false, now = new Date() } = options;
  const { stdout, stderr } = terminal;
  if (options.newKey !== undefined) return addKey(options.newKey, file, options, terminal);
  const until = renew === undefined ? undefined : later(now, renew);
  const bytes = await readOwnFile(file);
  const document = Members.parse(readStrictJson(bytes));
  const paths = options.keys ?? [await keyFor(file, options, terminal)];
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
  const findings = await guarded(file, bytes, { model, now, isRenewed: until !== undefined });
  writeLines(stderr, [...read.flatMap(({ warnings }) => warnings), ...notes, ...findings.lines]);
  if (findings.refuse) {
    writeLines(stderr, ['Nothing was signed.']);
    return 1;
  }
  if (since) writeLines(stderr, sinceLines(readStrictJson(since), document));
  if (!isSame && !yes && !(await agrees(file, terminal))) {
    writeLines(stderr, ['Nothing was signed: type y to agree, or sign with --yes in a script.']);
    return 1;
  }
  await writeOwnFile(file, text);
  writeLines(
    stdout,
    keys.map(({ kid }) => kid),
  );
  writeLines(stderr, [`${file}: signed, valid until ${profile.expires_at}`, LIVE]);
  return 0;
}

const LIVE =
  'A running server keeps the old text until it reads this file: put it where BRAND_FILE says, then run systemctl reload aval there, or restart the server.';

/** `--new-key`: for a rotation, in which the public half is published before anything is signed with the private one. */
async function addKey(key: string, file: string, { alg }: SignOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const jwks = keysBeside(file);
  const { kid } = await makeKey({ key, jwks, alg });
  writeLines(stdout, [kid]);
  writeLines(stderr, [
    ...keyLines(key, jwks),
    `Nothing was signed: publish ${jwks}, and sign with --key ${key} an hour later.`,
  ]);
  return 0;
}

/** The key beside the profile; a new one where there is neither a key nor a key set. @throws Error where the key is elsewhere */
async function keyFor(file: string, { alg }: SignOptions, { stderr }: Output): Promise<string> {
  const [key, jwks] = [keyBeside(file), keysBeside(file)];
  if (await exists(key)) return key;
  if (await exists(jwks)) {
    throw new Error(
      `there is no ${key}, though there is ${jwks}: name your key with --key, or make another with --new-key`,
    );
  }
  await makeKey({ key, jwks, alg });
  writeLines(stderr, keyLines(key, jwks));
  return key;
}

const keyLines = (key: string, jwks: string) => [
  `private key: ${key} (keep it off the server and out of version control: who has it signs in your name)`,
  `public keys: ${jwks} (served as /.well-known/jwks.json)`,
];

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
  throw new Error(
    `${path} does not have the public half of this key (${foreign.kid}): sign with its key, or make another with --new-key`,
  );
}

interface Guarding {
  readonly model: SignOptions['model'];
  readonly now: Date;
  /** The dates of the file are about to be set anew. */
  readonly isRenewed: boolean;
}

/** What keeps a profile from being signed, and what deserves a look before, as lines. */
async function guarded(file: string, bytes: Uint8Array, { model, now, isRenewed }: Guarding) {
  const report = await checkProfile(bytes, { model, now, neverPublish: await neverPublishBeside(file) });
  const matters = ({ path }: { readonly path: string }) =>
    path !== 'signatures' && !(isRenewed && /^(?:expires|issued)_at$/.test(path));
  const [faults, warnings] = [report.faults.filter(matters), report.warnings.filter(matters)];
  return { refuse: faults.length > 0, lines: findingLines(file, { ...report, faults, warnings }) };
}

function sinceLines(before: unknown, document: object): string[] {
  const changes = changesBetween(before, document);
  return changes.length === 0
    ? ['Nothing changed since that version.']
    : ['Changed since that version:', ...changeLines(changes)];
}

/** Asks whoever sits at the terminal. */
async function agrees(file: string, { stderr, stdin }: Output & Partial<Terminal>): Promise<boolean> {
  if (!stdin?.isTTY) return false;
  stderr.write(`Sign ${file}? [y/N] `);
  const lines = createInterface({ input: stdin });
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    return /^(?:y|yes|s|sí|si)$/i.test(String(value ?? '').trim());
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
