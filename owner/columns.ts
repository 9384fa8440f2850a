import { wordsOf } from '../brand/profile/texts.ts';
import { isSpanish } from './csv.ts';

/** One column of a sheet, and where its cells go in a profile. */
export interface Column {
  readonly part: 'claim' | 'proof';
  /** Path of the value: `metric`, `value`. Questions go to `questions` and their language. */
  readonly path: readonly [string, ...string[]];
  /** The headings by language. Capitals, accents and signs do not count. */
  readonly en: string;
  readonly es: string;
  /** The kind of value. Default: text. */
  readonly holds?: 'number or text' | 'whole number' | 'ids' | 'lines';
  /** Spanish words for words of the profile. */
  readonly spanish?: Readonly<Record<string, string>>;
}

const CONFIDENCE = { high: 'alta', medium: 'media', low: 'baja' };
const CONFIDENTIALITY = {
  public: 'pública',
  anonymised: 'anonimizada',
  on_request: 'a petición',
  confidential: 'confidencial',
};

// biome-ignore format: a table, a column a line
const CLAIM_COLUMNS: readonly Column[] = [
  { part: 'claim', path: ['claim_id'], en: 'claim id', es: 'id de la afirmación' },
  { part: 'claim', path: ['statement'], en: 'statement', es: 'afirmación' },
  { part: 'claim', path: ['category'], en: 'category', es: 'categoría' },
  { part: 'claim', path: ['boundary', 'applicable_for'], en: 'applies to', es: 'se aplica a' },
  { part: 'claim', path: ['boundary', 'not_applicable_for'], en: 'does not apply to', es: 'no se aplica a' },
  { part: 'claim', path: ['confidence'], en: 'confidence', es: 'confianza', spanish: CONFIDENCE },
  { part: 'claim', path: ['metric', 'name'], en: 'metric', es: 'métrica' },
  { part: 'claim', path: ['metric', 'value'], en: 'value', es: 'valor', holds: 'number or text' },
  { part: 'claim', path: ['metric', 'unit'], en: 'unit', es: 'unidad' },
  { part: 'claim', path: ['metric', 'window'], en: 'window', es: 'periodo' },
  { part: 'claim', path: ['metric', 'baseline'], en: 'baseline', es: 'referencia', holds: 'number or text' },
  { part: 'claim', path: ['metric', 'n'], en: 'cases', es: 'casos', holds: 'whole number' },
  { part: 'claim', path: ['proof_ids'], en: 'proof ids', es: 'id de las pruebas', holds: 'ids' },
];

// biome-ignore format: a table, a column a line
const PROOF_COLUMNS: readonly Column[] = [
  { part: 'proof', path: ['proof_id'], en: 'proof id', es: 'id de la prueba' },
  { part: 'proof', path: ['type'], en: 'proof type', es: 'tipo de prueba' },
  { part: 'proof', path: ['title'], en: 'proof title', es: 'título de la prueba' },
  { part: 'proof', path: ['summary'], en: 'proof summary', es: 'resumen de la prueba' },
  { part: 'proof', path: ['client'], en: 'client', es: 'cliente' },
  { part: 'proof', path: ['verifiable_by'], en: 'verifiable by', es: 'comprobable por' },
  { part: 'proof', path: ['confidentiality'], en: 'confidentiality', es: 'confidencialidad', spanish: CONFIDENTIALITY },
];

/** A language tag in the usual case, which does not count (RFC 5646, 2.1.1): `pt-BR`, `zh-Hant`. */
export const usualTag = (tag: string): string =>
  tag
    .toLowerCase()
    .replace(/-[a-z]{2}(?=-|$)/g, region => region.toUpperCase())
    .replace(/-[a-z]{4}(?=-|$)/g, script => script.slice(0, 2).toUpperCase() + script.slice(2));

/** The questions of a claim in one language, one a line of the cell. */
const questionColumn = (tag: string): Column => ({
  part: 'claim',
  path: ['questions', tag],
  en: `questions ${tag}`,
  es: `preguntas ${tag}`,
  holds: 'lines',
});

/**
 * The columns of a sheet in their order: claims, their questions, proofs. A row has a claim, a proof, or
 * both.
 * @param questionLanguages tags of the languages that have questions
 */
export const sheetColumns = (questionLanguages: Iterable<string>): readonly Column[] => [
  ...CLAIM_COLUMNS,
  ...Array.from(questionLanguages, questionColumn),
  ...PROOF_COLUMNS,
];

/** The heading of a column in the language of a profile. */
export const headingOf = ({ en, es }: Column, language: string): string => (isSpanish(language) ? es : en);

/** `questions en`, `Preguntas (es)` and `questions_pt-BR`, with the tag of the language. */
const QUESTIONS_HEADING = /^\s*(?:questions|preguntas)[\s_:(]+([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\W*$/i;

/** The column of an English or Spanish heading. Undefined for an unknown heading. */
export function columnOf(heading: string): Column | undefined {
  const [, tag] = QUESTIONS_HEADING.exec(heading) ?? [];
  return tag === undefined ? BY_HEADING.get(wordsOf(heading).join(' ')) : questionColumn(usualTag(tag));
}

const BY_HEADING = new Map(
  sheetColumns([]).flatMap(column =>
    [column.en, column.es].map(heading => [wordsOf(heading).join(' '), column] as const),
  ),
);

/**
 * The headings of a member: those of the sheet, else those of an export. A member with parts has several.
 * @param written headings of the sheet's columns
 */
export function headingsAt(
  part: Column['part'],
  member: string,
  written: ReadonlyMap<Column, string>,
  language: string,
): string {
  const path = `${member.replace(/\[\d+\]/g, '')}.`;
  const columns = sheetColumns([]).filter(
    column => column.part === part && `${column.path.join('.')}.`.startsWith(path),
  );
  const headings = columns.map(column => written.get(column) ?? headingOf(column, language));
  return headings.map(heading => `"${heading}"`).join(', ') || member;
}
