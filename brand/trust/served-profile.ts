import { type Fault, fault, renderFault } from '../profile/fault.ts';
import { type LoadedProfile, loadProfile, MAX_PROFILE_BYTES, ProfileError } from '../profile/profile.ts';
import { readBounded } from '../profile/read-bounded.ts';
import { hiddenFaults } from '../profile/texts.ts';
import { isLoopback } from '../profile/web-address.ts';
import { KeyError } from './keys.ts';
import { expiryWarning, judgeProfile, type Reason, timeReasons, uncheckedHost } from './verify-profile.ts';

interface ServedProfileOptions {
  /** File of the public keys (JWK set); undefined if there is none. */
  readonly jwksPath?: string | undefined;
  /**
   * Host of the server, with its port unless that is the scheme's. Undefined and loopback hosts are not
   * checked.
   */
  readonly host?: string | undefined;
  /** In production an unverified profile is an error. */
  readonly production: boolean;
  readonly now: Date;
}

/** Most warnings about hidden characters. */
const MAX_HIDDEN = 10;

/** A profile that the server may serve. */
export interface ServedProfile extends LoadedProfile {
  /** A key of `jwksPath` has verified a signature. */
  readonly verified: boolean;
  /** Bytes of the key set as published; absent without a file. */
  readonly jwks?: Uint8Array;
  /** For the log, one line each. */
  readonly warnings: readonly string[];
}

/**
 * Reads a profile for a server. Refuses a wrong signature, and in production an unverified profile. An
 * expired profile is only a warning, because forms and documents go on without it.
 * @throws ProfileError with every fault of the file, or every reason not to trust it
 * @example
 * const options = { jwksPath: 'brand.jwks.json', host: 'acme.example', production: true, now: new Date() };
 * const { profile, warnings } = await loadServedProfile('brand.json', options);
 */
export async function loadServedProfile(path: string, options: ServedProfileOptions): Promise<ServedProfile> {
  const { jwksPath, production, now } = options;
  const loaded = await loadProfile(path);
  const { profile, signed } = loaded;
  const jwks =
    jwksPath === undefined ? undefined : await readBounded(jwksPath, MAX_PROFILE_BYTES).catch(refuseKeys);
  const host = isExempt(options.host) ? undefined : options.host;
  const judging = jwks && signed ? judgeProfile(loaded, { jwks, host, now }) : undefined;
  const verdict = await judging?.catch(error => {
    throw error instanceof KeyError ? refuseKeys(error) : error;
  });
  const unverifiedFault = signed ? NO_KEYS : fault('signatures', 'unsigned');
  const reasons = verdict?.reasons ?? timeReasons(profile, now);
  const refusals: Fault[] = reasons.filter(reason => !isExpiry(reason));
  if (!verdict && production) refusals.unshift(unverifiedFault);
  if (refusals.length > 0) throw new ProfileError(refusals);

  const unverified = 'nobody can check these answers, and production refuses to start';
  const warnings = [...(verdict?.notes ?? [`${unverifiedFault.message}: ${unverified}`])];
  if (verdict && isExempt(options.host)) warnings.push(uncheckedHost(profile));
  const expiry = expiryWarning(profile, now);
  if (expiry) warnings.push(renderFault(expiry));
  warnings.push(...timeReasons(profile, now).filter(isExpiry).map(renderFault));
  // Only a warning: a profile that an older version has signed must not stop the server.
  warnings.push(...hiddenFaults(loaded.document).slice(0, MAX_HIDDEN).map(renderFault));
  return { ...loaded, verified: verdict !== undefined, ...(jwks && { jwks }), warnings };
}

const isExempt = (host: string | undefined) => host !== undefined && isLoopback(host);

const isExpiry = ({ code }: Reason) => code === 'expired';

const NO_KEYS: Fault = {
  path: 'signatures',
  message: 'the signature cannot be verified without the public keys',
  fix: 'name the key set with BRAND_JWKS',
};

function refuseKeys(error: Error): never {
  const message = `the key set cannot be used: ${error.message}`;
  throw new ProfileError([{ path: '', message, fix: 'check BRAND_JWKS' }], { cause: error });
}
