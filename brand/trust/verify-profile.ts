/*
 * This room is the trust in a profile: keys, signatures, verdicts on profiles and on answers.
 * In: bytes of a profile, of a key set, of an answer; the host and the time.
 * Out: a verdict with every reason against it. Bad bytes give a verdict, not an error.
 */

import { type Fault, fault } from '../profile/fault.ts';
import { type LoadedProfile, ProfileError, readProfile } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import { parseUrl } from '../profile/web-address.ts';
import { KeyError, readKeySet } from './keys.ts';
import { type SignatureCheck, verifySignatures } from './signature.ts';

/** Keys, host and time to check a profile with. */
export interface Expectation {
  /** Bytes of the JWK set that the profile's host publishes. */
  readonly jwks: Uint8Array;
  /** Host of the profile, with its port unless that is the scheme's. Undefined: the host is not checked. */
  readonly host?: string | undefined;
  readonly now: Date;
}

/** A reason not to trust a profile. The path is in the profile; for `invalid_keys` it is in the key set. */
export interface Reason extends Fault {
  readonly code:
    | 'invalid_profile'
    | 'invalid_keys'
    | 'unsigned'
    | Exclude<SignatureCheck['outcome'], 'verified'>
    | 'expired'
    | 'not_yet_valid'
    | 'host_mismatch';
}

/**
 * The verdict on a profile: whether it is signed with the host's keys, unchanged and in force. It says
 * nothing about truth.
 */
export interface ProfileVerdict {
  readonly verified: boolean;
  /** Every reason against the profile; empty when verified. */
  readonly reasons: readonly Reason[];
  /** Thumbprints of the keys that signed these bytes. */
  readonly kids: readonly string[];
  /** Warnings that do not change the verdict. */
  readonly notes: readonly string[];
  /** The profile, verified or not; absent if the bytes are none. */
  readonly loaded?: LoadedProfile;
}

/**
 * Verifies a profile from its bytes: form, at least one good signature, host and time. A bad profile or key
 * set gives a verdict, not an error.
 * @throws Error for a host that has a part of an address in it, such as a path
 * @example
 * const verdict = await verifyProfile(bytes, { jwks, host: 'acme.example', now: new Date() });
 * if (!verdict.verified) console.error(verdict.reasons);
 */
export async function verifyProfile(bytes: Uint8Array, expectation: Expectation): Promise<ProfileVerdict> {
  try {
    return await judgeProfile(readProfile(bytes), expectation);
  } catch (error) {
    if (error instanceof ProfileError) return refusal('invalid_profile', error.faults);
    if (error instanceof KeyError)
      return refusal('invalid_keys', [{ path: '', message: `the key set is unusable: ${error.message}` }]);
    throw error;
  }
}

/**
 * Verifies a profile that was read already.
 * @throws KeyError for a broken key set; Error for a host that has a part of an address in it
 * @example const { verified, reasons } = await judgeProfile(readProfile(bytes), { jwks, now: new Date() });
 */
export async function judgeProfile(
  loaded: LoadedProfile,
  { jwks, host, now }: Expectation,
): Promise<ProfileVerdict> {
  const checks = await verifySignatures(loaded.document, await readKeySet(jwks));
  const kids = checks.flatMap(({ outcome, kid }) =>
    outcome === 'verified' && kid !== undefined ? [kid] : [],
  );
  const reasons = [...timeReasons(loaded.profile, now), ...hostReasons(loaded.profile, host)];
  const notes: string[] = [];
  const faults = signatureReasons(checks);
  // One good signature is enough: during a rotation the key of another may not be published yet.
  if (kids.length === 0) reasons.unshift(...faults);
  else notes.push(...faults.map(({ path, message }) => `${path}: ${message}`));
  return { verified: reasons.length === 0, reasons, kids, notes, loaded };
}

/** The note of a verdict without a check of the host. */
export const uncheckedHost = ({ url }: Pick<Profile, 'url'>): string =>
  `the host was not checked: the profile speaks for ${new URL(url).host}`;

/** Dates with a zone (ISO 8601). */
type Dates = Pick<Profile, 'issued_at' | 'expires_at'>;

/**
 * Why the profile is not valid at this time; empty if it is.
 * @example timeReasons(profile, new Date()).map(renderFault); // ['expires_at: the profile expired at …']
 */
export function timeReasons({ issued_at, expires_at }: Dates, now: Date): Reason[] {
  if (now.getTime() >= Date.parse(expires_at)) return [fault('expires_at', 'expired', expires_at)];
  if (now.getTime() >= Date.parse(issued_at)) return [];
  return [fault('issued_at', 'not_yet_valid', issued_at)];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days of warning before the end: enough to review the claims, sign and publish. */
export const EXPIRY_NOTICE_DAYS = 30;

/** A warning in the 30 days before the profile expires; otherwise undefined. */
export function expiryWarning({ expires_at }: Pick<Dates, 'expires_at'>, now: Date): Fault | undefined {
  const days = (Date.parse(expires_at) - now.getTime()) / DAY_MS;
  if (days < 0 || days >= EXPIRY_NOTICE_DAYS) return undefined;
  return fault('expires_at', 'expires_soon', expires_at);
}

function signatureReasons(checks: readonly SignatureCheck[]): Reason[] {
  if (checks.length === 0) return [fault('signatures', 'unsigned')];
  return checks.flatMap(({ outcome: code, reason: message }, index): Reason[] => {
    if (code === 'verified') return [];
    const path = `signatures[${index}]`;
    if (code === 'bad_signature') return [{ code, path, message, fix: 'aval sign FILE' }];
    return [{ code, path, message }];
  });
}

/** @throws Error for a text with more than a host: the host in it is not the one that a reader sees */
function hostReasons({ url }: Profile, host: string | undefined): Reason[] {
  if (host !== undefined && /[@/?#\\]/.test(host))
    throw new Error(`${host} is not a host: write it like acme.example`);
  const profileHost = new URL(url).host;
  // Both as a browser writes them: lower case, and punycode for letters beyond ASCII.
  const expectedHost = parseUrl(`https://${host}`)?.host;
  if (host === undefined || profileHost === expectedHost) return [];
  const message = `the profile speaks for ${profileHost}, not for ${host}`;
  return [{ code: 'host_mismatch', path: 'url', message }];
}

function refusal(code: Reason['code'], faults: readonly Fault[]): ProfileVerdict {
  return { verified: false, reasons: faults.map(fault => ({ ...fault, code })), kids: [], notes: [] };
}
