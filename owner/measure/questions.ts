import * as z from 'zod';
import { columnOf, plain } from '../exchange/columns.ts';
import { readTable } from '../exchange/csv.ts';
import { decode, ExchangeError } from '../exchange/imported.ts';
import type { Sheet } from '../exchange/rows.ts';
import { sheetsOf } from '../exchange/xlsx.ts';

/** A question with the claims that answer it. */
export const Question = z.object({
  query: z.string().trim().min(1),
  /** Claim ids; empty where nothing in the profile answers. */
  relevant: z.array(z.string()),
  /** Language tag; figures are given for each. */
  lang: z.string().default('?'),
  /** Of the owner's own: paraphrase, keyword, typo. Figures are given for each. */
  kind: z.string().default('?'),
});
export type Question = z.infer<typeof Question>;

/**
 * Reads questions from JSON lines, or from a CSV or a workbook with the headings query, claim ids, language, kind. Several ids in a cell
 * are separated by spaces, commas or semicolons.
 * @throws ExchangeError with the line
 */
export async function readQuestions(bytes: Uint8Array): Promise<Question[]> {
  const questions = isWorkbook(bytes)
    ? fromTable((await sheetsOf(bytes)).find(hasQuestions))
    : decode(bytes).trimStart().startsWith('{')
      ? fromLines(decode(bytes))
      : fromTable(readTable(bytes));
  if (questions.length === 0) throw new ExchangeError('has no question');
  return questions;
}

/** A workbook is a ZIP archive. */
const isWorkbook = ([first, second]: Uint8Array) => first === 0x50 && second === 0x4b;

const hasQuestions = ({ headings }: Sheet) =>
  headings.some(heading => memberOf(plain(String(heading ?? ''))) === 'query');

function fromLines(text: string): Question[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const { data, error } = Question.safeParse(parsed(line, at + 1));
    if (data) return [data];
    const [issue] = error.issues;
    throw new ExchangeError(`line ${at + 1}, ${issue?.path.join('.')}: ${issue?.message}`);
  });
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const fix = 'one question a line, as {"query": "…", "relevant": ["claim id"], "lang": "es"}';
    throw new ExchangeError(`line ${number} is no JSON: ${fix}`, { cause: error });
  }
}

const HEADINGS: Readonly<Record<string, keyof Question>> = {
  query: 'query',
  question: 'query',
  pregunta: 'query',
  relevant: 'relevant',
  'claim ids': 'relevant',
  afirmaciones: 'relevant',
  lang: 'lang',
  language: 'lang',
  idioma: 'lang',
  kind: 'kind',
  tipo: 'kind',
};

const NO_QUERY =
  'has no column "query" (pregunta) in its first row: write query, claim ids, language and kind (pregunta, afirmaciones, idioma, tipo); several ids with spaces, commas or semicolons between them, none where no claim answers';

function fromTable({ headings, rows }: Pick<Sheet, 'headings' | 'rows'> = { headings: [], rows: [] }): Question[] {
  const members = headings.map(heading => memberOf(plain(String(heading ?? ''))));
  if (!members.includes('query')) throw new ExchangeError(NO_QUERY);
  return rows.map(({ cells, place }) => {
    const filled = members.flatMap((member, at) =>
      member && cells[at] ? [[member, String(cells[at]).trim()] as const] : [],
    );
    const { relevant = '', ...others } = Object.fromEntries(filled);
    const { data } = Question.safeParse({ ...others, relevant: relevant.split(/[;,\s]+/).filter(Boolean) });
    if (data) return data;
    throw new ExchangeError(`${place}: the question is missing`);
  });
}

/** A heading of a sheet of claims serves as well: "claim id". */
function memberOf(heading: string): keyof Question | undefined {
  return HEADINGS[heading] ?? (columnOf(heading)?.path[0] === 'claim_id' ? 'relevant' : undefined);
}
