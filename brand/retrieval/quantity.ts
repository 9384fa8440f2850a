import { foldedText } from '../profile/folded-text.ts';
import type { Metric } from '../profile/schema.ts';

/** Kinds of quantity that people ask for and metrics state. */
export type Quantity = 'money' | 'time' | 'share' | 'count';

type Clues = readonly (readonly [Quantity, RegExp])[];

/**
 * Units by kind, folded. The first that fits wins, so `EUR per hour` is money and `hours` is time. What is none of these and has
 * a name (`stores`, `clients`) counts something.
 */
const UNITS: Clues = [
  [
    'money',
    /[€$£¥]|\b(eur|usd|gbp|mxn|cop|clp|ars|pen|brl|chf|euros?|dollars?|dolares|libras?|pesos?|soles|pounds?)\b/,
  ],
  [
    'share',
    /%|\b(percent\w*|per ?cent\w*|porcentaje|por ?ciento|por ?cien|puntos?|points?|pp|bps|proporcion|ratio)\b/,
  ],
  [
    'time',
    /\b(segundos?|minutos?|min|horas?|h|dias?|semanas?|mes|meses|trimestres?|anos?|seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b/,
  ],
];

/** The kind of quantity that a metric states; undefined where its value is a text or has no unit. */
export function quantityOf({ value, unit }: Pick<Metric, 'value' | 'unit'>): Quantity | undefined {
  if (unit === undefined || (typeof value === 'string' && !/\d/.test(value))) return undefined;
  const folded = foldedText(unit);
  return UNITS.find(([, clue]) => clue.test(folded))?.[0] ?? 'count';
}

/** `how many weeks` asks for time and `cuántos euros` for money: what is counted decides before the word that asks. */
const MOMENTS =
  'segundos?|minutos?|horas?|dias?|semanas?|mes|meses|anos?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|tiempo|time';
const COINS = 'euros?|dolares|dollars?|pesos|pounds?|dinero|money';

/** What a question says, folded, and the kind of quantity that it asks for. The first that fits wins. */
const QUESTIONS: Clues = [
  ['time', new RegExp(`\\b(cuant[oa]s?|how many|how much|que|what|which) (${MOMENTS})\\b`)],
  ['money', new RegExp(`\\b(cuant[oa]s?|how many|how much) (${COINS})\\b`)],
  [
    'share',
    /\b(que|what|which) (porcentaje|tanto por ciento|percentage|percent|share|proporcion|proportion|parte)\b|%/,
  ],
  [
    'time',
    /\b(cuanto (se )?(tarda\w*|dura\w*|demora\w*|lleva\w*)|how (long|soon|quickly|fast)|plazos?|duracion|duration|turnaround|lead time)\b/,
  ],
  [
    'money',
    /\b(cuanto (me |nos |os |se )?(cuesta\w*|cuestan|costaria\w*|cobra\w*|vale\w*|pago|pagaria\w*|sale|saldria\w*)|how much (is|are|for|will it be)|precios?|tarifas?|honorarios|costes?|prices?|pricing|costs?|charges?|fees?|facturacion|ingresos|presupuesto|importe|revenue|turnover|budget)\b/,
  ],
  ['count', /\b(cuant[oa]s|how many|numero de|number of)\b/],
  ['share', /\b(porcentaje|percentage|comision|commission|margen|margin|error|descuento|discount)\b/],
];

/** Asks for more than yes or no: with a word that asks, or in a few words. */
const OPEN = /\b(cuant[oa]s?|cual(es)?|que|how|what|which|dime|decidme|tell me)\b/;
const YES_OR_NO =
  /^\W*(is|are|do|does|did|can|could|will|would|has|have|se|hay|es|son|vale|incluye|teneis|tienen)\b/;
const FEW_WORDS = 5;

/**
 * The kind of quantity that a question asks for, in Spanish or English; undefined where it asks for something else.
 * "Is VAT included in the price?" names a price and asks for none.
 */
export function quantityAsked(query: string): Quantity | undefined {
  const folded = foldedText(query);
  const isShort = () => folded.split(/\s+/).length <= FEW_WORDS && !YES_OR_NO.test(folded);
  if (!OPEN.test(folded) && !isShort()) return undefined;
  return QUESTIONS.find(([, clue]) => clue.test(folded))?.[0];
}
