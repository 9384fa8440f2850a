import { clientWarnings } from '../profile/client-name.ts';
import { type Fault, renderFault } from '../profile/fault.ts';
import { isLoopback } from '../profile/loopback.ts';
import { type LoadedProfile, loadProfile, MAX_PROFILE_BYTES, ProfileError } from '../profile/profile.ts';
import { readBounded } from '../profile/read-bounded.ts';
import { hiddenFaults } from '../profile/texts.ts';
import { KeyError } from './keys.ts';
import { expiryWarning, judgeProfile, type Reason, timeReasons } from './verify-profile.ts';

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
  const loaded = await loadProfile(path);
  const served = await admit(loaded, options);
  const { profile } = served;
  const notices = [
    expiryWarning(profile, options.now),
    ...timeReasons(profile, options.now).filter(isExpiry),
    // A signed profile that was fine yesterday goes on.
    ...hiddenFaults(loaded.document).slice(0, MAX_HIDDEN),
    ...clientWarnings(
      profile.proofs.map((part, at) => ({ at, part })),
      profile.language,
    ),
  ];
  return {
    ...served,
    warnings: [...served.warnings, ...notices.flatMap(notice => (notice ? renderFault(notice) : []))],
  };
}

async function admit(loaded: LoadedProfile, options: ServedProfileOptions): Promise<ServedProfile> {
  const jwks = options.jwksPath === undefined ? undefined : await readKeys(options.jwksPath);
  if (jwks === undefined || !loaded.signed) return admitUnverified(loaded, { ...options, ...(jwks && { jwks }) });
  const host = options.host !== undefined && isLoopback(options.host) ? undefined : options.host;
  const { reasons, notes } = await judgeProfile(loaded, { jwks, host, now: options.now }).catch(error => {
    throw error instanceof KeyError ? keysError(error) : error;
  });
  const against = reasons.filter(reason => !isExpiry(reason));
  if (against.length > 0) throw new ProfileError(against);
  return { ...loaded, verified: true, jwks, warnings: notes };
}

const isExpiry = ({ code }: Reason) => code === 'expired';

type WithKeys = ServedProfileOptions & { readonly jwks?: Uint8Array };

function admitUnverified(loaded: LoadedProfile, { production, now, jwks }: WithKeys): ServedProfile {
  const doubt = loaded.signed ? NO_KEYS : UNSIGNED;
  const faults = [
    ...(production ? [doubt] : []),
    ...timeReasons(loaded.profile, now).filter(reason => !isExpiry(reason)),
  ];
  if (faults.length > 0) throw new ProfileError(faults);
  const warnings = [`${doubt.message}: nobody can check these answers, and production refuses to start`];
  return { ...loaded, verified: false, ...(jwks && { jwks }), warnings };
}

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
