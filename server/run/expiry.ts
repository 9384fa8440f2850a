import type { Profile } from '../../brand/profile/schema.ts';
import type { Brand } from '../../brand/retrieval/brand.ts';
import type { Asker } from '../../brand/retrieval/line.ts';
import { expiryWarning, timeReasons } from '../../brand/trust/verify-profile.ts';
import { ServiceError } from '../../tools/errors.ts';
import type { Log } from '../config/log.ts';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Logs within a minute that the profile has expired, and once a day that it has or will within 30 days. A start and a
 * reload log it too.
 * @returns a function that stops this
 */
export function watchExpiry(inUse: () => Profile | undefined, log: Log, now: () => Date): () => void {
  let saidAtMs = now().getTime();
  let toldExpiry = '';
  const timer = setInterval(() => {
    const profile = inUse();
    if (!profile) return;
    const nowMs = now().getTime();
    const hasJustExpired = Date.parse(profile.expires_at) <= nowMs && toldExpiry !== profile.expires_at;
    if (!hasJustExpired && nowMs - saidAtMs < DAY_MS) return;
    if (hasJustExpired) toldExpiry = profile.expires_at;
    saidAtMs = nowMs;
    sayExpiry(profile, log, now());
  }, MINUTE_MS).unref();
  return () => clearInterval(timer);
}

function sayExpiry(profile: Profile, log: Log, at: Date): void {
  const effect = 'questions are answered with 503 not_configured; forms and documents go on';
  const faults = timeReasons(profile, at);
  for (const { message, fix } of faults) log('error', 'brand', { fault: message, fix, effect, alarm: true });
  const soon = faults.length === 0 ? expiryWarning(profile, at) : undefined;
  if (soon) log('warn', 'brand', { warning: soon.message, fix: soon.fix });
}

/** The same brand. After its profile expires it answers `not_configured`. */
export function untilExpiry<Asked extends Brand>(brand: Asked, now: () => Date): Asked {
  const endsMs = Date.parse(brand.profile.expires_at);
  return {
    ...brand,
    async ask(query: string, asker?: Asker) {
      if (now().getTime() < endsMs) return brand.ask(query, asker);
      throw new ServiceError('not_configured', {
        message: 'The brand profile has expired.',
        hint: 'Its claims are not answered until the brand has reviewed and signed them again.',
      });
    },
  };
}
