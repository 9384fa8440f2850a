import { ServiceError } from '../../tools/errors.ts';

interface ReservedField {
  readonly name: RegExp;
  /** As documents show it. */
  readonly shown: string;
  readonly meaning: string;
  /** What it is for the submission. */
  readonly role: 'trap' | 'next' | 'note';
}

/**
 * Fields that a website may add to its form posts besides the form's own: taken out before validation, so that the
 * contract's "no extra properties" stays true for the rest. JSON bodies have none of them.
 */
export const RESERVED_FIELDS: readonly ReservedField[] = [
  {
    name: /^_gotcha$/,
    shown: '_gotcha',
    role: 'trap',
    meaning: 'hidden, people leave it empty; filled in, the mail is marked as suspect and nobody gets a confirmation',
  },
  {
    name: /^_next$/,
    shown: '_next',
    role: 'next',
    meaning: 'page the browser is sent to after success; its origin is the service’s own or one of ALLOWED_ORIGINS',
  },
  {
    name: /^consent$/,
    shown: 'consent',
    role: 'note',
    meaning: 'what the person agreed to; goes into the team’s mail',
  },
  { name: /^page$/, shown: 'page', role: 'note', meaning: 'where the form stood; goes into the team’s mail' },
  {
    name: /^utm_(source|medium|campaign|term|content|id)$/,
    shown: 'utm_*',
    role: 'note',
    meaning: 'utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id; go into the team’s mail',
  },
];

const MAX_NOTE = 500;

/** A form post, taken apart. */
export interface SentForm {
  /** The form's own fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** For the team, by field name. */
  readonly notes: Readonly<Record<string, string>>;
  readonly next: string | undefined;
  /** A field that people leave empty was filled in. */
  readonly suspect: boolean;
}

/** @param honeypot name of a further field that people leave empty */
export function takeApart(sent: Readonly<Record<string, string>>, honeypot: string | undefined): SentForm {
  const roleOf = (name: string) =>
    name === honeypot ? 'trap' : RESERVED_FIELDS.find(field => field.name.test(name))?.role;
  const entries = Object.entries(sent);
  const having = (role: ReservedField['role'] | undefined) => entries.filter(([name]) => roleOf(name) === role);
  const notes = having('note').filter(([, value]) => value !== '');
  return {
    fields: Object.fromEntries(having(undefined)),
    notes: Object.fromEntries(notes.map(([name, value]) => [name, value.slice(0, MAX_NOTE)])),
    next: having('next').find(([, value]) => value !== '')?.[1],
    suspect: having('trap').some(([, value]) => value !== ''),
  };
}

/** @throws ServiceError `validation_error`: an open redirect would lend this site's name to any other */
export function requireNext(next: string, allowsOrigin: (origin: string) => boolean): string {
  if (/^https?:/i.test(next) && URL.canParse(next) && allowsOrigin(new URL(next).origin)) return next;
  throw new ServiceError('validation_error', {
    issues: ['_next: must be an address of this site or of ALLOWED_ORIGINS'],
  });
}
