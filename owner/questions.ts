import * as z from 'zod';
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

/** Reads questions from JSON lines. @throws Error with the line */
export function readQuestions(bytes: Uint8Array): Question[] {
  const { text, isWindows } = decode(bytes);
  if (isWindows) throw new Error('is not UTF-8: save it as UTF-8');
  const questions = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const { data, error } = Question.safeParse(parsed(line, index + 1));
    if (data) return [data];
    const [issue] = error.issues;
    throw new Error(`line ${index + 1}, ${issue?.path.join('.')}: ${issue?.message}`);
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
