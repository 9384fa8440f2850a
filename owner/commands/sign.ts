import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { readProfile } from '../../brand/profile/profile.ts';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import { type PrivateKey, publicKeyOf } from '../../brand/trust/keys.ts';
import { signedText, verifySignatures } from '../../brand/trust/signature.ts';
import { timeReasons } from '../../brand/trust/verify-profile.ts';
import { replaceFile } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { readKeyFile } from './keygen.ts';

interface SignOptions {
  /** Files of the private keys, each of which signs; two during a rotation. */
  readonly keys: readonly string[];
  /** How long the profile is valid from now on: `1y`, `6m`, `90d`. Absent: its dates stay. */
  readonly renew?: string;
  readonly now?: Date;
}

/**
 * `aval sign FILE`: replaces the signatures of a profile by those of these keys, and prints a thumbprint for each.
 * `last_updated` becomes today where the text changed since it was last signed; `renew` sets all three dates.
 * @throws ProfileError where the profile has a fault: what is signed can be served
 */
export async function sign(file: string, options: SignOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { keys: paths, renew, now = new Date() } = options;
  if (paths.length === 0) throw new Error('nothing to sign with: name a key with --key');
  const until = renew === undefined ? undefined : later(now, renew);
  const document = Members.parse(readStrictJson(await readFile(file)));
  const read = await Promise.all(paths.map(readKeyFile));
  const keys = read.map(({ key }) => key);
  const text = await signedText({ ...document, ...(await newDates(document, { keys, now, until })) }, keys);
  const { profile } = readProfile(new TextEncoder().encode(text));
  await replaceFile(file, text);
  writeLines(
    stdout,
    keys.map(({ kid }) => kid),
  );
  writeLines(stderr, [
    ...read.flatMap(({ warnings }) => warnings),
    ...timeReasons(profile, now).map(({ message, fix }) => `${message}${fix ? `: ${fix}` : ''}`),
    `${file}: signed, valid until ${profile.expires_at}`,
  ]);
  return 0;
}

const Members = z.record(z.string(), z.unknown(), { error: 'a profile is one JSON object' });

interface Dating {
  readonly keys: readonly PrivateKey[];
  readonly now: Date;
  readonly until: string | undefined;
}

/** The dates that signing changes; a document signed again with nothing changed keeps those it has. */
async function newDates(document: object, { keys, now, until }: Dating): Promise<Record<string, string>> {
  const today = timestamp(now);
  if (until !== undefined) return { issued_at: today, expires_at: until, last_updated: today };
  const checks = await verifySignatures(document, await Promise.all(keys.map(publicKeyOf)));
  const changed = !checks.some(({ outcome }) => outcome === 'verified');
  return changed && 'last_updated' in document ? { last_updated: today } : {};
}

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
