import { dirname, join } from 'node:path';
import * as z from 'zod';
import { idsIn } from './cell.ts';
import { columnOf } from './columns.ts';
import { readIfThere, writeOwnFile } from './files.ts';
import { decode, readTable } from './sheet.ts';
import { plain } from './words.ts';

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

/** A file of questions cannot be read; the message says where and what to do. */
export class QuestionsError extends Error {
  override readonly name = 'QuestionsError';
}

/** Where the owner's questions are: questions.jsonl beside the profile. */
export const questionsBeside = (profile: string): string => join(dirname(profile), 'questions.jsonl');

/** The questions of a file; none where it is not there yet. @throws QuestionsError with the line of a broken one */
export async function readQuestionFile(path: string): Promise<Question[]> {
  const bytes = await readIfThere(path);
  return bytes?.some(byte => byte > 0x20) ? readQuestions(bytes) : [];
}

/** Writes questions as JSON lines, in one step. A file of another kind is not turned into one. @throws Error */
export async function writeQuestionFile(path: string, questions: readonly Question[]): Promise<void> {
  if (!/\.jsonl$/i.test(path))
    throw new Error(`${path} is a table: change it where it was written, or name a .jsonl file`);
  const lines = questions.map(({ query, relevant, lang, kind }) =>
    JSON.stringify({ query, relevant, ...(lang !== '?' && { lang }), ...(kind !== '?' && { kind }) }),
  );
  await writeOwnFile(path, lines.map(line => `${line}\n`).join(''));
}

/**
 * Reads questions from JSON lines, or from a CSV with the headings query, claim ids, language, kind. Several ids in a cell are
 * separated by spaces, commas or semicolons.
 * @throws QuestionsError with the line, SheetError for a CSV that is none
 */
export function readQuestions(bytes: Uint8Array): Question[] {
  const text = decode(bytes);
  const questions = text.trimStart().startsWith('{') ? fromLines(text) : fromTable(readTable(bytes));
  if (questions.length === 0) throw new QuestionsError('has no question');
  return questions;
}

function fromLines(text: string): Question[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const { data, error } = Question.safeParse(parsed(line, at + 1));
    if (data) return [data];
    const [issue] = error.issues;
    throw new QuestionsError(`line ${at + 1}, ${issue?.path.join('.')}: ${issue?.message}`);
  });
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const fix = 'one question a line, as {"query": "…", "relevant": ["claim id"], "lang": "es"}';
    throw new QuestionsError(`line ${number} is no JSON: ${fix}`, { cause: error });
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

function fromTable([headings = [], ...rows]: string[][]): Question[] {
  const members = headings.map(heading => memberOf(plain(heading)));
  if (!members.includes('query')) throw new QuestionsError(NO_QUERY);
  return rows.flatMap((cells, at) => {
    const filled = members.flatMap((member, position) => {
      const cell = cells[position]?.trim() ?? '';
      return member && cell !== '' ? [[member, cell] as const] : [];
    });
    if (filled.length === 0) return [];
    const { relevant = '', ...others } = Object.fromEntries(filled);
    const { data } = Question.safeParse({ ...others, relevant: idsIn(relevant) });
    if (data) return [data];
    throw new QuestionsError(`row ${at + 2}: the question is missing`);
  });
}

/** A heading of a sheet of claims serves as well: "claim id". */
function memberOf(heading: string): keyof Question | undefined {
  return HEADINGS[heading] ?? (columnOf(heading)?.path[0] === 'claim_id' ? 'relevant' : undefined);
}
