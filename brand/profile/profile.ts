import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { clientIsNamed } from './client-name.ts';
import { type Fault, jsonPath, quote, renderFault } from './fault.ts';
import { Profile } from './schema.ts';
import { JsonError, readStrictJson } from './strict-json.ts';

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
export async function loadProfile(path: string, { maxBytes = MAX_PROFILE_BYTES } = {}): Promise<LoadedProfile> {
  return readProfile(await readBytes(path, maxBytes), { maxBytes });
}

/** @throws ProfileError with all faults: of size, of JSON, of the schema, or of the links between the parts. */
export function readProfile(bytes: Uint8Array, { maxBytes = MAX_PROFILE_BYTES } = {}): LoadedProfile {
  refuseOversized(bytes.length, maxBytes);
  const document = parseJson(bytes);
  const parsed = Profile.safeParse(document);
  if (!parsed.success) throw new ProfileError(parsed.error.issues.flatMap(issueFaults));
  const profile = parsed.data;
  const faults = [...dateFaults(profile), ...idFaults(profile), ...linkFaults(profile), ...clientFaults(profile)];
  if (faults.length > 0) throw new ProfileError(faults);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { profile, document, bytes, digest, signed: (profile.signatures ?? []).length > 0 };
}

/** The brand's name in the profile's language, else the first name there is. */
export function brandName({ names, language }: Profile): string {
  const local = names.find(name => Object.hasOwn(name, language)) ?? names[0];
  return local?.[language] ?? Object.values(local ?? {})[0] ?? '';
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    refuseOversized((await stat(path)).size, maxBytes);
    return await readFile(path);
  } catch (error) {
    if (error instanceof ProfileError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProfileError([{ path: '', message: `cannot be read: ${reason}` }], { cause: error });
  }
}

function refuseOversized(size: number, maxBytes: number): void {
  if (size <= maxBytes) return;
  const message = `is ${size} bytes long, at most ${maxBytes} are accepted`;
  throw new ProfileError([{ path: '', message, fix: 'split the profile or shorten its texts' }]);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return readStrictJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new ProfileError(error.faults, { cause: error });
    throw error;
  }
}

function issueFaults(issue: z.core.$ZodIssue): Fault[] {
  const path = jsonPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({
      path: jsonPath([...issue.path, key]),
      message: 'unknown member',
      fix: 'remove it',
    }));
  }
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return [{ path, message: 'is missing', fix: `add it, of type ${issue.expected}` }];
  }
  return [{ path, message: issue.message.replaceAll('\n', ' ') }];
}

function dateFaults({ issued_at, expires_at }: Profile): Fault[] {
  if (Date.parse(expires_at) > Date.parse(issued_at)) return [];
  return [{ path: 'expires_at', message: 'is not after issued_at', fix: 'set a later date and sign again' }];
}

function idFaults({ claims, proofs }: Profile): Fault[] {
  return [
    ...repeated(claims.map(claim => claim.claim_id)).map(at => repeatedFault(['claims', at, 'claim_id'])),
    ...repeated(proofs.map(proof => proof.proof_id)).map(at => repeatedFault(['proofs', at, 'proof_id'])),
    ...claims.flatMap(({ proof_ids }, claim) =>
      repeated(proof_ids).map(at => repeatedFault(['claims', claim, 'proof_ids', at])),
    ),
  ];
}

/** Positions of the values that stood earlier already. */
function repeated(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, at) => (seen.size === seen.add(value).size ? [at] : []));
}

function repeatedFault(path: readonly PropertyKey[]): Fault {
  return { path: jsonPath(path), message: 'used twice', fix: 'give each its own id, and list each once' };
}

function linkFaults({ claims, proofs }: Profile): Fault[] {
  const known = new Set(proofs.map(proof => proof.proof_id));
  return claims.flatMap(({ proof_ids }, claim) =>
    proof_ids.flatMap((id, at) => {
      if (known.has(id)) return [];
      const path = jsonPath(['claims', claim, 'proof_ids', at]);
      return [{ path, message: 'no such proof', fix: `add a proof with the id ${quote(id)}, or remove the link` }];
    }),
  );
}

function clientFaults({ proofs, language }: Profile): Fault[] {
  const publicClients = proofs.filter(proof => proof.confidentiality === 'public').map(proof => proof.client);
  return proofs.flatMap(({ client, confidentiality }, at) => {
    if (confidentiality === 'public' || !clientIsNamed(client, { publicClients, language })) return [];
    const message = `names a client, though the proof is ${confidentiality}: the profile is public`;
    const fix =
      'describe the client in lower-case words and put places after a comma: "Fabricante de conservas, Galicia"';
    return [{ path: jsonPath(['proofs', at, 'client']), message, fix }];
  });
}
