import { createHash } from 'node:crypto';
import { EXTRA } from '../tools/deliver.ts';
import { ServiceError } from '../tools/errors.ts';

type Role = 'trap' | 'next' | 'note' | 'key' | 'ignored';

/**
 * Fields that a website may add to its form posts besides the form's own. They are taken out before validation, so that the
 * contract's "no extra properties" stays true for the rest. JSON bodies have none of them.
 */
const RESERVED_FIELDS: readonly (readonly [name: RegExp, role: Role])[] = [
  // Hidden, people leave it empty; filled in, the mail is marked as suspect and nobody gets a confirmation.
  [/^_gotcha$/, 'trap'],
  // The page that the browser is sent to after success.
  [/^_next$/, 'next'],
  // Names one filled-in form, so that a second post of it is the same submission.
  [/^_key$/, 'key'],
  // What the person agreed to, where the form stood, and what led there: for the team's mail.
  [/^(consent|page|utm_(source|medium|campaign|term|content|id))$/, 'note'],
  // Settings of other form services, and what the usual captchas add.
  [/^_(subject|replyto|cc|captcha|template|language|format|redirect|autoresponse)$/, 'ignored'],
  [/^(g-recaptcha|h-captcha|cf-turnstile)-response$|^(altcha|frc-captcha-(solution|response))$/, 'ignored'],
];

const MAX_NOTE = 500;

/** Fields of neither the form nor the table above: how many reach the team, and how long their names may be. */
const [MAX_EXTRAS, MAX_NAME] = [10, 40];

interface Form {
  /** Names of the form's own fields. */
  readonly own: readonly string[];
  /** Name of a further field that people leave empty. */
  readonly honeypot: string | undefined;
  /** A person sent it, who cannot mend a field that the page adds: it goes to the team. A program's stays a fault. */
  readonly isVisit: boolean;
}

/** A form post, taken apart: the form's own fields, and what else the roles say. */
export function takeApart(sent: Readonly<Record<string, string>>, { own, honeypot, isVisit }: Form) {
  const roleOf = (field: string): Role | 'own' | 'extra' => {
    if (own.includes(field)) return 'own';
    if (field === honeypot) return 'trap';
    return RESERVED_FIELDS.find(([name]) => name.test(field))?.[1] ?? (isVisit ? 'extra' : 'own');
  };
  const filled = Object.entries(sent).filter(([, value]) => value !== '');
  const having = (role: ReturnType<typeof roleOf>) => filled.filter(([name]) => roleOf(name) === role);
  const bounded = ([name, value]: readonly [string, string]) => [name, value.slice(0, MAX_NOTE)] as const;
  const extras = having('extra')
    .slice(0, MAX_EXTRAS)
    .map(([name, value]) => [`${EXTRA}${name.replace(/\s+/g, ' ').slice(0, MAX_NAME)}`, value] as const);
  const fields = Object.fromEntries(Object.entries(sent).filter(([name]) => roleOf(name) === 'own'));
  const [key] = having('key');
  return {
    fields,
    /** For the team, by field name. What no form here has is called `extra.NAME`. */
    notes: Object.fromEntries([...having('note'), ...extras].map(bounded)),
    next: having('next')[0]?.[1],
    suspect: having('trap').length > 0,
    /** Of the form that was filled in, and of what it says: a changed text is a new submission. */
    key:
      key &&
      createHash('sha256')
        .update(JSON.stringify([key[1], fields]))
        .digest('base64url'),
  };
}

/**
 * The address that `_next` names, as a browser reads it.
 * @throws ServiceError `validation_error`: an open redirect would lend this site's name to any other
 */
export function requireNext(next: string, allowsOrigin: (origin: string) => boolean): URL {
  const url = /^https?:\/\/[^\\]*$/i.test(next) && URL.canParse(next) ? new URL(next) : undefined;
  if (url && url.username === '' && url.password === '' && allowsOrigin(url.origin)) return url;
  throw new ServiceError('validation_error', { issues: [{ field: '_next', rule: 'ownAddress' }] });
}

/** The page to go on to, told which submission it thanks for. */
export function withReference(next: URL, reference: string | undefined): string {
  const url = new URL(next);
  if (reference !== undefined) url.searchParams.set('reference', reference);
  return url.href;
}
