import { ServiceError } from '../../tools/errors.ts';

type Role = 'trap' | 'next' | 'note';

/**
 * Fields that a website may add to its form posts besides the form's own: taken out before validation, so that the
 * contract's "no extra properties" stays true for the rest. JSON bodies have none of them.
 */
const RESERVED_FIELDS: readonly (readonly [name: RegExp, role: Role])[] = [
  // Hidden, people leave it empty; filled in, the mail is marked as suspect and nobody gets a confirmation.
  [/^_gotcha$/, 'trap'],
  // The page that the browser is sent to after success.
  [/^_next$/, 'next'],
  // What the person agreed to, where the form stood, and what led there: for the team's mail.
  [/^(consent|page|utm_(source|medium|campaign|term|content|id))$/, 'note'],
];

const MAX_NOTE = 500;

/** A form post, taken apart. */
interface SentForm {
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
  const roleOf = (field: string) =>
    field === honeypot ? 'trap' : RESERVED_FIELDS.find(([name]) => name.test(field))?.[1];
  const entries = Object.entries(sent);
  const having = (role: Role | undefined) => entries.filter(([name]) => roleOf(name) === role);
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
    issues: [{ field: '_next', rule: 'ownAddress' }],
  });
}
