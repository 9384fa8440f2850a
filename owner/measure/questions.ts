import * as z from 'zod';
import { columnOf, plain } from '../exchange/columns.ts';
import { readTable } from '../exchange/csv.ts';
import { decode, ExchangeError } from '../exchange/imported.ts';

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

/** Reads questions from JSON lines, or from a table with the headings query, claim ids, language, kind. @throws ExchangeError with the line */
export function readQuestions(bytes: Uint8Array): Question[] {
  const questions = decode(bytes).trimStart().startsWith('{') ? fromLines(decode(bytes)) : fromTable(bytes);
  if (questions.length === 0) throw new ExchangeError('has no question');
  return questions;
}

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

function fromTable(bytes: Uint8Array): Question[] {
  const { headings, rows } = readTable(bytes);
  const members = headings.map(heading => memberOf(plain(String(heading ?? ''))));
  if (!members.includes('query')) throw new ExchangeError('has no column "query" (pregunta) in its first row');
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
