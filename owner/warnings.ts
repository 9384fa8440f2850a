import leven from 'leven';
import { clientWarnings } from '../brand/profile/client-name.ts';
import { type Fault, fault, jsonPath, quote } from '../brand/profile/fault.ts';
import { foldedText, wordsOf } from '../brand/profile/folded-text.ts';
import { namesOf } from '../brand/profile/profile.ts';
import { type Claim, Color } from '../brand/profile/schema.ts';
import { textsIn } from '../brand/profile/texts.ts';
import { expiryWarning, timeReasons } from '../brand/trust/verify-profile.ts';
import type { Draft } from './draft.ts';
import { figuresIn } from './figures.ts';
import type { ClaimGuard, Context, Guard } from './guards.ts';

/** What is seldom meant in the profile as a whole. */
export const PROFILE_GUARDS: readonly Guard[] = [
  proofWarnings,
  colorWarnings,
  logoWarnings,
  privacyWarnings,
  languageWarnings,
  phoneWarnings,
  dateFindings,
];

/** What a claim says otherwise than the profile round it. */
export const OWN_GUARDS: readonly ClaimGuard[] = [
  ['foreign_email', 'statement', hasForeignEmail],
  ['misspelt_name', 'statement', misspeltName],
  ['reply_differs', 'statement', otherReply],
];

/** What is allowed in proofs and seldom meant: one that no claim names, a client who seems to be named. */
function proofWarnings({ proofs, language, usedProofs }: Draft): Fault[] {
  const unused = proofs.filter(({ part }) => !usedProofs.has(part.proof_id));
  return [
    ...unused.map(({ at }) => fault(jsonPath(['proofs', at]), 'unused_proof')),
    ...clientWarnings(proofs, language),
  ];
}

/** Members of `colors` that the pages show. */
const SHOWN_COLORS = ['primary', 'accent', 'background', 'text'];

/** Colours that the pages would pass over. */
function colorWarnings({ colors }: Draft): Fault[] {
  const unread = SHOWN_COLORS.filter(name => name in colors && !Color.safeParse(colors[name]).success);
  return unread.map(name => fault(jsonPath(['colors', name]), 'no_color', JSON.stringify(colors[name])));
}

/** A logo that the pages would pass over. */
function logoWarnings({ logos }: Draft): Fault[] {
  return logos.flatMap(({ url }, at) =>
    /^(?:https?:\/\/\S|data:image\/)/.test(url) ? [] : [fault(jsonPath(['logos', at, 'url']), 'no_logo')],
  );
}

/** A mobile phone is somebody's own, unless it is the one of the contact; a number with the digits of an earlier one is a slip. */
function phoneWarnings({ contact }: Draft, { document }: Context): Fault[] {
  const own = digitsOf(contact.phone).slice(-9);
  const known = new Set([own]);
  return textsIn(document).flatMap(({ path, text }) => {
    if (path[0] === 'contact') return [];
    const isOther = [...text.matchAll(MOBILE)].some(([said]) => digitsOf(said).slice(-9) !== own);
    const said = [...text.matchAll(PHONE)].map(([number]) => digitsOf(number).slice(-9));
    const isSlip = said.some(number => [...known].some(first => isSwapped(number, first)));
    for (const number of said) if (known.size < MOST_PHONES) known.add(number);
    return [
      ...(isOther ? [fault(jsonPath(path), 'mobile_number')] : []),
      ...(isSlip ? [fault(jsonPath(path), 'swapped_phone')] : []),
    ];
  });
}

/** A capitalised phrase with one letter within a word other than in a name of the brand: `Hípica Los Alisios` for `Alisos`. */
function misspeltName({ statement }: Claim, draft: Draft): string | undefined {
  const known = namesOf(draft)
    .map(wordsOf)
    .filter(({ length }) => length > 1);
  const words = statement.slice(0, MOST_READ).match(/[\p{L}\p{N}]+/gu) ?? [];
  const isSaid = (from: number, name: readonly string[]) =>
    isSlipOf(words.slice(from, from + name.length).map(foldedText), name) &&
    /^\p{Lu}/u.test(words[from] ?? '');
  const from = words.findIndex((_, from) => known.some(name => isSaid(from, name)));
  return from < 0
    ? undefined
    : words.slice(from, from + Math.max(...known.map(({ length }) => length))).join(' ');
}

