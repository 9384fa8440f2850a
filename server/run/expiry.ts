import type { Profile } from '../../brand/profile/schema.ts';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { expiryWarning, timeReasons } from '../../brand/trust/verify-profile.ts';
import { ServiceError } from '../../tools/errors.ts';
import type { Log } from '../config/log.ts';
import { DAY_MS, MINUTE_MS } from '../config/timing.ts';

/**
 * Wraps a brand: refuses questions once its profile has expired.
 * @param now milliseconds since 1970
 * @returns the same brand; its `ask` throws ServiceError `not_configured` from the moment the profile expires
 * @example
 * const brand = untilExpiry(await loadBrand(config, log), Date.now);
 */
export function untilExpiry<Loaded extends Brand>(brand: Loaded, now: () => number): Loaded {
  const expiresMs = Date.parse(brand.profile.expires_at);
  const ask: Brand['ask'] = async (query, asker) => {
    if (now() < expiresMs) return brand.ask(query, asker);
    throw new ServiceError('not_configured', {
      message: 'The brand profile has expired.',
      hint: 'Its claims are not answered until the brand has reviewed and signed them again.',
    });
  };
  return { ...brand, ask };
}

/**
 * Logs within a minute that the profile has expired, and once a day that it has or will within 30 days.
 * @returns a function that stops it
 */
export function watchExpiry(
  currentProfile: () => Profile | undefined,
  log: Log,
  now: () => number,
): () => void {
  let loggedAtMs = now();
  let loggedExpiry = '';
  const timer = setInterval(() => {
    const profile = currentProfile();
    if (!profile) return;
    const nowMs = now();
    const hasJustExpired = Date.parse(profile.expires_at) <= nowMs && loggedExpiry !== profile.expires_at;
    if (!hasJustExpired && nowMs - loggedAtMs < DAY_MS) return;
    if (hasJustExpired) loggedExpiry = profile.expires_at;
    loggedAtMs = nowMs;
    logExpiry(profile, log, new Date(nowMs));
  }, MINUTE_MS).unref();
  return () => clearInterval(timer);
}

function logExpiry(profile: Profile, log: Log, now: Date): void {
  const effect = 'questions are answered with 503 not_configured; forms and documents work';
  const faults = timeReasons(profile, now);
  for (const { message, fix } of faults) log('error', 'brand', { fault: message, fix, effect, alarm: true });
  const warning = faults.length === 0 ? expiryWarning(profile, now) : undefined;
  if (warning) log('warn', 'brand', { warning: warning.message, fix: warning.fix });
}
