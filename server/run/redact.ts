/**
 * Takes out of a question what tells who asked: e-mail addresses, phone and other long numbers, identity documents,
 * handles, the paths of web addresses, number plates, street addresses, and names where people give theirs. These are rules,
 * not understanding: a name in lower case without "me llamo" or in the middle of a sentence stays, and some text that is no
 * name goes.
 *
 * The work grows with the length of the text and no faster. White space is collapsed first, so no rule needs to choose
 * how much of it to take; every repetition has a bound, and a rule begins only where a word or a number begins.
 */
export function redact(text: string): string {
  return RULES.reduce((rest, [pattern, put]) => {
    return rest.replace(pattern, typeof put === 'string' ? () => put : put);
  }, folded(text));
}

type Put = string | ((match: string, ...groups: string[]) => string);

/** Full-width forms, full stops and digits of other scripts become ASCII; invisible characters go; white space is one space. */
function folded(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uFF01-\uFF5E\uFE6B]/g, form => form.normalize('NFKC'))
    .replace(/\u3002/g, '.')
    .replace(/\p{Nd}/gu, digit => (digit < '\x80' ? digit : String(digitValue(digit))))
    .replace(/%40/g, '@')
    .replace(/\s+/g, ' ');
}

/** Unicode keeps the ten digits of a script together, in order: the value is the distance to the first of them. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

const WORD = "\\p{Lu}[\\p{L}'’-]{0,40}";
const NAME = `${WORD}\\.?(?: (?:(?:de|del|la|las|los|von|van|da|dos|y) ){0,3}${WORD}){0,3}`;

/** What people say before their name, or before that of whom they address. */
const BEFORE_A_NAME = [
  'soy|me llamo|mi nombre es|les? escribe|le saluda|habla',
  "my name is|my name['’]s|i am|i['’]m|this is|call me|here is",
  'hola|buenos días|buenas tardes|buenas|estimad(?:o|a)s?|querid(?:o|a)s?|hi|hello|hey|dear',
  'atentamente|saludos|un saludo|gracias|firmado|fdo\\.?|regards|best|cheers|thanks|thank you|yours|sincerely',
  'sra?\\.?|señora?|don|doña|d\\.|dña\\.?|mrs?\\.?|ms\\.?|miss|dra?\\.?|doctora?',
].join('|');

/** After these comes a name, in whatever case it is typed: one or two words that join no sentence, then those with capitals. */
const NAMING = "me llamo|mi nombre es|my name is|my name['’]s";
const JOINING = 'y|e|o|con|de|desde|en|que|soy|tengo|quiero|and|or|i|from|at|with|what';
const ANY = `(?!(?:${JOINING})(?!\\p{L}))\\p{L}[\\p{L}'’-]{0,40}`;
const PARTICLES = '(?:(?:de|del|la|las|los|von|van|da|dos) ){0,3}';
const TYPED_NAME = `${ANY}(?: ${PARTICLES}${ANY})?(?: ${PARTICLES}${WORD}){0,2}`;

const ADDRESS = '[^ @<>()\\[\\],;:]';
const LOCAL = '[\\p{L}\\d._%+-]';
const ENDS = 'com|es|org|net|eu|mx|co|ar|cl|pe|io|info|example';

/** A rule begins only where a run of these letters begins: from each letter of a long word, its work would be squared. */
const from = (letters: string, most: number) => `(?<!${letters})${letters}{1,${most}}`;

/** In this order: a rule sees what the earlier ones left. */
export const RULES: readonly (readonly [pattern: RegExp, put: Put])[] = [
  [
    new RegExp(`${from(ADDRESS, 2000)} ?@ ?${ADDRESS}{1,2000}(?: ?\\. ?[\\p{L}\\d-]{2,63}){0,8}`, 'giu'),
    '[email]',
  ],
  [
    new RegExp(
      `${from(LOCAL, 64)} ?[([]? ?\\b(?:at|arroba)\\b ?[)\\]]? ?[\\p{L}\\d-]{1,63}(?: ?[([]? ?(?:\\bdot\\b|\\bpunto\\b|\\.) ?[)\\]]? ?(?:${ENDS})){1,4}\\b`,
      'giu',
    ),
    '[email]',
  ],
  [
    /(?<![\p{L}\d.-])((?:https?:\/\/)?(?:[\p{L}\d-]{1,63}\.){1,5}\p{L}{2,24})[/?#]\S+/giu,
    (_match, site = '') => `${site}/[path]`,
  ],
  [/(?<![\p{L}\d@])@[\p{L}\d_][\p{L}\d_.-]{0,60}/gu, '[handle]'],
  [/\b\d{4}[ -]?(?!pdf|gbp|crm|sql|sms|hrs|kms|kgs|mts|pts|ppm|rpm|mrr)[b-df-hj-np-tv-z]{3}\b/giu, '[id]'],
  [/\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){3,7}(?:[ -]?[A-Z\d]{1,3})?\b/giu, '[id]'],
  [/\b\d{1,2}([. ]?)\d{3}\1\d{3}(?:[.-]?[A-Za-z]| [A-Z])\b/gu, '[id]'],
  [
    /\b(?:\d{8}[ -]?[a-z]|[xyz][ -]?\d{7}[ -]?[a-z]|[a-hj-np-suvw][ -]?\d{7,8}[ -]?[a-j\d]?|[a-z]{2,3}[ -]?\d{6,9})\b/giu,
    '[id]',
  ],
  [/[+(]?\d(?:[ ().\-–/·_]{0,3}\d){6,2000}/gu, digits => (isFigure(digits) ? digits : '[number]')],
  [
    /\b(?:calle |c\/ ?|av(?:da)?\.? |avenida |plaza |paseo |passeig |carrer |ronda |camino |carretera |travesía |gran vía )[\p{L} .'ºª-]{2,40}?,? ?(?:n\.?º? ?)?\d{1,5}[\p{L}\dºª]{0,10}|\b\d{1,5} \p{Lu}\p{L}{0,30}(?: \p{Lu}\p{L}{0,30})? (?:street|st|road|rd|avenue|ave|lane|drive)\b/giu,
    '[address]',
  ],
  [
    new RegExp(`(?<![\\p{L}\\d])(${caseless(NAMING)})([ ,:]{1,4})${TYPED_NAME}`, 'gu'),
    (_match, before = '', between = '') => `${before}${between}[name]`,
  ],
  [
    new RegExp(`(?<![\\p{L}\\d])(${caseless(BEFORE_A_NAME)})([ ,:]{1,4})${NAME}`, 'gu'),
    (_match, before = '', between = '') => `${before}${between}[name]`,
  ],
];

/** "1.500.000" and "2023-2024" are what people ask about; "600.123.456" is a Spanish phone number, if an odd one. */
function isFigure(digits: string): boolean {
  return (
    /^(?![6-9]\d\d.\d{3}.\d{3}$)\d{1,3}(?:[.,]\d{3}){1,6}$/.test(digits) ||
    /^(?:19|20)\d\d\s?[-–/]\s?(?:19|20)\d\d$/.test(digits)
  );
}

/** The words with either case of their letters: the name after them must begin with a capital, so the flag i is no use. */
function caseless(words: string): string {
  return words.replace(/(?<!\\)\p{Ll}/gu, letter => `[${letter}${letter.toUpperCase()}]`);
}
