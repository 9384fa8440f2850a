import { type Fault, fault } from '../profile/fault.ts';
import { type LoadedProfile, ProfileError, readProfile } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import { KeyError, readKeySet } from './keys.ts';
import { type SignatureCheck, verifySignatures } from './signature.ts';

/** What a profile is checked against. */
export interface Expectation {
  /** Bytes of the JWK set that the profile's host publishes. */
  readonly jwks: Uint8Array;
  /** Host that the profile must be of, with a port other than the scheme's; undefined skips the check. */
  readonly host?: string | undefined;
  readonly now: Date;
}

/** A reason against trusting a profile. The path is in the profile, or in the key set for `invalid_keys`. */
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

/** Verified: signed with the host's keys, unchanged and in force. The claims may still be untrue. */
export interface ProfileVerdict {
  readonly verified: boolean;
  /** Every reason against it; empty when verified. */
  readonly reasons: readonly Reason[];
  /** Thumbprints of the keys that signed these bytes. */
  readonly kids: readonly string[];
  /** Warnings that do not change the verdict. */
  readonly notes: readonly string[];
  /** The profile, verified or not, if the bytes are one. */
  readonly loaded?: LoadedProfile;
}

/**
 * Checks what a stranger can: form, at least one good signature, host and time. A bad profile gives a verdict, never an
 * error.
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
 * The same for a profile that has been read.
 * @throws KeyError for a broken key set
 */
export async function judgeProfile(
  loaded: LoadedProfile,
  { jwks, host, now }: Expectation,
): Promise<ProfileVerdict> {
  const checks = await verifySignatures(loaded.document, await readKeySet(jwks));
  const kids = checks.flatMap(({ outcome, kid }) =>
    outcome === 'verified' && kid !== undefined ? [kid] : [],
  );
  const against = signatureReasons(checks);
  const reasons = [
    ...(kids.length > 0 ? [] : against),
    ...timeReasons(loaded.profile, now),
    ...hostReasons(loaded.profile, host),
  ];
  // During a rotation one signature's key is not yet, or no longer, published.
  const notes = kids.length > 0 ? against.map(({ path, message }) => `${path}: ${message}`) : [];
  if (host === undefined)
    notes.push(`the host was not checked: the profile speaks for ${new URL(loaded.profile.url).host}`);
  return { verified: reasons.length === 0, reasons, kids, notes, loaded };
}

/** Dates with a zone (ISO 8601). */
type Dates = Pick<Profile, 'issued_at' | 'expires_at'>;

/** Why a moment is outside the profile's validity; empty within it. */
export function timeReasons({ issued_at, expires_at }: Dates, now: Date): Reason[] {
  if (now.getTime() >= Date.parse(expires_at)) {
    return [{ ...fault('expires_at', 'expired', expires_at), code: 'expired' }];
  }
  if (now.getTime() >= Date.parse(issued_at)) return [];
  return [{ ...fault('issued_at', 'not_yet_valid', issued_at), code: 'not_yet_valid' }];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Enough to review the claims, sign and publish. */
export const EXPIRY_NOTICE_DAYS = 30;

/** A warning in the 30 days before the profile expires; otherwise undefined. */
export function expiryWarning({ expires_at }: Pick<Dates, 'expires_at'>, now: Date): Fault | undefined {
  const days = Math.floor((Date.parse(expires_at) - now.getTime()) / DAY_MS);
  if (!(days >= 0 && days < EXPIRY_NOTICE_DAYS)) return undefined;
  const code = (['expires_today', 'expires_tomorrow'] as const)[days] ?? 'expires_soon';
  return fault('expires_at', code, String(days));
}

function signatureReasons(checks: readonly SignatureCheck[]): Reason[] {
  if (checks.length === 0) return [{ ...fault('signatures', 'unsigned'), code: 'unsigned' }];
  return checks.flatMap(({ outcome: code, reason: message }, at) => {
    if (code === 'verified') return [];
    return [
      {
        code,
        path: `signatures[${at}]`,
        message,
        ...(code === 'bad_signature' && { fix: 'aval sign FILE' }),
      },
    ];
  });
}

function hostReasons({ url }: Profile, host: string | undefined): Reason[] {
  const own = new URL(url).host;
  if (host === undefined || own === host.toLowerCase()) return [];
  return [{ code: 'host_mismatch', path: 'url', message: `the profile speaks for ${own}, not for ${host}` }];
}

function refusal(code: Reason['code'], faults: readonly Fault[]): ProfileVerdict {
  return { verified: false, reasons: faults.map(fault => ({ ...fault, code })), kids: [], notes: [] };
}
