import { dirname, join } from 'node:path';
import * as z from 'zod';
import { readIfThere, writeOwnFile } from './files.ts';
import { decode } from './sheet.ts';

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

/** Where the owner's questions are: questions.jsonl beside the profile. */
export const questionsBeside = (profile: string): string => join(dirname(profile), 'questions.jsonl');

/** The questions of a file; none where it is not there yet. @throws Error with the line of a broken one */
export async function readQuestionFile(path: string): Promise<Question[]> {
  const bytes = await readIfThere(path);
  return bytes?.some(byte => byte > 0x20) ? readQuestions(bytes) : [];
}

/** Writes questions as JSON lines, in one step. */
export async function writeQuestionFile(path: string, questions: readonly Question[]): Promise<void> {
  const lines = questions.map(({ query, relevant, lang, kind }) =>
    JSON.stringify({ query, relevant, ...(lang !== '?' && { lang }), ...(kind !== '?' && { kind }) }),
  );
  await writeOwnFile(path, lines.map(line => `${line}\n`).join(''));
}

/** Reads questions from JSON lines. @throws Error with the line */
export function readQuestions(bytes: Uint8Array): Question[] {
  const { text, isWindows } = decode(bytes);
  if (isWindows) throw new Error('is not UTF-8: save it as UTF-8');
  const questions = text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const { data, error } = Question.safeParse(parsed(line, at + 1));
    if (data) return [data];
    const [issue] = error.issues;
    throw new Error(`line ${at + 1}, ${issue?.path.join('.')}: ${issue?.message}`);
  });
  if (questions.length === 0) throw new Error('has no question');
  return questions;
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const fix = 'one question a line, as {"query": "…", "relevant": ["claim id"], "lang": "es"}';
    throw new Error(`line ${number} is no JSON: ${fix}`, { cause: error });
  }
}