const MOST_READ = 2000;

/** A word with another ending is another form of it. */
function isSlipOf(said: readonly string[], name: readonly string[]): boolean {
  const others = said.flatMap((word, at) => (word === name[at] ? [] : [[word, name[at] ?? ''] as const]));
  const [[word = '', own = ''] = [], ...more] = others;
  const isForm = word.slice(0, -1) === own.slice(0, -1) || `${word}s` === own || word === `${own}s`;
  return more.length === 0 && own.length > 4 && !isForm && leven(word, own, { maxDistance: 2 }) === 1;
}

/** Further ones are compared with these: all pairs of a directory would cost its square. */
const MOST_PHONES = 20;

const digitsOf = (text: string) => text.replace(/\D/g, '');
const isSwapped = (one: string, other: string) =>
  one !== other && one.length === 9 && [...one].toSorted().join('') === [...other].toSorted().join('');
const PHONE = /(?<![\p{L}\d])\+?\d{2,3}(?:[ .-]?\d{2,4}){2,4}(?![\p{L}\d])/gu;
const MOBILE =
  /(?<![\p{L}\d.,/=_#-]|(?:referencia|reference|ref\.|registro|register|expediente|pedido|order|factura|invoice|serie|serial|art[íi]culo|article|modelo|model|pieza|part|c[óo]digo|code|cat[áa]logo|licencia|licence) (?:n[úu]mero |number |n\.?º |no\. )?)(?:[67]\d{2}[ .-]?(?:\d{3}[ .-]?\d{3}|\d{2}[ .-]?\d{2}[ .-]?\d{2})|(?:\+44 ?(?:\(0\) ?)?|0)7\d{3} ?\d{3} ?\d{3})(?![ \u00a0]?(?:€|euros?|de euros|%|\p{L}*\d))/giu;

/** An e-mail address of a person, who may not want it here: it is neither the contact's nor of a domain of the brand's. */
function hasForeignEmail({ statement }: Claim, { contact, url }: Draft): boolean {
  const said = Array.from(statement.toLowerCase().matchAll(ADDRESS), ([, domain = '']) => domain);
  if (said.length === 0) return false;
  const site = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
  const own = [site, contact.email?.split('@')[1] ?? ''].filter(Boolean).map(domain => domain.toLowerCase());
  const isOwn = (domain: string) => own.some(one => domain === one || domain.endsWith(`.${one}`));
  return own.length > 0 && !said.every(isOwn);
}

const ADDRESS = /[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/g;

/** The hours in which a claim promises a reply, and those of the form, where they differ. */
function otherReply({ statement }: Claim, { language, replyHours }: Draft): string[] | undefined {
  if (replyHours === undefined || !REPLIES.test(statement) || !MESSAGE.test(statement)) return undefined;
  const told = figuresIn(statement, language).find(({ unit }) => unit?.dimension === 'time');
  const hours = ((told?.readings[0] ?? 0) * (told?.unit?.factor ?? 0)) / 3600;
  return hours === 0 || hours === replyHours ? undefined : [String(hours), String(replyHours)];
}

const REPLIES = /respond|contest|repl(?:y|ies)|answer/i;
const MESSAGE = /mensaje|solicitud|formulario|correo|consulta|message|request|form|e-?mail|enquir|inquir/i;

/** A word like "Español" has no form of a tag: pages and tools would fall back to English. */
function languageWarnings({ language }: Draft): Fault[] {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language)
    ? []
    : [fault('language', 'no_language', quote(language))];
}

/** A privacy policy that no form links to, so that nobody is asked for consent. */
function privacyWarnings({ privacy_policy_url: url }: Draft): Fault[] {
  if (url === undefined || (typeof url === 'string' && /^https?:\/\/\S+$/.test(url))) return [];
  return [fault('privacy_policy_url', 'no_privacy_link')];
}

/** A profile that has expired, is not valid yet, or not for long. */
function dateFindings(draft: Draft, { now }: Context): Fault[] {
  if (Number.isNaN(Date.parse(draft.issued_at)) || Number.isNaN(Date.parse(draft.expires_at))) return [];
  const soon = expiryWarning(draft, now);
  return [...timeReasons(draft, now), ...(soon ? [soon] : [])];
}
