/** Who praises itself. */
const FIRM =
  'taller|empresa|firma|tienda|equipo|estudio|cl[íi]nica|escuela|academia|agencia|despacho|restaurante|hotel|marca|profesionales|especialistas|expertos|' +
  'workshop|company|firm|shop|store|team|studio|clinic|school|agency|practice|restaurant|hotel|brand|provider|supplier|makers?|tuners?|specialists?|experts?|consultancy|bakery|garage';
const BEST = 'best|leading|finest|top|cheapest|most trusted|most reliable|number one';
/** Where somebody is the best: a place with its name, or all of a region. */
const PLACE =
  '(?:[Tt]he )?(?:\\p{Lu}\\p{L}+|UK|world|country|region|city|county|area|market|industry)(?!\\p{L})';
const LUGAR =
  '(?:\\p{Lu}\\p{L}+|la (?:regi[óo]n|ciudad|zona|provincia|comarca)|el (?:mundo|pa[íi]s|mercado|sector))(?!\\p{L})';

/** Praise of oneself that only somebody else can give; a year or the number of a staff proves none. */
const PATTERNS: readonly RegExp[] = [
  /(?<!\p{L})(?:(?:somos|tenemos|ofrecemos|we are|we have|we offer)(?: \p{L}+)? (?:el|la|l[oa]s|the) (?:mejor|best)\p{L}*|l[íi]der(?:es)? (?:del? (?:sector|mercado)|en)|n[úu]mero uno|insuperables?|inmejorables?|inigualables?|market leaders?|industry[ -]leading|world[ -]class|award[ -]winning|unbeatable|unrivall?ed|number one)(?!\p{L})/iu,
  new RegExp(
    `(?<!\\p{L})(?:[Tt]he|[Yy]our|’s|'s) (?:${BEST}) (?:[\\p{L}-]+ ){0,2}(?:${FIRM})(?!\\p{L})`,
    'u',
  ),
  new RegExp(`(?<!\\p{L})[Tt]he (?:${BEST}) (?:[\\p{L}-]+ ){1,3}(?:in|across|of) ${PLACE}`, 'u'),
  new RegExp(
    `(?<!\\p{L})(?:[Ee]l|[Ll]a|[Ll][oa]s) (?:mejor(?:es)?|m[áa]s barat[oa]s?) (?:(?:${FIRM}) )?(?:(?:\\p{Ll}+ )?de \\p{Ll}+ )?(?:del?|en) ${LUGAR}`,
    'u',
  ),
  new RegExp(`(?<!\\p{L})(?:[Ee]l|[Ll]a|[Ll][oa]s) mejor(?:es)? (?:${FIRM})(?!\\p{L})`, 'u'),
  new RegExp(
    `(?<!\\p{L})(?:${FIRM}) (?:[\\p{L}-]+ )?l[íi]der(?:es)?(?!\\p{L})|^[Ll][íi]deres (?:en|de)(?!\\p{L})`,
    'iu',
  ),
  /(?<!\p{L})(?:somos (?:los )?únic[oa]s|most trusted|nobody \p{L}+ (?:faster|cheaper|better)|nadie (?:lo )?\p{L}+ (?:m[áa]s (?:r[áa]pido|barato)|mejor))(?!\p{L})/iu,
];

export const isPraise = (text: string): boolean => PATTERNS.some(pattern => pattern.test(text));
