import leven from 'leven';
import { clientWarnings } from '../brand/profile/client-name.ts';
import { type Fault, fault, jsonPath, quote } from '../brand/profile/fault.ts';
import { foldedText, wordsOf } from '../brand/profile/folded-text.ts';
import { Color } from '../brand/profile/schema.ts';
import { textsIn } from '../brand/profile/texts.ts';
import { expiryWarning, timeReasons } from '../brand/trust/verify-profile.ts';
import type { Draft } from './draft.ts';
import { figuresIn } from './figures.ts';

/** What is allowed in proofs and seldom meant: one that no claim names, a client who seems to be named. */
export function proofWarnings({ proofs, language, usedProofs }: Draft): Fault[] {
  const unused = proofs.filter(({ part }) => !usedProofs.has(part.proof_id));
  return [
    ...unused.map(({ at }) => fault(jsonPath(['proofs', at]), 'unused_proof')),
    ...clientWarnings(proofs, language),
  ];
}

/** Members of `colors` that the pages show. */
const SHOWN_COLORS = ['primary', 'accent', 'background', 'text'];

/** Colours that the pages would pass over. */
export function colorWarnings({ colors }: Draft): Fault[] {
  const unread = SHOWN_COLORS.filter(name => name in colors && !Color.safeParse(colors[name]).success);
  return unread.map(name => fault(jsonPath(['colors', name]), 'no_color', JSON.stringify(colors[name])));
}

/** A logo that the pages would pass over. */
export function logoWarnings({ logos }: Draft): Fault[] {
  return logos.flatMap((url, at) =>
    /^(?:https?:\/\/\S|data:image\/)/.test(url) ? [] : [fault(jsonPath(['logos', at, 'url']), 'no_logo')],
  );
}

/** A mobile phone is somebody's own, unless it is the one of the contact; a number with the digits of an earlier one is a slip. */
export function phoneWarnings(document: unknown, { phone }: Draft): Fault[] {
  const own = digitsOf(phone).slice(-9);
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
export function misspeltWarnings({ claims }: Draft, names: readonly string[]): Fault[] {
  const known = names.map(wordsOf).filter(({ length }) => length > 1);
  return claims.flatMap(({ at, part: { statement } }) => {
    const words = statement.slice(0, MOST_READ).match(/[\p{L}\p{N}]+/gu) ?? [];
    const isSaid = (from: number, name: readonly string[]) =>
      isSlipOf(words.slice(from, from + name.length).map(foldedText), name) && /^\p{Lu}/u.test(words[from] ?? '');
    const from = words.findIndex((_, from) => known.some(name => isSaid(from, name)));
    const said = words.slice(from, from + Math.max(...known.map(({ length }) => length))).join(' ');
    return from < 0 ? [] : [fault(jsonPath(['claims', at, 'statement']), 'misspelt_name', said)];
  });
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
export function emailWarnings({ claims, email, url }: Draft): Fault[] {
  const site = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
  const own = [site, email.split('@')[1] ?? ''].filter(domain => domain !== '').map(domain => domain.toLowerCase());
  if (own.length === 0) return [];
  return claims.flatMap(({ at, part: { statement } }) => {
    const domains = [...statement.matchAll(/[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/g)].map(([, domain = '']) =>
      domain.toLowerCase(),
    );
    const isOwn = (domain: string) => own.some(one => domain === one || domain.endsWith(`.${one}`));
    return domains.every(isOwn) ? [] : [fault(jsonPath(['claims', at, 'statement']), 'foreign_email')];
  });
}

/** A claim that promises a reply in another time than the form does. */
export function replyWarnings({ claims, language, replyHours }: Draft): Fault[] {
  if (replyHours === undefined) return [];
  return claims.flatMap(({ at, part: { statement } }) => {
    if (!/respond|contest|repl(?:y|ies)|answer/i.test(statement) || !MESSAGE.test(statement)) return [];
    const told = figuresIn(statement, language).find(({ unit }) => unit?.dimension === 'time');
    const hours = ((told?.readings[0] ?? 0) * (told?.unit?.factor ?? 0)) / 3600;
    if (hours === 0 || hours === replyHours) return [];
    return [fault(jsonPath(['claims', at, 'statement']), 'reply_differs', String(hours), String(replyHours))];
  });
}

const MESSAGE = /mensaje|solicitud|formulario|correo|consulta|message|request|form|e-?mail|enquir|inquir/i;

/** A word like "Español" has no form of a tag: pages and tools would fall back to English. */
export function languageWarnings({ language }: Draft): Fault[] {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? [] : [fault('language', 'no_language', quote(language))];
}

/** A privacy policy that no form links to, so that nobody is asked for consent. */
export function privacyWarnings({ privacy_policy_url: url }: Draft): Fault[] {
  if (url === undefined || (typeof url === 'string' && /^https?:\/\/\S+$/.test(url))) return [];
  return [fault('privacy_policy_url', 'no_privacy_link')];
}

/** An expired profile is a fault; one that is not valid yet, or not for long, deserves a look. */
export function dateFindings(
  { issued_at = '', expires_at = '' }: Draft,
  now: Date,
): Record<'faults' | 'warnings', Fault[]> {
  if (Number.isNaN(Date.parse(issued_at)) || Number.isNaN(Date.parse(expires_at))) return { faults: [], warnings: [] };
  const dates = { issued_at, expires_at };
  const reasons = timeReasons(dates, now);
  return {
    faults: reasons.filter(({ code }) => code === 'expired'),
    warnings: [...reasons.filter(({ code }) => code === 'not_yet_valid'), expiryWarning(dates, now) ?? []].flat(),
  };
}
