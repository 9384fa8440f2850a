import { putFile, readIfThere } from '../terminal/files.ts';
import { type Question, readQuestions } from './questions.ts';

/** The questions of a file; none where it is not there yet. @throws ExchangeError with the line of a broken one */
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
  await putFile(path, lines.map(line => `${line}\n`).join(''));
}
