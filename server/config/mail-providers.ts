import { isOpenHttp } from '../../brand/profile/web-address.ts';
import type { Settings } from './settings.ts';

/** The settings of each mail provider. Each of a row needs the others. */
export const MAIL_PROVIDERS = {
  mailgun: ['MAILGUN_API_KEY', 'MAILGUN_DOMAIN'],
  smtp: ['SMTP_URL'],
} as const satisfies Record<string, readonly (keyof Settings)[]>;

const ROWS = Object.values(MAIL_PROVIDERS);

/** For operators: `MAILGUN_API_KEY and MAILGUN_DOMAIN, or SMTP_URL`. */
export const HOW_TO_SEND = ROWS.map(names => names.join(' and ')).join(', or ');

/** A provider's settings. `name` is its row in the table. */
export type ProviderSettings = NonNullable<ReturnType<typeof readProvider>>;

/** The provider that the settings configure. */
export function readProvider(set: Settings) {
  const { MAILGUN_API_KEY: key, MAILGUN_DOMAIN: domain, MAILGUN_URL, SMTP_URL, ALLOW_INSECURE } = set;
  if (key !== undefined && domain !== undefined)
    return { name: 'mailgun', key, domain, url: MAILGUN_URL } as const;
  if (SMTP_URL !== undefined) return { name: 'smtp', url: SMTP_URL, plain: ALLOW_INSECURE } as const;
  return undefined;
}

/** Why a provider's settings are unsafe in production unless ALLOW_INSECURE is set. */
export function providerExposure({ name, url }: ProviderSettings): string | undefined {
  if (name === 'mailgun' && isOpenHttp(url))
    return (
      'MAILGUN_URL: must begin with https:// in production: the key and what people send go through it. ' +
      'ALLOW_INSECURE=1 allows http://'
    );
  if (name === 'smtp' && /[?&](secure|requireTLS|ignoreTLS|tls\b)/i.test(url))
    return (
      'SMTP_URL: changes how TLS is used, after its ?, so the password may travel without. ' +
      'Leave that out, or set ALLOW_INSECURE=1'
    );
  return undefined;
}

/** Faults: a provider that is half set, two providers, mail without sender or team. */
export function mailConflicts(set: Settings): string[] {
  const isSet = (name: keyof Settings) => set[name] !== undefined;
  const faults: string[] = [];
  const begun = ROWS.filter(names => names.some(isSet));
  for (const names of begun)
    for (const missing of names.filter(name => !isSet(name)))
      faults.push(`${missing}: goes together with ${names.find(isSet)}`);
  const [first, second] = begun;
  if (first && second) faults.push(`${second[0]}: set it or ${first[0]}, not both`);
  if (first === undefined) return faults;
  for (const name of ['MAIL_FROM', 'MAIL_TO'] as const)
    if (!isSet(name)) faults.push(`${name}: is needed to send mail`);
  return faults;
}
