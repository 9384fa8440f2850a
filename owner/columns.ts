import { closestMatch } from 'leven';
import { isSpanish } from '../brand/profile/finding-words.ts';
import { wordOf } from './fields.ts';
import { plain } from './words.ts';

/** One column of a sheet, and where its cells go in a profile. */
export interface Column {
  readonly part: 'claim' | 'proof';
  /** Members on the way to the value: `metric`, `value`. */
  readonly path: readonly [string, ...string[]];
  /** The headings that are written, by language, and others that are read. Capitals, accents and signs do not count. */
  readonly en: string;
  readonly es: string;
  readonly also?: readonly string[];
  /** What a cell holds; text where nothing is said. */
  readonly holds?: 'number or text' | 'whole number' | 'ids';
  /** Words of a sheet for words of the profile. */
  readonly words?: Readonly<Record<string, string>>;
}

const CONFIDENCE = { alta: 'high', media: 'medium', baja: 'low' };
const CONFIDENTIALITY = {
  ...{ publica: 'public', publico: 'public', confidencial: 'confidential' },
  ...{ anonimizada: 'anonymised', anonimizado: 'anonymised', anonima: 'anonymised' },
  ...{ 'a peticion': 'on_request', 'bajo peticion': 'on_request' },
};

/** A cell's word as a sheet of this language shows it. */
export const localWord = ({ words = {} }: Column, value: unknown, language: string): string | undefined =>
  isSpanish(language) && Object.values(words).some(word => word === value)
    ? wordOf(String(value), language).toLowerCase()
    : undefined;

/** A sheet of claims and proofs, in the order in which it is written. A row may hold a claim, a proof, or a claim with its proof. */
// biome-ignore format: a table, a column a line
export const COLUMNS: readonly Column[] = [
  { part: 'claim', path: ['claim_id'], en: 'claim id', es: 'id de la afirmación', also: ['id', 'afirmación id'] },
  { part: 'claim', path: ['statement'], en: 'statement', es: 'afirmación', also: ['claim', 'enunciado'] },
  { part: 'claim', path: ['category'], en: 'category', es: 'categoría', also: ['tema'] },
  { part: 'claim', path: ['boundary', 'applicable_for'], en: 'applies to', es: 'se aplica a', also: ['applicable for', 'aplicable a'] },
  { part: 'claim', path: ['boundary', 'not_applicable_for'], en: 'does not apply to', es: 'no se aplica a', also: ['not applicable for', 'no aplicable a'] },
  { part: 'claim', path: ['confidence'], en: 'confidence', es: 'confianza', words: CONFIDENCE },
  { part: 'claim', path: ['metric', 'name'], en: 'metric', es: 'métrica', also: ['metric name', 'indicador'] },
  { part: 'claim', path: ['metric', 'value'], en: 'value', es: 'valor', also: ['figure', 'cifra'], holds: 'number or text' },
  { part: 'claim', path: ['metric', 'unit'], en: 'unit', es: 'unidad' },
  { part: 'claim', path: ['metric', 'window'], en: 'window', es: 'periodo', also: ['period', 'plazo'] },
  { part: 'claim', path: ['metric', 'baseline'], en: 'baseline', es: 'referencia', also: ['compared with', 'comparado con'], holds: 'number or text' },
  { part: 'claim', path: ['metric', 'n'], en: 'cases', es: 'casos', also: ['n', 'número de casos'], holds: 'whole number' },
  { part: 'claim', path: ['proof_ids'], en: 'proof ids', es: 'id de las pruebas', also: ['proofs', 'pruebas'], holds: 'ids' },
  { part: 'proof', path: ['proof_id'], en: 'proof id', es: 'id de la prueba', also: ['prueba'] },
  { part: 'proof', path: ['type'], en: 'proof type', es: 'tipo de prueba', also: ['type', 'tipo'] },
  { part: 'proof', path: ['title'], en: 'proof title', es: 'título de la prueba', also: ['title', 'título'] },
  { part: 'proof', path: ['summary'], en: 'proof summary', es: 'resumen de la prueba', also: ['summary', 'resumen'] },
  { part: 'proof', path: ['client'], en: 'client', es: 'cliente' },
  { part: 'proof', path: ['verifiable_by'], en: 'verifiable by', es: 'comprobable por', also: ['verificable por'] },
  { part: 'proof', path: ['confidentiality'], en: 'confidentiality', es: 'confidencialidad', words: CONFIDENTIALITY },
];

/** The column that a heading names; undefined for a heading of the owner's own. */
export function columnOf(heading: string): Column | undefined {
  return BY_HEADING.get(plain(heading));
}

const BY_HEADING = new Map(
  COLUMNS.flatMap(column => {
    const { en, es, also = [], path } = column;
    return [en, es, ...also, path.join(' ')].map(heading => [plain(heading), column] as const);
  }),
);

/** The known heading that a heading is a slip of; undefined where none is near. */
export const nearestHeading = (heading: string, language: string): string | undefined =>
  closestMatch(heading.toLowerCase(), headingsIn(language), {
    maxDistance: Math.floor(heading.length * 0.4),
  });

/** The headings of a sheet in the language of a profile: Spanish, else English. */
export function headingsIn(language: string): string[] {
  return COLUMNS.map(({ en, es }) => (isSpanish(language) ? es : en));
}

interface Headed {
  /** Headings of a sheet by the member's path. */
  readonly written: ReadonlyMap<string, string>;
  readonly language: string;
}

/** The heading of a member, as the sheet has it, else as an export writes it; several for a member with parts. */
export function headingOf(
  part: Column['part'],
  member: string,
  { written, language }: Headed,
): string | undefined {
  const own = `${member.replace(/\[\d+\]/g, '')}.`;
  const columns = COLUMNS.filter(
    column => column.part === part && `${column.path.join('.')}.`.startsWith(own),
  );
  const heading = ({ path, en, es }: Column) =>
    written.get(path.join('.')) ?? (isSpanish(language) ? es : en);
  return columns.map(column => `"${heading(column)}"`).join(', ') || undefined;
}
