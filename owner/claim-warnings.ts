import { type Fault, fault, quote } from '../brand/profile/fault.ts';
import { isSpanish } from '../brand/profile/finding-words.ts';
import type { Claim } from '../brand/profile/schema.ts';
import { daysIn } from './days.ts';
import type { Draft } from './draft.ts';
import { figuresIn } from './figures.ts';
import { type ClaimGuard, type Context, guardOfClaims } from './guards.ts';
import { EXAMPLE_CLAIM } from './new-profile.ts';
import { isPraise } from './praise.ts';

/** What is allowed in a claim and seldom meant: a boundary that says nothing, confidence without proof, no figure, an example. */
const GUARDS: readonly ClaimGuard[] = [
  ['same_boundary', 'boundary.not_applicable_for', ({ boundary }) => isSame(boundary)],
  ['open_boundary', 'boundary.not_applicable_for', ({ boundary }) => isOpen(boundary)],
  ['short_boundary', 'boundary.applicable_for', ({ boundary }) => isShort(boundary, 'applicable_for')],
  [
    'short_boundary',
    'boundary.not_applicable_for',
    ({ boundary }) => isShort(boundary, 'not_applicable_for'),
  ],
  [
    'confidence_word',
    'confidence',
    ({ confidence }) => !CONFIDENCE.includes(confidence) && JSON.stringify(confidence),
  ],
  [
    'high_without_proof',
    'confidence',
    ({ confidence, proof_ids }) => confidence === 'high' && proof_ids.length === 0,
  ],
  ['no_figure', 'statement', isVague],
  ['example', '', ({ claim_id }) => claim_id.startsWith(EXAMPLE_CLAIM)],
  // Cells of a sheet that stand in each other's column.
  [
    'swapped_category',
    'statement',
    ({ statement, category }) => isLabel(statement, category) && quote(statement),
  ],
  ['swapped_unit', 'metric.unit', ({ metric }) => /^[\d.,]+$/.test(metric?.unit ?? '') && metric?.unit],
  ['swapped_boundary', 'boundary.applicable_for', ({ boundary }) => EXCLUDES.test(boundary.applicable_for)],
  ['praise', 'statement', ({ statement, proof_ids }) => proof_ids.length === 0 && isPraise(statement)],
  ['old_price', 'statement', oldPrice],
  ['ended', 'statement', endOf],
  ['future_year', 'statement', futureYear],
  ['no_such_hour', 'statement', ({ statement }) => NO_HOUR.test(statement)],
  ['long_statement', 'statement', ({ statement }) => statement.length > LONG && String(statement.length)],
  ['other_language', 'statement', otherLanguage],
  ['foreign_price', 'statement', foreignPrice],
];

/** What is seldom meant in claims. Many boundaries in each other's place are one mistake: the headings of the sheet. */
export function claimWarnings(draft: Draft, context: Context): readonly Fault[] {
  const found = guardOfClaims(GUARDS)(draft, context);
  const others = found.filter(one => one.found?.code !== 'swapped_boundary');
  const swapped = found.length - others.length;
  return swapped < 3 ? found : [...others, fault('claims', 'swapped_headings', String(swapped))];
}

/** The words that agents and people know; anything else is read as it stands, and compared with nothing. */
const CONFIDENCE = ['high', 'medium', 'low'];

/** Longer ones say several things. */
const LONG = 400;

type Boundary = Claim['boundary'];

const isSame = ({ applicable_for, not_applicable_for }: Boundary) =>
  applicable_for.trim() === not_applicable_for.trim();

const isShort = (boundary: Boundary, half: keyof Boundary) =>
  !isSame(boundary) && SAYS_NOTHING.test(boundary[half].trim().replace(/\W+$/u, ''));

const isOpen = (boundary: Boundary) =>
  EXCLUDES_NOTHING.test(boundary.not_applicable_for.trim()) &&
  !isSame(boundary) &&
  !isShort(boundary, 'applicable_for') &&
  !isShort(boundary, 'not_applicable_for');

/** "n/a", "everyone", "ninguno", "todo el mundo": half a boundary, though the schema is satisfied. */
const SAYS_NOTHING =
  /^(?:\S{0,4}|todos|todas|nadie|ningun[oa]s?|cualquiera|general(?:es)?|everyone|everybody|anyone|nobody|nothing|always|never|siempre|nunca|tod[oa]s? (?:el mundo|(?:los|las) \p{L}+)|cualquier (?:persona|cliente)|all \p{L}+|.{0,3})$/iu;

