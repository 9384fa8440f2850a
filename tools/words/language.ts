import { en } from './en.ts';
import { es, type Messages } from './es.ts';

/**
 * The languages of pages and mails, in the order in which pages offer them. A new one is a file like `es.ts`,
 * and its name here.
 */
export const LANGUAGES: readonly Messages[] = [es, en];

/**
 * The messages of a language tag, by its primary subtag (RFC 5646): `en-GB` → English. Undefined for other
 * languages.
 * @example messagesByTag('en-GB')?.tag; // 'en'
 */
export function messagesByTag(tag: string | undefined): Messages | undefined {
  const [primary] = (tag ?? '').toLowerCase().split('-');
  return LANGUAGES.find(messages => messages.tag === primary);
}

/** The entry of a language in texts by language tag. Undefined if there is none. */
export const translationFor = <Words>(
  textsByTag: Readonly<Record<string, Words>>,
  messages: Messages,
): Words | undefined => Object.entries(textsByTag).find(([tag]) => messagesByTag(tag) === messages)?.[1];

/** The messages of a profile's `language`. Spanish for other languages. */
export const messagesOf = (tag: string | undefined): Messages => messagesByTag(tag) ?? es;

/** Longer headers are ignored, because parsing them is expensive. Browsers send about 200 characters. */
const MAX_HEADER = 1024;

/**
 * The names in any Accept header, in lower case, with their weights. Quoted parameters are ignored.
 * @example parseAccept('es, en;q=0.5'); // es 1, en 0.5
 */
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
 * The messages in the language of `?lang=`, else in the first language of Accept-Language that we have.
 * Undefined if there is none: pages and confirmations then use the profile's language. The team's mail,
 * examples for agents and choices of forms always use it (`messagesOf`). The contract's `message` is always
 * Spanish.
 * @param acceptLanguage the header (RFC 9110, 12.5.4); `*` prefers nothing
 * @example requestedMessages(null, 'en-GB,en;q=0.9'); // English
 */
export function requestedMessages(lang: string | null, acceptLanguage = ''): Messages | undefined {
  const fromQuery = messagesByTag(lang ?? undefined);
  if (fromQuery) return fromQuery;
  return parseAccept(acceptLanguage)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ name }) => messagesByTag(name))
    .find(messages => messages !== undefined);
}

/** The messages of a page: in the language that the visitor asks for, else in the brand's. */
export const visitorMessages = (
  lang: string | null,
  acceptLanguage: string | undefined,
  brandMessages: Messages,
): Messages => requestedMessages(lang, acceptLanguage) ?? brandMessages;

/** The text of a key from a client. Undefined for unknown keys, `constructor` too. */
export function wordFor(words: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** Frequent words of each language that no other has. */
const FREQUENT_WORDS = {
  es: wordSet(
    'el la los las de del que qué cuánto cuanto cuántos cuánta cuesta cómo como para con por una un en ' +
      'y es son se si no mi me te tu os su sus hay hacéis tenéis trabajáis quién dónde cuál pero más al lo',
  ),
  en: wordSet(
    'the of what how much many do does you your our we with for and is are in to i my can which who ' +
      'where when why it on at be have will would if from about',
  ),
};

const hasFrequentWords = (tag: string): tag is keyof typeof FREQUENT_WORDS =>
  Object.hasOwn(FREQUENT_WORDS, tag);

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/**
 * The language of a text: the one with most frequent words in it, or `?` if they do not tell, as for keywords.
 * @example languageOf('¿Cuánto cuesta?'); // 'es'
 */
export function languageOf(text: string): keyof typeof FREQUENT_WORDS | '?' {
  if (/[¿¡ñ]/i.test(text)) return 'es';
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const counted = Object.keys(FREQUENT_WORDS)
    .filter(hasFrequentWords)
    .map(tag => ({
      tag,
      count: words.filter(word => FREQUENT_WORDS[tag].has(word)).length,
    }));
  const most = Math.max(...counted.map(({ count }) => count));
  const [first, second] = counted.filter(({ count }) => count === most);
  return first === undefined || second !== undefined ? '?' : first.tag;
}
