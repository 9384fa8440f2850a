import { isSpanish } from '../brand/profile/finding-words.ts';

/** A unit that can be compared with another: same dimension, and the same name or a factor between the two. */
export interface Unit {
  readonly dimension:
    | 'money'
    | 'time'
    | 'percent'
    | 'points'
    | 'times'
    | 'share'
    | 'length'
    | 'weight'
    | 'area';
  /** The currency; in other dimensions the word. */
  readonly name: string;
  /** How much one of it is in the least unit of its dimension. */
  readonly factor: number;
  /** One and several, where it is no sign: "día", "días". */
  readonly spanish?: readonly [uno: string, varios: string] | undefined;
}

/** A figure that a text states, in digits or in words. */
export interface Figure {
  /** What it may mean: `1.500` is 1500 in Spanish, and 1.5 or 1500 in English. */
  readonly readings: readonly number[];
  /** What stands beside it, where that is a unit that the table knows. */
  readonly unit: Unit | undefined;
  /** How far a measured value may lie from it: `about 80` is said of 79, `more than 100` of 112. */
  readonly slack: Slack;
  /** It may as well be an article, a year or a part of a name: it can agree with a metric, and contradicts none. */
  readonly vague: boolean;
  /** What it counts where it has no unit: nothing, for it is an article, or the things that follow it: `60 models`. */
  readonly bare?: 'article' | 'things' | undefined;
}

export type Slack = 'exact' | 'about' | 'atLeast' | 'atMost';

type Row = readonly [
  pattern: string,
  dimension: Unit['dimension'],
  name: string,
  factor?: number,
  spanish?: Unit['spanish'],
];

/** Words and signs of each unit; the first that fits counts. */
// biome-ignore format: a table, a unit a line
const UNITS: readonly Row[] = [
  ['puntos? porcentuales?|puntos?|percentage points?|points?|pp|p\\.p\\.', 'points', 'point', 1, ['punto', 'puntos']],
  ['%|por ciento|por cien|per ?cent|percent', 'percent', '%'],
  ['€|eur|euros?', 'money', 'EUR'],
  ['us\\$|usd|\\$|d[óo]lar(?:es)?|dollars?', 'money', 'USD'],
  ['£|gbp|libras?(?: esterlinas?)?|pounds?(?: sterling)?|quid', 'money', 'GBP'],
  ['chf|francos?(?: suizos?)?|francs?', 'money', 'CHF'],
  ['mxn|pesos?', 'money', 'MXN'],
  ['¥|jpy|yen(?:es)?', 'money', 'JPY'],
  ['c[ée]ntimos?|centavos?|cents?', 'money', 'cent', 0.01],
  ['pence|penny|p', 'money', 'GBP', 0.01],
  ['segundos?|seconds?|secs?', 'time', 'second', 1, ['segundo', 'segundos']],
  ['minutos?|minutes?|mins?|min', 'time', 'minute', 60, ['minuto', 'minutos']],
  ['horas?|hours?|hrs?|h', 'time', 'hour', 3600, ['hora', 'horas']],
  ['d[íi]as? (?:laborables?|h[áa]biles?)|working days?|business days?', 'time', 'working day', 86_400 * 1.4, ['día laborable', 'días laborables']],
  ['d[íi]as?|days?', 'time', 'day', 86_400, ['día', 'días']],
  ['semanas?|weeks?', 'time', 'week', 7 * 86_400, ['semana', 'semanas']],
  ['quincenas?|fortnights?', 'time', 'fortnight', 14 * 86_400],
  ['mes(?:es)?|months?', 'time', 'month', 30.4 * 86_400, ['mes', 'meses']],
  ['trimestres?|quarters?', 'time', 'quarter', 91.3 * 86_400, ['trimestre', 'trimestres']],
  ['a[ñn]os?|years?|ejercicios?', 'time', 'year', 365.25 * 86_400, ['año', 'años']],
  ['veces|times|x', 'times', 'time', 1, ['vez', 'veces']],
  ['m2|m²|metros? cuadrados?|square met(?:er|re)s?|sqm', 'area', 'm2', 1],
  ['hect[áa]reas?|hectares?|ha', 'area', 'hectare', 10_000, ['hectárea', 'hectáreas']],
  ['km|kil[óo]metros?|kilomet(?:er|re)s?', 'length', 'km', 1000],
  ['metros?|met(?:er|re)s?|m', 'length', 'm', 1],
  ['cm|cent[íi]metros?|centimet(?:er|re)s?', 'length', 'cm', 0.01],
  ['millas?|miles?|mi', 'length', 'mile', 1609, ['milla', 'millas']],
  ['kg|kilos?|kilogramos?|kilograms?', 'weight', 'kg', 1],
  ['toneladas?|tonnes?|tons?', 'weight', 'tonne', 1000, ['tonelada', 'toneladas']],
  ['gramos?|grams?|g', 'weight', 'g', 0.001],
];

const ROWS = UNITS.map(([pattern, dimension, name, factor = 1, spanish]) => ({
  after: new RegExp(`^[ \\u00a0-]?(?:de )?(?:${pattern})(?![\\p{L}\\d])`, 'iu'),
  whole: new RegExp(`(?<![\\p{L}\\d])(?:${pattern})(?![\\p{L}\\d])`, 'iu'),
  unit: { dimension, name, factor, spanish },
}));

const SIGN_BEFORE = /(€|US\$|\$|£|¥|EUR|USD|GBP|CHF) ?$/u;

/** The unit of a figure: what follows it, else the sign before it. */
export function unitIn(before: string, after: string): Unit | undefined {
  const [, sign] = SIGN_BEFORE.exec(before) ?? [];
  return ROWS.find(row => row.after.test(after))?.unit ?? (sign === undefined ? undefined : unitNamed(sign));
}

/** The unit that a metric names, `EUR per session`; nothing where it is none that the table knows. */
export function unitNamed(text: string): Unit | undefined {
  // What stands after "per" is no unit of the figure.
  const [own = ''] = text
    .replace(/(?<!\p{L})[kM](?=[€$£])|(?<=[€$£])[km](?!\p{L})/giu, '')
    .split(/\b(?:per|por|al|a la)\b(?! ?ci?ent)|\//iu);
  return ROWS.find(row => row.whole.test(own))?.unit;
}

/** `miles de euros`, `k€`, `million USD`: what a metric's value is counted in. */
export function scaleOf(unit: string): number {
  if (/(?<!\p{L})(?:millones|mill[óo]n|million|millions|M)(?!\p{L})|M€|[€$£][mM](?!\p{L})/u.test(unit))
    return 1e6;
  return /(?<!\p{L})(?:miles(?= de )|mil|thousands?|k)(?![\p{L}])|k€/iu.test(unit) ? 1e3 : 1;
}

/** The word of a unit beside a figure: "días". */
export function unitWord({ name, spanish }: Unit, figure: number, language: string): string {
  if (!spanish) return name;
  if (isSpanish(language)) return spanish[figure === 1 ? 0 : 1];
  return figure === 1 ? name : `${name}s`;
}

/** A value as the language writes it: "0,92" in Spanish. */
export const figureWord = (value: unknown, language: string): string =>
  typeof value === 'number' && isSpanish(language) ? String(value).replace('.', ',') : String(value);
