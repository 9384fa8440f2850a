import { en } from './en.ts';
import { es, type Messages } from './es.ts';

/** Every language that people are spoken to in: a further one is its file, and its name here, in the order in which pages offer them. */
export const LANGUAGES: readonly Messages[] = [es, en];

/** The messages of a language tag, by its primary subtag (RFC 5646): `en-GB` → English. `undefined`: not spoken here. */
export function messagesByTag(tag: string | undefined): Messages | undefined {
  const [primary] = (tag ?? '').toLowerCase().split('-');
  return LANGUAGES.find(messages => messages.tag === primary);
}

/** What somebody has written in this language, by tag; undefined where they have not. */
export const translationFor = <Words>(
  written: Readonly<Record<string, Words>>,
  messages: Messages,
): Words | undefined => Object.entries(written).find(([tag]) => messagesByTag(tag) === messages)?.[1];

/** The messages of a profile's `language`; Spanish where there are none. */
export const messagesOf = (tag: string | undefined): Messages => messagesByTag(tag) ?? es;

/** Browsers send some 200 characters. A longer header counts as none: reading one costs the same for everybody. */
const MAX_HEADER = 1024;

/** What an Accept header of any kind names, in lower case, with the weight of each. What stands in a quoted parameter names nothing. */
export function parseAccept(header: string): { name: string; quality: number }[] {
  if (header.length > MAX_HEADER) return [];
  const ranges = header.replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '').split(',');
  return ranges.map(range => {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase());
    const q = parameters.find(parameter => parameter.startsWith('q='));
    return { name, quality: q === undefined ? 1 : Number(q.slice(2)) || 0 };
  });
}

/**
 * The one decision about a reader's language: `?lang=`, else the first of Accept-Language that is spoken here. Undefined: the
 * reader asks for none. Pages and confirmations then speak the profile's language, as the team's mail, the examples for agents
 * and the choices of forms always do (`messagesOf`). The contract's `message` is in Spanish.
 * @param acceptLanguage header as it was sent (RFC 9110, 12.5.4); `*` prefers nothing
 */
export function requestedMessages(lang: string | null, acceptLanguage = ''): Messages | undefined {
  const wanted = parseAccept(acceptLanguage)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ name }) => messagesByTag(name))
    .find(messages => messages !== undefined);
  return messagesByTag(lang ?? undefined) ?? wanted;
}

/** What a visitor reads: the language asked for, else the brand's own. */
export const visitorMessages = (
  lang: string | null,
  acceptLanguage: string | undefined,
  own: Messages,
): Messages => requestedMessages(lang, acceptLanguage) ?? own;

/** The word of a key that may be anything: `constructor` is no row of a table. */
export function wordFor(words: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** Words of every other sentence in one of the two languages, and of none in the other. */
const TELLING = {
  es: setOf(
    'el la los las de del que qué cuánto cuanto cuántos cuánta cuesta cómo como para con por una un en y es son se si no mi me te tu os su sus hay hacéis tenéis trabajáis quién dónde cuál pero más al lo',
  ),
  en: setOf(
    'the of what how much many do does you your our we with for and is are in to i my can which who where when why it on at be have will would if from about',
  ),
};

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** `es` or `en` by its little words, `?` where they do not tell: three words of a keyword search. */
export function languageOf(text: string): 'es' | 'en' | '?' {
  if (/[¿¡ñ]/i.test(text)) return 'es';
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const [es, en] = [TELLING.es, TELLING.en].map(telling => words.filter(word => telling.has(word)).length);
  if (es === en) return '?';
  return (es ?? 0) > (en ?? 0) ? 'es' : 'en';
}
