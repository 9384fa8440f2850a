/**
 * Takes out of a question what tells who asked: e-mail addresses, phone and other long numbers, identity documents, street
 * addresses, and names where people give theirs. Rules, not understanding: a name in lower case or in the midst of a
 * sentence stays, and some text that is no name goes. Before anything is kept, never after.
 */
export function redact(text: string): string {
  return RULES.reduce((rest, [pattern, put]) => rest.replace(pattern, put), text);
}

type Put = (match: string, ...groups: string[]) => string;

const fixed =
  (mark: string): Put =>
  () =>
    mark;

const NAME = "\\p{Lu}[\\p{L}'’-]*\\.?(?:\\s+(?:(?:de|del|la|las|los|von|van|da|dos|y)\\s+)*\\p{Lu}[\\p{L}'’-]*){0,3}";

/** What people say before their name, or before that of whom they address. */
const BEFORE_A_NAME = [
  'soy|me llamo|mi nombre es|les? escribe|le saluda|habla',
  "my name is|my name['’]s|i am|i['’]m|this is|call me|here is",
  'hola|buenos días|buenas tardes|buenas|estimad(?:o|a)s?|querid(?:o|a)s?|hi|hello|hey|dear',
  'atentamente|saludos|un saludo|gracias|firmado|fdo\\.?|regards|best|cheers|thanks|thank you|yours|sincerely',
  'sra?\\.?|señora?|don|doña|d\\.|dña\\.?|mrs?\\.?|ms\\.?|miss|dra?\\.?|doctora?',
].join('|');

const RULES: readonly (readonly [pattern: RegExp, put: Put])[] = [
  [/[^\s@<>()[\],;:]+\s?@\s?[^\s@<>()[\],;:]+(?:\s?\.\s?[\p{L}\d-]{2,})*/giu, fixed('[email]')],
  [
    /[\p{L}\d._%+-]+\s*[([]?\s*(?:\bat\b|\barroba\b)\s*[)\]]?\s*[\p{L}\d-]+(?:\s*[([]?\s*(?:\bdot\b|\bpunto\b|\.)\s*[)\]]?\s*(?:com|es|org|net|eu|mx|co|ar|cl|pe|io|info|example))+\b/giu,
    fixed('[email]'),
  ],
  [/\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){3,7}(?:[ -]?[A-Z\d]{1,3})?\b/giu, fixed('[id]')],
  [
    /\b(?:\d{8}[ -]?[a-z]|[xyz][ -]?\d{7}[ -]?[a-z]|[a-hj-np-suvw][ -]?\d{7,8}[ -]?[a-j\d]?|[a-z]{2,3}[ -]?\d{6,9})\b/giu,
    fixed('[id]'),
  ],
  [/[+(]?\d(?:[\s().\-–/·]{0,3}\d){6,}/gu, digits => (isFigure(digits) ? digits : '[number]')],
  [
    /\b(?:calle|c\/|avda\.?|avenida|plaza|paseo|ronda|camino|carretera)\s+[\p{L}\s.'ºª-]{2,40}?,?\s*(?:n\.?º?\s*)?\d+[\p{L}\dºª]*|\b\d+\s+\p{Lu}[\p{L}]*(?:\s\p{Lu}[\p{L}]*)?\s(?:street|st|road|rd|avenue|ave|lane|drive)\b/giu,
    fixed('[address]'),
  ],
  [
    new RegExp(`(?<![\\p{L}\\d])(${caseless(BEFORE_A_NAME)})([\\s,:]+)${NAME}`, 'gu'),
    (_match, before = '', between = '') => `${before}${between}[name]`,
  ],
];

/** "1.500.000" and "2023-2024" are what people ask about; "600.123.456" is a Spanish phone number, if an odd one. */
function isFigure(digits: string): boolean {
  return (
    /^(?![6-9]\d\d.\d{3}.\d{3}$)\d{1,3}(?:[.,]\d{3})+$/.test(digits) ||
    /^(?:19|20)\d\d\s?[-–/]\s?(?:19|20)\d\d$/.test(digits)
  );
}

/** The words with either case of their letters: the name after them must begin with a capital, so the flag i is no use. */
function caseless(words: string): string {
  return words.replace(/(?<!\\)\p{Ll}/gu, letter => `[${letter}${letter.toUpperCase()}]`);
}
