import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import type { FindingCode } from '../brand/profile/finding-words.ts';
import type { Claim } from '../brand/profile/schema.ts';
import { figureAndUnit } from './cell.ts';
import type { Draft } from './draft.ts';
import { figuresIn } from './figures.ts';
import { numberOf } from './number-words.ts';
import { unitNamed } from './units.ts';

type Found = readonly [code: FindingCode, member: string, ...values: readonly string[]];

/** What a metric says beside its figure and the sentence says in another way. */
export function figureWarnings({ claims, language }: Draft): Fault[] {
  const first = new Map<string, Claim>();
  return claims.flatMap(({ at, part }) => {
    const found = [
      ...valueFindings(part, language),
      ...vatFindings(part),
      ...caseFindings(part, language),
      ...windowFindings(part),
      ...rivalFindings(part, first),
    ];
    return found.map(([code, member, ...values]) => fault(jsonPath(['claims', at, 'metric', member]), code, ...values));
  });
}

/** A figure that is a text, and a price that does not say of what currency. */
function valueFindings({ statement, metric }: Claim, language: string): Found[] {
  const { value, unit = '' } = metric ?? {};
  if (typeof value === 'string') {
    const [figure = value, sign = ''] = figureAndUnit(value.trim());
    if (!/^-?\d+(?:[.,]\d+)*$/.test(figure.trim()) || (sign !== '' && !unitNamed(sign))) return [];
    return [['figure_as_text', 'value', figure]];
  }
  if (value === undefined || unit.trim() !== '') return [];
  const price = figuresIn(statement, language).find(
    figure => figure.unit?.dimension === 'money' && figure.readings.includes(value),
  );
  return price ? [['price_unit', 'value', String(price.unit?.name)]] : [];
}

const WITH_VAT =
  /(?<!sin |no |not )(?:IVA (?:ya )?incluido|con (?:el )?IVA|(?:including|incl?\.?|with|inclusive of) VAT|VAT (?:included|inclusive))(?! no)/iu;
const WITHOUT_VAT =
  /(?:(?:más|\+|sin|aparte el) (?:el )?IVA(?!\p{L})|IVA (?:no incluido|aparte|excluido)|(?:plus|\+|excluding|excl?\.?|without|before) VAT|VAT (?:not included|excluded|extra))/iu;

function vatFindings({ statement, metric }: Claim): Found[] {
  const unit = metric?.unit ?? '';
  const [said, measured] = [statement, unit].map(text => [WITH_VAT.test(text), WITHOUT_VAT.test(text)]);
  const differ = said?.[0] !== said?.[1] && measured?.[0] !== measured?.[1] && said?.[0] !== measured?.[0];
  return differ ? [['vat_differs', 'unit', unit]] : [];
}

const CASES =
  /(?:^(?:of|de)(?: the| our| los| las| nuestr[oa]s)?|(?:%|per cent|por ciento|\d) (?:of|de) (?:the|our|los|las|nuestr[oa]s)) (?<count>[\d.,]+)(?= (?!(?:a|y|to|and)(?!\p{L}))\p{L}{3})/iu;

function caseFindings({ statement, metric }: Claim, language: string): Found[] {
  const count = CASES.exec(statement)?.groups?.count;
  const [figure] = count && metric?.n !== undefined ? figuresIn(count, language) : [];
  if (!figure || figure.readings.includes(metric?.n ?? 0)) return [];
  // "De 9 meses a 6": a length of time is no number of cases.
  if (figuresIn(statement, language).some(one => one.unit && one.readings[0] === figure.readings[0])) return [];
  return [['cases_differ', 'n', String(metric?.n), String(count)]];
}

const LASTED =
  /(?<!\p{L})(?:for|after|within|durante|tras|al cabo de) (?<count>an?|one|una?|two|dos|three|tres|\d+) (?<unit>months?|years?|meses|mes|a[ñn]os?)(?!\p{L})/iu;
const LENGTH =
  /^(?:(?:for|after|within|durante|tras) )?(?<count>an?|one|una?|two|dos|three|tres|\d+) (?<unit>months?|years?|meses|mes|a[ñn]os?)(?!\p{L})/iu;

/** "For a year" in the sentence, 24 months in the window. */
function windowFindings({ statement, metric }: Claim): Found[] {
  const window = metric?.window ?? '';
  const [said, measured] = [LASTED.exec(statement), LENGTH.exec(window)].map(months);
  if (said === undefined || measured === undefined || said === measured) return [];
  return unitNamed(metric?.unit ?? '')?.dimension === 'time' ? [] : [['window_differs', 'window', window]];
}

function months(found: RegExpExecArray | null): number | undefined {
  const { count = '', unit = '' } = found?.groups ?? {};
  const number = /^an?$/i.test(count) ? 1 : numberOf(count);
  return number === undefined ? undefined : number * (/^[ya]/i.test(unit) ? 12 : 1);
}

/** One metric with two values; "price" alone may be that of anything. */
function rivalFindings(claim: Claim, first: Map<string, Claim>): Found[] {
  const { metric, boundary } = claim;
  if (!metric || !/[\s_-]/.test(metric.name.trim())) return [];
  const key = JSON.stringify([metric.name, metric.unit, metric.window, boundary]);
  const rival = first.get(key);
  if (!rival) first.set(key, claim);
  return rival && rival.metric?.value !== metric.value ? [['rival_figures', 'value', rival.claim_id]] : [];
}
