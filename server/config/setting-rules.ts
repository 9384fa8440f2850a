import { randomBytes } from 'node:crypto';
import { isLoopback, isOpenHttp } from '../../brand/profile/web-address.ts';
import type { Config } from './config.ts';
import { mailConflicts, providerExposure } from './mail-providers.ts';
import type { Settings } from './settings.ts';

/** Faults between settings that exclude or need each other: a line each, with what to do. */
export function conflictsOf(set: Settings): string[] {
  const faults: string[] = [];
  const isPublic = !isLoopback(new URL(set.BASE_URL ?? 'http://127.0.0.1').host);
  if (set.TRUSTED_HOPS > 0 && set.TRUSTED_PROXIES.length > 0)
    faults.push('TRUSTED_HOPS: set it or TRUSTED_PROXIES, not both');
  if (set.WEBHOOK_URL !== undefined && set.WEBHOOK_SECRET === undefined)
    faults.push(
      'WEBHOOK_SECRET: is needed with WEBHOOK_URL. Give the receiver the same. ' +
        `A new one: whsec_${randomBytes(32).toString('base64')}`,
    );
  if (set.NODE_ENV && isPublic && set.BRAND_FILE === undefined && !set.START_WITHOUT_BRAND)
    faults.push(
      'BRAND_FILE: production needs your own profile: ' +
        'without it the bundled example would answer in your name',
    );
  faults.push(...mailConflicts(set));
  return faults;
}

/** A prefix shorter than /7 trusts a part of the internet: the widest private network is 10.0.0.0/8. */
const WIDE_RANGE = /\/[0-6]$/;

/** Settings that are unsafe in production: a line each, with what to do. */
export function exposuresOf({ baseUrl, webhook, mail, proxies, allowInsecure }: Config): string[] {
  const faults: string[] = [];
  if (baseUrl === undefined)
    faults.push(
      'BASE_URL: production needs the public origin, https://acme.example: ' +
        'documents and the check of the Host header are made of it',
    );
  if (isOpenHttp(webhook?.url))
    faults.push('WEBHOOK_URL: must begin with https:// in production: what people send goes through it');
  if (allowInsecure) return faults;
  if (isOpenHttp(baseUrl))
    faults.push('BASE_URL: must begin with https:// in production. ALLOW_INSECURE=1 allows http://');
  if (proxies.ranges.some(range => WIDE_RANGE.test(range)))
    faults.push(
      'TRUSTED_PROXIES: trusts addresses of strangers, so they can choose the address that its ' +
        'limits count. ' +
        'Name your proxy, or set ALLOW_INSECURE=1',
    );
  const exposure = mail.provider && providerExposure(mail.provider);
  if (exposure !== undefined) faults.push(exposure);
  return faults;
}
