import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import type { Claim } from '../brand/profile/schema.ts';
import { figureAndUnit } from './cell.ts';
import type { Draft } from './draft.ts';
import { figuresIn } from './figures.ts';
import type { ClaimGuard } from './guards.ts';
import { numberOf } from './number-words.ts';
import { type Figure, unitNamed } from './units.ts';

/** What a metric says beside its figure and the sentence says in another way. */
export const FIGURE_GUARDS: readonly ClaimGuard[] = [
  ['figure_as_text', 'metric.value', figureInText],
  ['price_unit', 'metric.value', unitOfPrice],
  [
    'vat_differs',
    'metric.unit',
    ({ statement, metric }) => vatDiffers(statement, metric?.unit ?? '') && metric?.unit,
  ],
  ['cases_differ', 'metric.n', otherCases],
  ['window_differs', 'metric.window', otherWindow],
];

/** The figure of a value that is a text. */
function figureInText({ metric }: Claim): string | undefined {
  if (typeof metric?.value !== 'string') return undefined;
  const [figure = metric.value, sign = ''] = figureAndUnit(metric.value.trim());
  return /^-?\d+(?:[.,]\d+)*$/.test(figure.trim()) && (sign === '' || unitNamed(sign)) ? figure : undefined;
}

/** The currency of a price that does not say it. */
function unitOfPrice({ statement, metric }: Claim, { language }: Draft): string | undefined {
  const { value, unit = '' } = metric ?? {};
  if (typeof value !== 'number' || unit.trim() !== '') return undefined;
  const isPrice = (figure: Figure) => figure.unit?.dimension === 'money' && figure.readings.includes(value);
  return figuresIn(statement, language).find(isPrice)?.unit?.name;
}

const WITH_VAT =
  /(?<!sin |no |not )(?:IVA (?:ya )?incluido|con (?:el )?IVA|(?:including|incl?\.?|with|inclusive of) VAT|VAT (?:included|inclusive))(?! no)/iu;
const WITHOUT_VAT =
  /(?:(?:más|\+|sin|aparte el) (?:el )?IVA(?!\p{L})|IVA (?:no incluido|aparte|excluido)|(?:plus|\+|excluding|excl?\.?|without|before) VAT|VAT (?:not included|excluded|extra))/iu;

function vatDiffers(...texts: readonly [statement: string, unit: string]): boolean {
  const [said, measured] = texts.map(text => [WITH_VAT.test(text), WITHOUT_VAT.test(text)]);
  return said?.[0] !== said?.[1] && measured?.[0] !== measured?.[1] && said?.[0] !== measured?.[0];
}

const CASES =
  /(?:^(?:of|de)(?: the| our| los| las| nuestr[oa]s)?|(?:%|per cent|por ciento|\d) (?:of|de) (?:the|our|los|las|nuestr[oa]s)) (?<count>[\d.,]+)(?= (?!(?:a|y|to|and)(?!\p{L}))\p{L}{3})/iu;

function otherCases({ statement, metric }: Claim, { language }: Draft): string[] | undefined {
  const n = metric?.n;
  const count = CASES.exec(statement)?.groups?.count;
  const [figure] = count && n !== undefined ? figuresIn(count, language) : [];
  if (!figure || figure.readings.includes(n ?? 0)) return undefined;
  // "De 9 meses a 6": a length of time is no number of cases.
  const isLength = figuresIn(statement, language).some(
    one => one.unit && one.readings[0] === figure.readings[0],
  );
  return isLength ? undefined : [String(n), String(count)];
}

const LASTED =
  /(?<!\p{L})(?:for|after|within|durante|tras|al cabo de) (?<count>an?|one|una?|two|dos|three|tres|\d+) (?<unit>months?|years?|meses|mes|a[ñn]os?)(?!\p{L})/iu;
const LENGTH =
  /^(?:(?:for|after|within|durante|tras) )?(?<count>an?|one|una?|two|dos|three|tres|\d+) (?<unit>months?|years?|meses|mes|a[ñn]os?)(?!\p{L})/iu;

/** "For a year" in the sentence, 24 months in the window. */
function otherWindow({ statement, metric }: Claim): string | undefined {
  const { window = '', unit = '' } = metric ?? {};
  const [said, measured] = [LASTED.exec(statement), LENGTH.exec(window)].map(months);
  if (said === undefined || measured === undefined || said === measured) return undefined;
  return unitNamed(unit)?.dimension === 'time' ? undefined : window;
}

function months(found: RegExpExecArray | null): number | undefined {
  const { count = '', unit = '' } = found?.groups ?? {};
  const number = /^an?$/i.test(count) ? 1 : numberOf(count);
  return number === undefined ? undefined : number * (/^[ya]/i.test(unit) ? 12 : 1);
}

/** One metric with two values; "price" alone may be that of anything. */
export function rivalWarnings({ claims }: Draft): Fault[] {
  const first = new Map<string, Claim>();
  return claims.flatMap(({ at, part }) => {
    const { metric, boundary } = part;
    if (!metric || !/[\s_-]/.test(metric.name.trim())) return [];
    const key = JSON.stringify([metric.name, metric.unit, metric.window, boundary]);
    const rival = first.get(key) ?? part;
    first.set(key, rival);
    if (rival.metric?.value === metric.value) return [];
    return [fault(jsonPath(['claims', at, 'metric', 'value']), 'rival_figures', rival.claim_id)];
  });
}
