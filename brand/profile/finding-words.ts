import { FINDINGS } from './finding-table.ts';

export type FindingCode = keyof typeof FINDINGS;

/** A fact without words: what was found, and what fills the gaps of its sentence. `@public` is a word of WORDS, in each language. */
export interface Found {
  readonly code: FindingCode;
  readonly values: readonly string[];
}

export const isFindingCode = (text: string): text is FindingCode => Object.hasOwn(FINDINGS, text);

/** Whether owners of this language get Spanish; all others get English. */
export const isSpanish = (language: string): boolean => /^es\b/i.test(language);

/** What is wrong and what to do, in Spanish for `es` and its regions, else in English. */
export function wordsOfFinding({ code, values }: Found, language: string): { message: string; fix?: string } {
  const spanish = isSpanish(language);
  const [message, fix, mensaje, arreglo] = FINDINGS[code];
  const filled = (text: string) =>
    text.replace(/\{(\d)\}/g, (_, at) => {
      const value = values[Number(at)] ?? '';
      return WORDS[value]?.[spanish ? 1 : 0] ?? value;
    });
  const help = filled(spanish ? arreglo : fix);
  return { message: filled(spanish ? mensaje : message), ...(help !== '' && { fix: help }) };
}

/** A finding for whoever fills in a form or a cell, and writes no JSON. @param missing how it says that nothing is there */
export const inForm = ({ code, values }: Found, missing: 'missing_field' | 'missing_cell'): Found =>
  code === 'missing'
    ? { code: missing, values: [] }
    : { code, values: values.map(value => OF_FORMS[value] ?? value) };

const OF_FORMS: Readonly<Record<string, string>> = {
  '@string': '@text',
  '@number': '@figure',
  '@int': '@whole',
};

const WORDS: Readonly<Record<string, readonly [english: string, spanish: string]>> = {
  '@text': ['a text', 'un texto'],
  '@figure': ['a number', 'un número'],
  '@whole': ['a whole number', 'un número entero'],
  '@string': ['a text in double quotes', 'un texto entre comillas dobles'],
  '@number': ['a number without quotes', 'un número sin comillas'],
  '@int': ['a whole number without quotes', 'un número entero sin comillas'],
  '@boolean': ['true or false, without quotes', 'true (sí) o false (no), sin comillas'],
  '@array': ['a list in [ ]', 'una lista entre [ ]'],
  '@object': ['an object in { }', 'un grupo de datos entre { }'],
  '@record': ['an object in { }', 'un grupo de datos entre { }'],
  '@public': ['public', 'pública'],
  '@anonymised': ['anonymised', 'anonimizada'],
  '@on_request': ['on_request', 'a petición'],
  '@confidential': ['confidential', 'confidencial'],
  '@not_public': ['not public', 'no pública'],
};
