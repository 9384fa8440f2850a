import { closestMatch } from 'leven';
import { foldedText } from '../brand/profile/texts.ts';
import { messagesByTag } from '../tools/words/language.ts';

/** One column of a sheet, and where its cells go in a profile. */
export interface Column {
  readonly part: 'claim' | 'proof';
  /** Members on the way to the value: `metric`, `value`. Questions go to `questions` and their language. */
  readonly path: readonly [string, ...string[]];
  /** The headings that are written, by language, and others that are read. Capitals, accents and signs do not count. */
  readonly en: string;
  readonly es: string;
  readonly also?: readonly string[];
  /** What a cell holds; text where nothing is said. */
  readonly holds?: 'number or text' | 'whole number' | 'ids' | 'lines';
  /** Spanish words for words of the profile: the first is written, all are read. */
  readonly spanish?: Readonly<Record<string, readonly string[]>>;
}

const CONFIDENCE = { high: ['alta'], medium: ['media'], low: ['baja'] };
const CONFIDENTIALITY = {
  public: ['pública', 'público'],
  anonymised: ['anonimizada', 'anonimizado', 'anónima'],
  on_request: ['a petición', 'bajo petición'],
  confidential: ['confidencial'],
};

// biome-ignore format: a table, a column a line
const CLAIM_COLUMNS: readonly Column[] = [
  { part: 'claim', path: ['claim_id'], en: 'claim id', es: 'id de la afirmación', also: ['id', 'afirmación id'] },
  { part: 'claim', path: ['statement'], en: 'statement', es: 'afirmación', also: ['claim', 'enunciado'] },
  { part: 'claim', path: ['category'], en: 'category', es: 'categoría', also: ['tema'] },
  { part: 'claim', path: ['boundary', 'applicable_for'], en: 'applies to', es: 'se aplica a', also: ['applicable for', 'aplicable a'] },
  { part: 'claim', path: ['boundary', 'not_applicable_for'], en: 'does not apply to', es: 'no se aplica a', also: ['not applicable for', 'no aplicable a'] },
  { part: 'claim', path: ['confidence'], en: 'confidence', es: 'confianza', spanish: CONFIDENCE },
  { part: 'claim', path: ['metric', 'name'], en: 'metric', es: 'métrica', also: ['metric name', 'indicador'] },
  { part: 'claim', path: ['metric', 'value'], en: 'value', es: 'valor', also: ['figure', 'cifra'], holds: 'number or text' },
  { part: 'claim', path: ['metric', 'unit'], en: 'unit', es: 'unidad' },
  { part: 'claim', path: ['metric', 'window'], en: 'window', es: 'periodo', also: ['period', 'plazo'] },
  { part: 'claim', path: ['metric', 'baseline'], en: 'baseline', es: 'referencia', also: ['compared with', 'comparado con'], holds: 'number or text' },
  { part: 'claim', path: ['metric', 'n'], en: 'cases', es: 'casos', also: ['n', 'número de casos'], holds: 'whole number' },
  { part: 'claim', path: ['proof_ids'], en: 'proof ids', es: 'id de las pruebas', also: ['proofs', 'pruebas'], holds: 'ids' },
];

// biome-ignore format: a table, a column a line
const PROOF_COLUMNS: readonly Column[] = [
  { part: 'proof', path: ['proof_id'], en: 'proof id', es: 'id de la prueba', also: ['prueba'] },
  { part: 'proof', path: ['type'], en: 'proof type', es: 'tipo de prueba', also: ['type', 'tipo'] },
  { part: 'proof', path: ['title'], en: 'proof title', es: 'título de la prueba', also: ['title', 'título'] },
  { part: 'proof', path: ['summary'], en: 'proof summary', es: 'resumen de la prueba', also: ['summary', 'resumen'] },
  { part: 'proof', path: ['client'], en: 'client', es: 'cliente' },
  { part: 'proof', path: ['verifiable_by'], en: 'verifiable by', es: 'comprobable por', also: ['verificable por'] },
  { part: 'proof', path: ['confidentiality'], en: 'confidentiality', es: 'confidencialidad', spanish: CONFIDENTIALITY },
];

/** The questions of a claim in one language, one a line of the cell. */
const questionColumn = (tag: string): Column => ({
  part: 'claim',
  path: ['questions', tag],
  en: `questions ${tag}`,
  es: `preguntas ${tag}`,
  holds: 'lines',
});

/**
 * The columns of a sheet in the order in which they are written: claims, their questions, proofs. A row may hold a claim, a proof,
 * or a claim with its proof.
 * @param questionLanguages tags of the languages that have questions
 */
export const sheetColumns = (questionLanguages: readonly string[]): readonly Column[] => [
  ...CLAIM_COLUMNS,
  ...questionLanguages.map(questionColumn),
  ...PROOF_COLUMNS,
];

/** `questions en`, `Preguntas (es)` and `questions_pt-BR`, with the tag of the language. */
const QUESTIONS_HEADING = /^\s*(?:questions|preguntas)[\s_:(]+([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\W*$/i;

/** The column that a heading names; undefined for a heading that no member has. */
export function columnOf(heading: string): Column | undefined {
  const [, tag] = QUESTIONS_HEADING.exec(heading) ?? [];
  return tag === undefined ? BY_HEADING.get(plain(heading)) : questionColumn(tag);
}

const BY_HEADING = new Map(
  [...CLAIM_COLUMNS, ...PROOF_COLUMNS].flatMap(column => {
    const { en, es, also = [], path } = column;
    return [en, es, ...also, path.join(' ')].map(heading => [plain(heading), column] as const);
  }),
);

/** Lower-case words without accents and signs: "No se aplica a:" and "no_se_aplica_a" are one heading. */
export function plain(text: string): string {
  return (foldedText(text).match(/[a-z0-9]+/g) ?? []).join(' ');
}

/** Whether sheets of a profile in this language are Spanish; all others are English. */
export const isSpanish = (language: string): boolean => messagesByTag(language)?.tag === 'es';

/** The known heading that a heading is a slip of; undefined where none is near. */
export const nearestHeading = (heading: string, language: string): string | undefined =>
  closestMatch(
    heading.toLowerCase(),
    sheetColumns(['es', 'en']).map(column => headingOf(column, language)),
    {
      maxDistance: Math.floor(heading.length * 0.4),
    },
  );

/** The heading of a column in the language of a profile. */
export const headingOf = ({ en, es }: Column, language: string): string => (isSpanish(language) ? es : en);

/** Headings of a sheet as they stand there, by the member's path, and the language of the profile. */
export interface Headings {
  readonly written: ReadonlyMap<string, string>;
  readonly language: string;
}

/** The heading of a member, as the sheet has it, else as an export writes it; several for a member with parts. */
export function headingsOf(
  part: Column['part'],
  member: string,
  { written, language }: Headings,
): string | undefined {
  const prefix = `${member.replace(/\[\d+\]/g, '')}.`;
  const columns = sheetColumns([]).filter(
    column => column.part === part && `${column.path.join('.')}.`.startsWith(prefix),
  );
  const headings = columns.map(column => written.get(column.path.join('.')) ?? headingOf(column, language));
  return headings.map(heading => `"${heading}"`).join(', ') || undefined;
}
