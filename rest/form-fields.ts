import { createHash } from 'node:crypto';
import { parseUrl } from '../brand/profile/web-address.ts';
import { EXTRA_PREFIX } from '../tools/deliver.ts';
import { ServiceError } from '../tools/errors.ts';
import { plainLineBreaks } from '../tools/fields.ts';

/**
 * Fields that a website may add to its form posts. They are removed before validation, so that "no extra
 * properties" of the contract holds for the rest. In JSON bodies they are unknown fields.
 */
const RESERVED_FIELDS = {
  /** Hidden, so people leave it empty. If it has a value, the mail is marked and no confirmation is sent. */
  trap: '_gotcha _honey bot-field',
  /** The page for the browser after a success. */
  next: '_next',
  /** Key of one form, so that posting it twice makes one submission. */
  key: '_key',
  /** For the team's mail: consent, the page of the form, and the campaign. */
  note: 'consent page utm_source utm_medium utm_campaign utm_term utm_content utm_id',
  /** Settings of form services, tokens of captchas, and hidden helpers of site builders and frameworks. */
  ignored:
    '_subject _replyto _cc _captcha _template _language _format _redirect _autoresponse ' +
    'g-recaptcha-response h-captcha-response cf-turnstile-response altcha ' +
    'frc-captcha-solution frc-captcha-response ' +
    '_wpnonce _wp_http_referer _wpcf7 _wpcf7_version _wpcf7_locale _wpcf7_unit_tag ' +
    '_wpcf7_container_post _wpcf7_posted_data_hash ' +
    'form_id form_name form-name post_id queried_id referer_title ' +
    '_token _csrf csrf_token csrfmiddlewaretoken authenticity_token __RequestVerificationToken ' +
    'utf8 _charset_ submit',
} as const;

type Role = keyof typeof RESERVED_FIELDS;

const isRole = (name: string): name is Role => Object.hasOwn(RESERVED_FIELDS, name);

const ROLES: ReadonlyMap<string, Role> = new Map(
  Object.keys(RESERVED_FIELDS)
    .filter(isRole)
    .flatMap(role => RESERVED_FIELDS[role].split(' ').map((name): [string, Role] => [name, role])),
);

/** The fields that go into the team's mail under their own names. */
export const NOTE_FIELDS: readonly string[] = RESERVED_FIELDS.note.split(' ');

/** Bounds of the notes for the team: characters of a value, number of extra fields, characters of a name. */
const MAX_NOTE = 500;
const MAX_EXTRAS = 10;
const MAX_EXTRA_NAME = 40;

interface SplitOptions {
  /** Names of the tool's own fields. */
  readonly names: readonly string[];
  /** A browser sent the form. A visitor cannot remove a field of the page, so unknown ones go to the team. */
  readonly isPerson: boolean;
}

/** The parts of a form post. */
interface SplitForm {
  /** Fields of the tool. From a program also unknown ones, which the tool then refuses. */
  readonly fields: Readonly<Record<string, string>>;
  /** Other fields, which the page of an error repeats as hidden ones. */
  readonly otherFields: Readonly<Record<string, string>>;
  /** For the team, by field name. An unknown field is called `extra.NAME`. */
  readonly notes: Readonly<Record<string, string>>;
  readonly next: string | undefined;
  /** Digest of `_key` and of the fields: a changed text is a new submission. */
  readonly key: string | undefined;
  readonly suspect: boolean;
}

/**
 * Splits a form post into the fields of the tool, notes for the team, and settings of the form.
 * @example const { fields, notes, next } = splitForm(form, { names: ['name', 'email'], isPerson: true });
 */
export function splitForm(form: Readonly<Record<string, string>>, options: SplitOptions): SplitForm {
  const { names, isPerson } = options;
  const fields: Record<string, string> = Object.create(null);
  const otherFields: Record<string, string> = Object.create(null);
  const notes: Record<string, string> = Object.create(null);
  const extras: [name: string, value: string][] = [];
  let key: string | undefined;
  let suspect = false;
  for (const [name, text] of Object.entries(form)) {
    const value = plainLineBreaks(text);
    const role = ROLES.get(name);
    if (names.includes(name) || (role === undefined && !isPerson)) {
      fields[name] = value;
      continue;
    }
    if (value === '' || role === 'ignored') continue;
    if (role === 'trap') {
      suspect = true;
      continue;
    }
    if (role === 'key') {
      key = value;
      continue;
    }
    otherFields[name] = value;
    if (role === 'note') notes[name] = firstCharacters(value, MAX_NOTE);
    if (role === undefined) extras.push([name, value]);
  }
  for (const [name, value] of extras.slice(0, MAX_EXTRAS)) {
    const line = name.split(/\s/).filter(Boolean).join(' ');
    notes[`${EXTRA_PREFIX}${firstCharacters(line, MAX_EXTRA_NAME)}`] = firstCharacters(value, MAX_NOTE);
  }
  return {
    fields,
    otherFields,
    notes,
    next: otherFields._next,
    key: key && submissionKey(key, fields),
    suspect,
  };
}

/** Adds no ellipsis to what was sent. Counts code points, so that no emoji is cut in two. */
const firstCharacters = (text: string, max: number): string => [...text].slice(0, max).join('');

const submissionKey = (key: string, fields: object): string =>
  createHash('sha256')
    .update(JSON.stringify([key, fields]))
    .digest('base64url');

/**
 * The address in `_next`.
 * @throws ServiceError `validation_error` for an origin that is not allowed, because open redirects help
 * phishing
 */
export function requireNext(next: string, allowsOrigin: (origin: string) => boolean): URL {
  const url = /^https?:\/\/[^\\]*$/i.test(next) ? parseUrl(next) : undefined;
  if (url && url.username === '' && url.password === '' && allowsOrigin(url.origin)) return url;
  throw new ServiceError('validation_error', { issues: [{ field: '_next', rule: 'ownAddress' }] });
}
