import { randomBytes } from 'node:crypto';
import { isLoopback } from '../../brand/profile/web-address.ts';
import type { Config } from './config.ts';
import type { Settings } from './settings.ts';

/** Settings that exclude or need each other, a line each with what to do. */
export function conflictsOf(set: Settings): string[] {
  const faults: string[] = [];
  const hasMailer = set.SMTP_URL !== undefined || set.MAILGUN_API_KEY !== undefined;
  const isPublic = !isLoopback(new URL(set.BASE_URL ?? 'http://127.0.0.1').host);
  if (set.TRUSTED_HOPS > 0 && set.TRUSTED_PROXIES.length > 0)
    faults.push('TRUSTED_HOPS: set it or TRUSTED_PROXIES, not both');
  if ((set.MAILGUN_API_KEY === undefined) !== (set.MAILGUN_DOMAIN === undefined))
    faults.push('MAILGUN_DOMAIN: goes together with MAILGUN_API_KEY');
  if (set.WEBHOOK_URL !== undefined && set.WEBHOOK_SECRET === undefined)
    faults.push(
      'WEBHOOK_SECRET: is needed with WEBHOOK_URL. Give the receiver the same. ' +
        `A new one: whsec_${randomBytes(32).toString('base64')}`,
    );
  if (set.SMTP_URL !== undefined && set.MAILGUN_API_KEY !== undefined)
    faults.push('SMTP_URL: set it or MAILGUN_API_KEY, not both');
  if (set.NODE_ENV && isPublic && set.BRAND_FILE === undefined && !set.START_WITHOUT_BRAND)
    faults.push(
      'BRAND_FILE: production needs your own profile: ' +
        'without it the bundled example would answer in your name',
    );
  if (set.HOST.startsWith('unix:') && set.BASE_URL === undefined)
    faults.push('BASE_URL: is needed where HOST is a socket: no address can be told from it');
  if (hasMailer && set.MAIL_FROM === undefined) faults.push('MAIL_FROM: is needed to send mail');
  if (hasMailer && set.MAIL_TO === undefined) faults.push('MAIL_TO: is needed to send mail');
  return faults;
}

/** The widest private network is 10.0.0.0/8; a prefix shorter than /7 trusts a part of the internet. */
const WIDE_RANGE = /\/[0-6]$/;

/** What makes a server in production unsafe, a line each with what to do. */
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
      'TRUSTED_PROXIES: trusts addresses of strangers, so they can choose the address that its limits count. ' +
        'Name your proxy, or set ALLOW_INSECURE=1',
    );
  if (isOpenHttp(mail.mailgun?.url))
    faults.push(
      'MAILGUN_URL: must begin with https:// in production: the key and what people send go through it. ' +
        'ALLOW_INSECURE=1 allows http://',
    );
  if (/[?&](secure|requireTLS|ignoreTLS|tls\b)/i.test(mail.smtpUrl ?? ''))
    faults.push(
      'SMTP_URL: changes how TLS is used, after its ?, so the password may travel without. ' +
        'Leave that out, or set ALLOW_INSECURE=1',
    );
  return faults;
}

/** Anybody on the way reads along. */
const isOpenHttp = (url = '') => url.startsWith('http:') && !isLoopback(new URL(url).host);
