import { type Fault, fault, jsonPath, quote } from '../brand/profile/fault.ts';
import { type FindingCode, isSpanish } from '../brand/profile/finding-words.ts';
import type { Claim } from '../brand/profile/schema.ts';
import { daysIn } from './days.ts';
import type { Draft } from './draft.ts';
import { figuresIn } from './figures.ts';
import { EXAMPLE_CLAIM } from './new-profile.ts';
import { isPraise } from './praise.ts';

/** "n/a", "everyone", "ninguno", "todo el mundo": half a boundary, though the schema is satisfied. */
const SAYS_NOTHING =
  /^(?:\S{0,4}|todos|todas|nadie|ningun[oa]s?|cualquiera|general(?:es)?|everyone|everybody|anyone|nobody|nothing|always|never|siempre|nunca|tod[oa]s? (?:el mundo|(?:los|las) \p{L}+)|cualquier (?:persona|cliente)|all \p{L}+|.{0,3})$/iu;

/** What a boundary says that excludes nothing, in Spanish and English. */
const EXCLUDES_NOTHING =
  /^(?:no hay (?:exclusiones|límites|excepciones)|sin (?:exclusiones|límites|excepciones)|no (?:se )?excluye|a nadie|(?:there (?:are|is) )?no (?:exclusions|limits|exceptions|restrictions)|(?:no aplica|nobody|nothing|none|not applicable)(?= *(?:[.,;(]|$))|applies to (?:all|every))/i;

/** The words that agents and people know; anything else is read as it stands, and compared with nothing. */
const CONFIDENCE = ['high', 'medium', 'low'];

/** What is allowed in a claim and seldom meant: a boundary that says nothing, confidence without proof, no figure, an example. */
export function claimWarnings({ claims, language }: Draft, now: Date): Fault[] {
  const found = claims.flatMap(({ at, part }) =>
    [
      ...boundaryWarnings(part),
      ...confidenceWarnings(part),
      ...vagueWarnings(part, language),
      ...exampleWarnings(part),
      ...swapWarnings(part),
      ...praiseWarnings(part),
      ...ageWarnings(part, now),
      ...clockWarnings(part, now),
      ...lengthWarnings(part),
      ...wordingWarnings(part, language),
      ...priceWarnings(part, language),
    ].map(([code, path, ...values]) => fault(jsonPath(['claims', at, ...path]), code, ...values)),
  );
  const swapped = found.filter(isBoundarySwapped);
  if (swapped.length < 3) return found;
  // Many of them are one mistake: the headings of the sheet.
  return [...found.filter(one => !isBoundarySwapped(one)), fault('claims', 'swapped_headings', String(swapped.length))];
}

const isBoundarySwapped = ({ found }: Fault) => found?.code === 'swapped_boundary';

type ClaimWarning = readonly [code: FindingCode, path: readonly string[], ...values: readonly string[]];

function boundaryWarnings({ boundary }: Claim): ClaimWarning[] {
  const { applicable_for, not_applicable_for } = boundary;
  const excluding = ['boundary', 'not_applicable_for'];
  if (applicable_for.trim() === not_applicable_for.trim()) return [['same_boundary', excluding]];
  const short = Object.entries(boundary).filter(([, text]) => SAYS_NOTHING.test(text.trim().replace(/\W+$/u, '')));
  if (short.length === 0 && EXCLUDES_NOTHING.test(not_applicable_for.trim())) return [['open_boundary', excluding]];
  return short.map(([half]) => ['short_boundary', ['boundary', half]]);
}

function confidenceWarnings({ confidence, proof_ids }: Claim): ClaimWarning[] {
  if (!CONFIDENCE.includes(confidence)) return [['confidence_word', ['confidence'], JSON.stringify(confidence)]];
  return confidence === 'high' && proof_ids.length === 0 ? [['high_without_proof', ['confidence']]] : [];
}

/** Words of somebody who has a figure and does not say it. */
const VAGUE =
  /(?<!\p{L})(?:much[oa]s|vari[oa]s|numeros[oa]s|poc[oa]s|r[áa]pid\p{L}+|pronto|barat\p{L}+|econ[óo]mic\p{L}+|a menudo|excelentes?|competitiv[oa]s?|precios bajos|relaci[óo]n calidad|m[áa]xima calidad|many|several|numerous|few|fast|quick(?:ly)?|soon|cheap(?:ly)?|affordable|competitive|low prices|often|excellent|value for money|top quality)(?!\p{L})/iu;

function vagueWarnings({ statement, metric }: Claim, language: string): ClaimWarning[] {
  return !metric &&
    VAGUE.test(statement) &&
    !figuresIn(statement, language).some(({ vague, readings }) => !vague || readings[0] !== 1)
    ? [['no_figure', ['statement']]]
    : [];
}

function exampleWarnings({ claim_id }: Claim): ClaimWarning[] {
  return claim_id.startsWith(EXAMPLE_CLAIM) ? [['example', []]] : [];
}

/** Cells of a sheet that stand in each other's column. */
function swapWarnings({ statement, category, metric, boundary }: Claim): ClaimWarning[] {
  const found: ClaimWarning[] = [];
  if (!/\s\S+\s/.test(statement.trim()) && category.length > statement.length)
    found.push(['swapped_category', ['statement'], quote(statement)]);
  if (/^[\d.,]+$/.test(metric?.unit ?? '')) found.push(['swapped_unit', ['metric', 'unit'], metric?.unit ?? '']);
  if (EXCLUDES.test(boundary.applicable_for)) found.push(['swapped_boundary', ['boundary', 'applicable_for']]);
  return found;
}

const EXCLUDES =
  /(?<!\p{L})(?:no (?:entran?|se incluyen?|est[áa]n? incluid[oa]s?)|quedan? fuera|(?:are|is) not (?:included|covered))[.\s]*$|^(?:excepto|salvo|except|not for)(?!\p{L})|(?:^|(?:, |que |donde |where |which |that ))(?:no (?:l[oa]s? )?\p{L}{2,}(?:amos|emos|imos)|we (?:do not|don['’]t|cannot|can['’]t|never|refuse|decline|turn down|pass on))(?! (?:todav[íi]a|antes|yet|before)|\p{L})/iu;

function praiseWarnings({ statement, proof_ids }: Claim): ClaimWarning[] {
  return proof_ids.length === 0 && isPraise(statement) ? [['praise', ['statement']]] : [];
}

/** A price list of years ago. */
function ageWarnings({ statement, metric }: Claim, now: Date): ClaimWarning[] {
  const [, year] = PRICE_OF_YEAR.exec(statement) ?? PRICE_OF_YEAR.exec(metric?.window ?? '') ?? [];
  if (Number(year) < now.getUTCFullYear() - 1) return [['old_price', ['statement'], year ?? '']];
  const [, offered] = OFFER_OF_YEAR.exec(statement) ?? [];
  if (Number(offered) < now.getUTCFullYear()) return [['ended', ['statement'], offered ?? '']];
  const over = daysIn(statement).find(
    ({ index, hasYear, date }) => hasYear && date < now && UNTIL.test(statement.slice(0, index)),
  );
  return over ? [['ended', ['statement'], over.said]] : [];
}

/** An offer of a season or a month of a year. */
const OFFER_OF_YEAR =
  /(?<!\p{L})(?:(?:rebajas?|ofertas?|descuentos?|promoci[óo]n|promociones) (?:de |del )?(?:\p{L}+ de )?|(?:offers?|sales?|discounts?|promotions?) (?:of |for )?(?:\p{L}+ )?)(20\d\d)(?!\d)/iu;

/** When a firm began: a year that is still to come is a slip of the finger. */
const FOUNDED =
  /(?<!\p{L})(?:fundad[oa]s? en|(?:founded|established|opened) in|desde|since) (?:el año )?([12]\d{3})(?![\d.,]*\d| ?(?:€|%|euros?|\p{L}*s(?!\p{L})))/iu;

/** Opening hours with an hour that no clock has. */
const NO_HOUR =
  /(?<!\p{L})(?:abrimos|abre|abiert[oa]s?|horario|cerramos|open|(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?),?:? (?:de|from) \d{1,2}(?::\d\d)? (?:a|to) (?:2[5-9]|[3-9]\d)(?!\d)/iu;

function clockWarnings({ statement }: Claim, now: Date): ClaimWarning[] {
  const [, founded] = FOUNDED.exec(statement) ?? [];
  // "Since 2027 we shall …" may be announced.
  if (Number(founded) > now.getUTCFullYear() + 5) return [['future_year', ['statement'], founded ?? '']];
  return NO_HOUR.test(statement) ? [['no_such_hour', ['statement']]] : [];
}

/** Before a day: what is said holds until then. */
const UNTIL = /(?<!\p{L})(?:hasta|antes de|until|till|before|by)(?: el| the)? $/iu;

/** Longer ones say several things. */
const LONG = 400;

const lengthWarnings = ({ statement }: Claim): ClaimWarning[] =>
  statement.length > LONG ? [['long_statement', ['statement'], String(statement.length)]] : [];

/** Words that only one of the two languages has. */
const ONLY = {
  es: /(?<!\p{L})(?:el|los|las|la|del?|una?|unos|con|para|por|que|qué|desde|hasta|nuestr[oa]s?|está|son|y|en|se|al|su|más|cada|sin)(?!\p{L})/giu,
  en: /(?<!\p{L})(?:the|and|with|for|from|of|our|your|is|are|we|until|at|to|in|on|by|or|what|how|do|this|every|per|an|you)(?!\p{L})/giu,
} as const;

function wordingWarnings({ statement }: Claim, language: string): ClaimWarning[] {
  const own = isSpanish(language) ? 'es' : language.startsWith('en') ? 'en' : undefined;
  if (!own) return [];
  const count = (of: keyof typeof ONLY) => [...statement.matchAll(ONLY[of])].length;
  const [ours, others] = [count(own), count(own === 'es' ? 'en' : 'es')];
  return others > 2 && ours <= others / 10 ? [['other_language', ['statement'], language]] : [];
}

/** "£1.250" in English, "1,250 euros" in Spanish of Spain: read as one and a quarter. */
const FOREIGN_PRICE = {
  en: /(?:[£$€] ?\d{1,3}\.\d{3}|(?<![\d.,])\d{1,3}\.\d{3} ?(?:pounds|euros|dollars))(?![\d.,]\d|\d)/,
  es: /(?<![\d.,])\d{1,3},\d{3} ?(?:€|euros?)/,
} as const;

function priceWarnings({ statement, metric }: Claim, language: string): ClaimWarning[] {
  const own = /^en\b/i.test(language) ? 'en' : /^es(?:-ES)?$/i.test(language) ? 'es' : undefined;
  const [said] = (own && FOREIGN_PRICE[own].exec(statement)) ?? [];
  const [decimal] = /[\d.,]+/.exec(said ?? '') ?? [];
  // Fuel costs 1,290 euros a litre.
  const isMeant = decimal !== undefined && Number(decimal.replace(',', '.')) === metric?.value;
  return said === undefined || isMeant ? [] : [['foreign_price', ['statement'], said]];
}

const PRICE_OF_YEAR =
  /(?:tarifas?|precios?|prices?|price list|rates?) (?:del? (?:año )?|of |from |for )?((?:19|20)\d\d)(?!\d)/i;
