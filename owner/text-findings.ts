import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import type { FindingCode } from '../brand/profile/finding-words.ts';
import { isLoopback } from '../brand/profile/loopback.ts';
import { nameOf } from '../brand/profile/texts.ts';
import { daysIn } from './days.ts';
import type { Draft } from './draft.ts';
import type { Context } from './guards.ts';
import { oncePerText } from './once-per-part.ts';
import { NO_WIDTH, TEXT_SLIPS } from './text-slips.ts';

/** What pages and agents would show or follow as it stands: secrets, HTML, http addresses, an e-mail address that is none. */
export function textFindings({ contact: { email } }: Draft, { document }: Context): Fault[] {
  const slips = slipsIn(document).flatMap(([path, [code, ...values]]) => {
    const at = jsonPath(path);
    if (at === 'contact.email' && code === 'no_email') return [];
    // The site of the brand may stand on this machine while it is made.
    return at === 'url' && code === 'private_link' ? [] : [fault(at, code, ...values)];
  });
  return email === undefined || EMAIL.test(email) ? slips : [fault('contact.email', 'no_email'), ...slips];
}

type Slip = readonly [code: FindingCode, ...values: readonly string[]];

/** What is longer is a fault anyway, and some patterns cost its square. */
const MOST_READ = 10_000;

const slipsIn = oncePerText((whole, isName): readonly Slip[] => {
  const text = isName ? '' : whole.slice(0, MOST_READ);
  const forms = FORMS.filter(([, finds]) => finds(text));
  const slips = TEXT_SLIPS.filter(([, pattern]) => pattern.test(text));
  const found = [...forms, ...slips].map(([code]): Slip => [code]);
  const [mark] = NO_WIDTH.exec(text) ?? [];
  return mark === undefined ? found : [...found, ['no_width', nameOf(mark)]];
});

/** What a text may not show, wherever it stands. */
const FORMS: readonly (readonly [code: FindingCode, finds: (text: string) => boolean])[] = [
  ['secret', text => SECRET.test(text)],
  // `<b>` alone may be what a text is about.
  ['markup', text => MARKUP.test(text)],
  [
    'plain_http',
    text => [...text.matchAll(/\bhttp:\/\/[^\s"<>]*[^\s"<>.,;:!?)]/gi)].some(([address]) => isOpen(address)),
  ],
  ['tracked_link', text => /https?:\/\/\S*[?&](?:utm_\w+|fbclid|gclid|msclkid|mc_eid)=/i.test(text)],
  [
    'no_email',
    text => text.split(/[\s/<>()«»"“”]+/).some(word => word.indexOf('@') > 0 && !EMAIL.test(word)),
  ],
  ['no_such_date', text => daysIn(text).some(({ exists }) => !exists)],
  ['wrong_weekday', text => daysIn(text).some(({ fits }) => !fits)],
  ['bank_account', text => BANK_ACCOUNT.test(text) || (text.match(CARD) ?? []).some(isCard)],
  [
    'personal_number',
    text => /(?<![\p{L}\d])(?:\d{8}|[XYZ]-?\d{7})[- ]?[A-HJ-NP-TV-Z](?![\p{L}\d])/u.test(text),
  ],
  ['said_twice', saysTwice],
  ['maybe_secret', text => KEY_LIKE.test(text) && !SECRET.test(text)],
];

function saysTwice(text: string): boolean {
  const sentences = text.split(/(?<=[.!?])\s+/).filter(({ length }) => length >= 20);
  return new Set(sentences).size < sentences.length;
}

/** A private key (PEM, JWK), or a key of a service that is known by how it begins. */
const SECRET =
  /-----BEGIN [A-Z ]*PRIVATE KEY|"d"\s*:\s*"[\w-]{20,}"|(?<![\w-])(?:[sr]k_(?:live|test)_\w{8,}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{10,})/;

/** A word of the length and the mixture of a key in base64url. */
const KEY_LIKE = /(?<![\w/.-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32,}(?![\w/-]|\.\w)/;

const BANK_ACCOUNT =
  /(?<![\p{L}\d])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){3,7}(?:[ -]?[A-Z\d]{1,3})?(?![\p{L}\d])/u;

const CARD = /(?<![\p{L}\d])\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}(?![\p{L}\d])/gu;

/** Whether the last digit of a card's number fits the others (Luhn). */
function isCard(written: string): boolean {
  const digits = [...written.replace(/\D/g, '')].map(Number).toReversed();
  const sum = digits.reduce(
    (total, digit, at) => total + (at % 2 === 0 ? digit : ((digit * 2) % 10) + Math.floor(digit / 5)),
    0,
  );
  return sum > 0 && sum % 10 === 0;
}

/** Whether an http address leads off this machine. */
const isOpen = (address: string) => !URL.canParse(address) || !isLoopback(new URL(address).host);

const MARKUP =
  /<([a-z]\w*)(?: [^<>]*)?>[\s\S]*<\/\1>|<(?:br|hr|img|iframe|input|script|\/\w+)\b[^<>]*>|&(?:nbsp|amp|lt|gt|quot|euro|[a-z]acute|ntilde|#\d+);/i;
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+[.,;:!?…]*$/;
