import { isSpanish } from '../brand/profile/finding-words.ts';

/** Units as people say them, one and several, in English and in Spanish; the others are signs in both. */
// biome-ignore format: a table, a unit a line
const WORDS: Readonly<Record<string, readonly [one: string, several: string, uno: string, varios: string]>> = {
  second: ['second', 'seconds', 'segundo', 'segundos'],
  minute: ['minute', 'minutes', 'minuto', 'minutos'],
  hour: ['hour', 'hours', 'hora', 'horas'],
  'working day': ['working day', 'working days', 'día laborable', 'días laborables'],
  day: ['day', 'days', 'día', 'días'],
  week: ['week', 'weeks', 'semana', 'semanas'],
  month: ['month', 'months', 'mes', 'meses'],
  quarter: ['quarter', 'quarters', 'trimestre', 'trimestres'],
  year: ['year', 'years', 'año', 'años'],
  points: ['point', 'points', 'punto', 'puntos'],
  times: ['time', 'times', 'vez', 'veces'],
  hectare: ['hectare', 'hectares', 'hectárea', 'hectáreas'],
  mile: ['mile', 'miles', 'milla', 'millas'],
  tonne: ['tonne', 'tonnes', 'tonelada', 'toneladas'],
};

/** The word of a unit beside a figure: "días". */
export const unitWord = (unit: string, figure: number, language: string): string =>
  WORDS[unit]?.[(isSpanish(language) ? 2 : 0) + (figure === 1 ? 0 : 1)] ?? unit;

/** A value as the language writes it: "0,92" in Spanish. */
export const figureWord = (value: unknown, language: string): string =>
  typeof value === 'number' && isSpanish(language) ? String(value).replace('.', ',') : String(value);
