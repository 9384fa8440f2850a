import { type Fault, renderFault } from '../profile/fault.ts';
import { isLoopback } from '../profile/loopback.ts';
import { type LoadedProfile, loadProfile, MAX_PROFILE_BYTES, ProfileError } from '../profile/profile.ts';
import { readBounded } from '../profile/read-bounded.ts';
import { hiddenFaults } from '../profile/texts.ts';
import { KeyError } from './keys.ts';
import {
  expiryWarning,
  judgeProfile,
  type ProfileVerdict,
  type Reason,
  timeReasons,
} from './verify-profile.ts';

export interface ServedProfileOptions {
  /** File of the public keys (JWK set); undefined if there is none. */
  readonly jwksPath?: string | undefined;
  /** Host of the server, with a port other than the scheme's. Undefined and loopback addresses skip the check. */
  readonly host?: string | undefined;
  /** Production refuses an unverified profile. */
  readonly production: boolean;
  readonly now: Date;
}

/** A log says no more of one kind. */
const MAX_HIDDEN = 10;

/** A profile that the server may serve. */
export interface ServedProfile extends LoadedProfile {
  /** A key of `jwksPath` verified a signature. */
  readonly verified: boolean;
  /** Bytes of the key set as published; absent without a file. */
  readonly jwks?: Uint8Array;
  /** For the log, one line each. */
  readonly warnings: readonly string[];
}

/**
 * Reads a profile for a server. It refuses a wrong signature, and in production an unverified profile. An expired one gets a
 * warning: forms and documents work, and the server decides about questions.
 * @throws ProfileError with every fault of the file, or every reason against trusting it
 */
export async function loadServedProfile(path: string, options: ServedProfileOptions): Promise<ServedProfile> {
  const { jwksPath, production, now } = options;
  const loaded = await loadProfile(path);
  const { profile, signed } = loaded;
  const jwks = jwksPath === undefined ? undefined : await readKeys(jwksPath);
  const verdict = jwks && signed ? await judged(loaded, jwks, options) : undefined;
  const doubt = signed ? NO_KEYS : UNSIGNED;
  const reasons = verdict?.reasons ?? timeReasons(profile, now);
  const against = [
    ...(!verdict && production ? [doubt] : []),
    ...reasons.filter(reason => !isExpiry(reason)),
  ];
  if (against.length > 0) throw new ProfileError(against);
  const notices = [
    expiryWarning(profile, now),
    ...timeReasons(profile, now).filter(isExpiry),
    // A signed profile that was fine yesterday goes on.
    ...hiddenFaults(loaded.document).slice(0, MAX_HIDDEN),
  ];
  const unverified = `${doubt.message}: nobody can check these answers, and production refuses to start`;
  const warnings = [
    ...(verdict?.notes ?? [unverified]),
    ...notices.flatMap(one => (one ? renderFault(one) : [])),
  ];
  return { ...loaded, verified: verdict !== undefined, ...(jwks && { jwks }), warnings };
}

function judged(
  loaded: LoadedProfile,
  jwks: Uint8Array,
  { host, now }: ServedProfileOptions,
): Promise<ProfileVerdict> {
  const checked = host !== undefined && isLoopback(host) ? undefined : host;
  return judgeProfile(loaded, { jwks, host: checked, now }).catch(error => {
    throw error instanceof KeyError ? keysError(error) : error;
  });
}

const isExpiry = ({ code }: Reason) => code === 'expired';

const UNSIGNED: Fault = {
  path: 'signatures',
  message: 'the profile is not signed',
  fix: 'sign it: aval sign FILE',
};

const NO_KEYS: Fault = {
  path: 'signatures',
  message: 'the signature cannot be verified without the public keys',
  fix: 'name the key set with BRAND_JWKS',
};

function readKeys(path: string): Promise<Uint8Array> {
  return readBounded(path, MAX_PROFILE_BYTES).catch(error => {
    throw keysError(error);
  });
}

function keysError(error: Error): ProfileError {
  const message = `the key set cannot be used: ${error.message}`;
  return new ProfileError([{ path: '', message, fix: 'check BRAND_JWKS' }], { cause: error });
}
