import { isOpenHttp } from '../../brand/profile/web-address.ts';
import type { Settings } from './settings.ts';

/** A provider's settings. `name` is its row in the table. */
export type ProviderSettings = NonNullable<ReturnType<(typeof MAIL_PROVIDERS)[number]['read']>>;

/** A row of the table of mail providers. Rules of settings, mode and texts for operators follow from it. */
interface MailProvider {
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** Its settings. Each needs the others. */
  readonly needs: readonly [keyof Settings, ...(keyof Settings)[]];
  /** @returns `undefined` unless all of `needs` are set */
  readonly read: (set: Settings) => { readonly name: string } | undefined;
  /** Why these settings are unsafe in production unless ALLOW_INSECURE is set. */
  readonly exposure: (set: Settings) => string | undefined;
}

const MAILGUN = {
  name: 'mailgun',
  title: 'Mailgun',
  needs: ['MAILGUN_API_KEY', 'MAILGUN_DOMAIN'],
  read({ MAILGUN_API_KEY: key, MAILGUN_DOMAIN: domain, MAILGUN_URL: url }: Settings) {
    if (key === undefined || domain === undefined) return undefined;
    return { name: 'mailgun', key, domain, url } as const;
  },
  exposure({ MAILGUN_URL: url }: Settings) {
    if (!isOpenHttp(url)) return undefined;
    return (
      'MAILGUN_URL: must begin with https:// in production: the key and what people send go through it. ' +
      'ALLOW_INSECURE=1 allows http://'
    );
  },
} as const satisfies MailProvider;

const SMTP = {
  name: 'smtp',
  title: 'SMTP',
  needs: ['SMTP_URL'],
  read({ SMTP_URL: url, ALLOW_INSECURE: plain }: Settings) {
    return url === undefined ? undefined : ({ name: 'smtp', url, plain } as const);
  },
  exposure({ SMTP_URL: url = '' }: Settings) {
    if (!/[?&](secure|requireTLS|ignoreTLS|tls\b)/i.test(url)) return undefined;
    return (
      'SMTP_URL: changes how TLS is used, after its ?, so the password may travel without. ' +
      'Leave that out, or set ALLOW_INSECURE=1'
    );
  },
} as const satisfies MailProvider;

export const MAIL_PROVIDERS = [MAILGUN, SMTP] as const;

const ROWS: readonly MailProvider[] = MAIL_PROVIDERS;

/** The row of a provider. */
export const providerNamed = (name: string): MailProvider | undefined => ROWS.find(row => row.name === name);

/** The provider that the settings configure, and why it would be unsafe in production. */
export function readProvider(set: Settings) {
  for (const { read, exposure } of MAIL_PROVIDERS) {
    const provider: ProviderSettings | undefined = read(set);
    if (provider) return { provider, exposure: exposure(set) };
  }
  return { provider: undefined, exposure: undefined };
}

/** For operators: `MAILGUN_API_KEY and MAILGUN_DOMAIN, or SMTP_URL`. */
export const HOW_TO_SEND = ROWS.map(({ needs }) => needs.join(' and ')).join(', or ');

/** Faults: a provider that is half set, two providers, mail without sender or team. */
export function mailConflicts(set: Settings): string[] {
  const isSet = (name: keyof Settings) => set[name] !== undefined;
  const faults: string[] = [];
  const begun = ROWS.filter(({ needs }) => needs.some(isSet));
  for (const { needs } of begun)
    for (const missing of needs.filter(name => !isSet(name)))
      faults.push(`${missing}: goes together with ${needs.find(isSet)}`);
  const [first, second] = begun;
  if (first && second) faults.push(`${second.needs[0]}: set it or ${first.needs[0]}, not both`);
  if (first === undefined) return faults;
  for (const name of ['MAIL_FROM', 'MAIL_TO'] as const)
    if (!isSet(name)) faults.push(`${name}: is needed to send mail`);
  return faults;
}
