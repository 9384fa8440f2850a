/*
 * This room is the format of brand.json: claims, proofs, actions and questions of one brand.
 * In: the bytes of a file, or a document in any state.
 * Out: a profile without faults, or the faults, each with its place and what to do.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type Fault, fault, jsonPath, renderFault } from './fault.ts';
import { type FindingCode, isFindingCode } from './findings.ts';
import { linkFaults } from './link-faults.ts';
import { readBounded } from './read-bounded.ts';
import { Profile } from './schema.ts';
import { readStrictJson } from './strict-json.ts';
import { primaryTag } from './texts.ts';
import { isMissing, messageOf } from './thrown.ts';

/** A profile of 20,000 claims is about 14 MB; more would hold the process for seconds at start. */
export const MAX_PROFILE_BYTES = 16 * 1024 * 1024;

/** A profile without faults. Its signatures are not checked here: `verifyProfile` does. */
export interface LoadedProfile {
  readonly profile: Profile;
  /** The document as parsed, without defaults. Signatures cover it. */
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

/**
 * Reads a profile from a file.
 * @throws ProfileError with all faults, also for a file that is missing, unreadable or larger than 16 MB
 * @example const { profile, digest } = await loadProfile('brand.json');
 */
export async function loadProfile(path: string): Promise<LoadedProfile> {
  const bytes = await readBounded(path, MAX_PROFILE_BYTES).catch(error => {
    throw unreadable(path, error);
  });
  return readProfile(bytes);
}

/**
 * Reads a profile from bytes: size, JSON, schema, then links between its parts.
 * @throws ProfileError with all faults of the first of these steps that fails
 * @example const { profile } = readProfile(await readFile('brand.json'));
 */
export function readProfile(bytes: Uint8Array): LoadedProfile {
  if (bytes.length > MAX_PROFILE_BYTES) {
    const sizes = [String(bytes.length), String(MAX_PROFILE_BYTES)];
    throw new ProfileError([fault('', 'too_many_bytes', ...sizes)]);
  }
  const document = readStrictJson(bytes, cause => new ProfileError(cause.faults, { cause }));
  const { profile, faults } = judgeDocument(document);
  if (!profile || faults.length > 0) throw new ProfileError(faults);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { profile, document, bytes, digest, signed: (profile.signatures ?? []).length > 0 };
}

/**
 * All faults of a parsed document: of its shape or, where it has its shape, of dates and links.
 * @returns also the profile, unless a fault is one of the shape
 * @example const { profile, faults } = judgeDocument(JSON.parse(text));
 */
export function judgeDocument(document: unknown): { profile?: Profile; faults: readonly Fault[] } {
  const { data: profile, error } = Profile.safeParse(document);
  return profile ? { profile, faults: linkFaults(profile) } : { faults: schemaFaults(error) };
}

function schemaFaults(error: z.ZodError): Fault[] {
  return error.issues.flatMap(issue => {
    const [code, value = ''] = findingOf(issue);
    const isUnknown = issue.code === 'unrecognized_keys';
    const paths = isUnknown ? issue.keys.map(key => [...issue.path, key]) : [issue.path];
    return paths.map(path => fault(jsonPath(path), code, String(value)));
  });
}

/**
 * The code of an issue, and the value for its text. The custom rules of our schema have a code as message.
 */
function findingOf(issue: z.core.$ZodIssue): readonly [code: FindingCode, value?: unknown] {
  switch (issue.code) {
    case 'invalid_type': {
      const isMissingMember = issue.message.endsWith('received undefined');
      return [isMissingMember ? 'missing' : 'wrong_kind', KINDS[issue.expected] ?? issue.expected];
    }
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

/** What the schema expects, in words for somebody who writes JSON. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text in double quotes',
  number: 'a number without quotes',
  int: 'a whole number without quotes',
  boolean: 'true or false, without quotes',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
};

/**
 * The brand's name in the profile's language: `en-GB`, else `en`, else another `en-…`, else the first.
 * @example
 * brandName({ names: [{ es: 'Norte Claro' }, { en: 'Clear North' }], language: 'en-GB' }); // 'Clear North'
 */
export function brandName({ names, language }: Profile): string {
  const entries = names.flatMap(localName => Object.entries(localName));
  const primary = primaryTag(language);
  const entry =
    entries.find(([tag]) => tag === language) ??
    entries.find(([tag]) => tag === primary) ??
    entries.find(([tag]) => primaryTag(tag) === primary) ??
    entries[0];
  return entry?.[1] ?? '';
}

function unreadable(path: string, cause: unknown): ProfileError {
  const message = isMissing(cause)
    ? `there is no file ${path}: name yours, or make one with aval init`
    : `cannot be read: ${messageOf(cause)}`;
  return new ProfileError([{ path: '', message }], { cause });
}