/** What a boundary says that excludes nothing, in Spanish and English. */
const EXCLUDES_NOTHING =
  /^(?:no hay (?:exclusiones|límites|excepciones)|sin (?:exclusiones|límites|excepciones)|no (?:se )?excluye|a nadie|(?:there (?:are|is) )?no (?:exclusions|limits|exceptions|restrictions)|(?:no aplica|nobody|nothing|none|not applicable)(?= *(?:[.,;(]|$))|applies to (?:all|every))/i;

function isVague({ statement, metric }: Claim, { language }: Draft): boolean {
  if (metric || !VAGUE.test(statement)) return false;
  return !figuresIn(statement, language).some(({ vague, readings }) => !vague || readings[0] !== 1);
}

/** Words of somebody who has a figure and does not say it. */
const VAGUE =
  /(?<!\p{L})(?:much[oa]s|vari[oa]s|numeros[oa]s|poc[oa]s|r[áa]pid\p{L}+|pronto|barat\p{L}+|econ[óo]mic\p{L}+|a menudo|excelentes?|competitiv[oa]s?|precios bajos|relaci[óo]n calidad|m[áa]xima calidad|many|several|numerous|few|fast|quick(?:ly)?|soon|cheap(?:ly)?|affordable|competitive|low prices|often|excellent|value for money|top quality)(?!\p{L})/iu;

/** Whether a statement is one or two words, and the category a sentence. */
const isLabel = (statement: string, category: string) =>
  !/\s\S+\s/.test(statement.trim()) && category.length > statement.length;

const EXCLUDES =
  /(?<!\p{L})(?:no (?:entran?|se incluyen?|est[áa]n? incluid[oa]s?)|quedan? fuera|(?:are|is) not (?:included|covered))[.\s]*$|^(?:excepto|salvo|except|not for)(?!\p{L})|(?:^|(?:, |que |donde |where |which |that ))(?:no (?:l[oa]s? )?\p{L}{2,}(?:amos|emos|imos)|we (?:do not|don['’]t|cannot|can['’]t|never|refuse|decline|turn down|pass on))(?! (?:todav[íi]a|antes|yet|before)|\p{L})/iu;

/** The year of a price list of years ago. */
function oldPrice({ statement, metric }: Claim, _: Draft, { now }: Context): string | false {
  const [, year = ''] = PRICE_OF_YEAR.exec(statement) ?? PRICE_OF_YEAR.exec(metric?.window ?? '') ?? [];
  return Number(year) < now.getUTCFullYear() - 1 && year;
}

const PRICE_OF_YEAR =
  /(?:tarifas?|precios?|prices?|price list|rates?) (?:del? (?:año )?|of |from |for )?((?:19|20)\d\d)(?!\d)/i;

/** The year or the day until which a claim held. */
function endOf({ statement }: Claim, _: Draft, { now }: Context): string | undefined {
  const [, offered = ''] = OFFER_OF_YEAR.exec(statement) ?? [];
  if (offered !== '' && Number(offered) < now.getUTCFullYear()) return offered;
  const past = daysIn(statement).filter(({ hasYear, date }) => hasYear && date < now);
  return past.find(({ index }) => UNTIL.test(statement.slice(0, index)))?.said;
}

/** An offer of a season or a month of a year. */
const OFFER_OF_YEAR =
  /(?<!\p{L})(?:(?:rebajas?|ofertas?|descuentos?|promoci[óo]n|promociones) (?:de |del )?(?:\p{L}+ de )?|(?:offers?|sales?|discounts?|promotions?) (?:of |for )?(?:\p{L}+ )?)(20\d\d)(?!\d)/iu;

/** Before a day: what is said holds until then. */
const UNTIL = /(?<!\p{L})(?:hasta|antes de|until|till|before|by)(?: el| the)? $/iu;

/** "Since 2027 we shall …" may be announced. */
function futureYear({ statement }: Claim, _: Draft, { now }: Context): string | false {
  const [, founded = ''] = FOUNDED.exec(statement) ?? [];
  return Number(founded) > now.getUTCFullYear() + 5 && founded;
}

/** When a firm began: a year that is still to come is a slip of the finger. */
const FOUNDED =
  /(?<!\p{L})(?:fundad[oa]s? en|(?:founded|established|opened) in|desde|since) (?:el año )?([12]\d{3})(?![\d.,]*\d| ?(?:€|%|euros?|\p{L}*s(?!\p{L})))/iu;

/** Opening hours with an hour that no clock has. */
const NO_HOUR =
  /(?<!\p{L})(?:abrimos|abre|abiert[oa]s?|horario|cerramos|open|(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?),?:? (?:de|from) \d{1,2}(?::\d\d)? (?:a|to) (?:2[5-9]|[3-9]\d)(?!\d)/iu;

function otherLanguage({ statement }: Claim, { language }: Draft): string | false {
  const own = isSpanish(language) ? 'es' : language.startsWith('en') ? 'en' : undefined;
  const count = (of: keyof typeof ONLY) => [...statement.matchAll(ONLY[of])].length;
  const [ours, others] = own === 'es' ? [count('es'), count('en')] : [count('en'), count('es')];
  return own !== undefined && others > 2 && ours <= others / 10 && language;
}

/** Words that only one of the two languages has. */
const ONLY = {
  es: /(?<!\p{L})(?:el|los|las|la|del?|una?|unos|con|para|por|que|qué|desde|hasta|nuestr[oa]s?|está|son|y|en|se|al|su|más|cada|sin)(?!\p{L})/giu,
  en: /(?<!\p{L})(?:the|and|with|for|from|of|our|your|is|are|we|until|at|to|in|on|by|or|what|how|do|this|every|per|an|you)(?!\p{L})/giu,
} as const;

function foreignPrice({ statement, metric }: Claim, { language }: Draft): string | false | undefined {
  const own = /^en\b/i.test(language) ? 'en' : /^es(?:-ES)?$/i.test(language) ? 'es' : undefined;
  const [said] = (own && FOREIGN_PRICE[own].exec(statement)) ?? [];
  const [decimal] = /[\d.,]+/.exec(said ?? '') ?? [];
  // Fuel costs 1,290 euros a litre.
  const isMeant = decimal !== undefined && Number(decimal.replace(',', '.')) === metric?.value;
  return !isMeant && said;
}

/** "£1.250" in English, "1,250 euros" in Spanish of Spain: read as one and a quarter. */
const FOREIGN_PRICE = {
  en: /(?:[£$€] ?\d{1,3}\.\d{3}|(?<![\d.,])\d{1,3}\.\d{3} ?(?:pounds|euros|dollars))(?![\d.,]\d|\d)/,
  es: /(?<![\d.,])\d{1,3},\d{3} ?(?:€|euros?)/,
} as const;
