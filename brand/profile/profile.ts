import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type Fault, fault, jsonPath, renderFault } from './fault.ts';
import { type FindingCode, isFindingCode } from './findings.ts';
import { linkFaults } from './link-faults.ts';
import { readBounded } from './read-bounded.ts';
import { Profile } from './schema.ts';
import { readStrictJson } from './strict-json.ts';
import { isMissing, messageOf } from './thrown.ts';

/** A profile of 20,000 claims is about 14 MB; more would hold the process for seconds at start. */
export const MAX_PROFILE_BYTES = 16 * 1024 * 1024;

/** A profile that holds together. Whether a signature is good is `verifyProfile`'s business. */
export interface LoadedProfile {
  readonly profile: Profile;
  /** The document as parsed, nothing added: what a signature covers. */
  readonly document: unknown;
  /** The file's bytes, as published. */
  readonly bytes: Uint8Array;
  /** `sha256:` and the hex digest of `bytes`. */
  readonly digest: string;
  /** Carries at least one signature, good or bad. */
  readonly signed: boolean;
}

/** Everything wrong with a profile, one line per fault: `claims[3].proof_ids[0]: no such proof`. */
export class ProfileError extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[], options?: ErrorOptions) {
    super(faults.map(renderFault).join('\n'), options);
    this.name = 'ProfileError';
    this.faults = faults;
  }
}

/** @throws ProfileError with all faults of the file, an unreadable or oversized one included. */
export async function loadProfile(path: string): Promise<LoadedProfile> {
  const bytes = await readBounded(path, MAX_PROFILE_BYTES).catch(error => {
    throw unreadable(path, error);
  });
  return readProfile(bytes);
}

/** @throws ProfileError with all faults: of size, of JSON, of the schema, or of the links between the parts. */
export function readProfile(bytes: Uint8Array): LoadedProfile {
  refuseOversized(bytes.length);
  const document = readStrictJson(bytes, cause => new ProfileError(cause.faults, { cause }));
  const { profile, faults } = judgeDocument(document);
  if (!profile || faults.length > 0) throw new ProfileError(faults);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { profile, document, bytes, digest, signed: (profile.signatures ?? []).length > 0 };
}

/** What a document says as a profile, where its shape allows it, and all that is wrong with it: shape, dates and links. */
export function judgeDocument(document: unknown): { profile?: Profile; faults: readonly Fault[] } {
  const { data, error } = Profile.safeParse(document);
  const faults = [...(error ? schemaFaults(error) : []), ...linkFaults(document)];
  return { ...(data && { profile: data }), faults };
}

/** What the schema finds, each with what to do. */
function schemaFaults(error: z.ZodError): Fault[] {
  return error.issues.flatMap(issue => {
    const [code, value = ''] = findingOf(issue);
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path];
    return paths.map(path => fault(jsonPath(path), code, String(value)));
  });
}

/** The code of an issue, and what fills its words. Where the schema has a rule of its own, its message is the code. */
function findingOf(issue: z.core.$ZodIssue): readonly [code: FindingCode, value?: unknown] {
  switch (issue.code) {
    case 'invalid_type':
      return [
        issue.message.endsWith('received undefined') ? 'missing' : 'wrong_kind',
        KINDS[issue.expected] ?? issue.expected,
      ];
    case 'too_small':
      if (issue.origin !== 'string' && issue.origin !== 'array') return ['too_small', issue.minimum];
      return Number(issue.minimum) > 1 ? ['too_short', issue.minimum] : ['empty'];
    case 'too_big':
      return [TOO_BIG[issue.origin] ?? 'too_big', issue.maximum];
    case 'invalid_value':
      return ['not_listed', issue.values.map(value => JSON.stringify(value)).join(', ')];
    case 'unrecognized_keys':
      return ['unknown_member'];
    case 'invalid_key':
      return ['language_key'];
    case 'invalid_union':
      return ['figure_or_text'];
    default:
      return isFindingCode(issue.message) ? [issue.message] : ['other', issue.message.replaceAll('\n', ' ')];
  }
}

const TOO_BIG: Readonly<Record<string, FindingCode>> = { string: 'too_long', array: 'too_many' };

/** What the schema expects, as whoever writes JSON says it. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text in double quotes',
  number: 'a number without quotes',
  int: 'a whole number without quotes',
  boolean: 'true or false, without quotes',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
};

/** The brand's name in the profile's language, else the first name there is. */
export function brandName({ names, language }: Profile): string {
  const local = names.find(name => Object.hasOwn(name, language)) ?? names[0];
  return local?.[language] ?? Object.values(local ?? {})[0] ?? '';
}

function unreadable(path: string, cause: unknown): ProfileError {
  const message = isMissing(cause)
    ? `there is no file ${path}: name yours, or make one with aval init`
    : `cannot be read: ${messageOf(cause)}`;
  return new ProfileError([{ path: '', message }], { cause });
}

function refuseOversized(size: number): void {
  if (size <= MAX_PROFILE_BYTES) return;
  throw new ProfileError([fault('', 'too_many_bytes', String(size), String(MAX_PROFILE_BYTES))]);
}
