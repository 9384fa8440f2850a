import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Output } from './output.ts';

/** What a command needs of a terminal to ask; `process` is one. */
export interface Terminal extends Output {
  readonly stdin: Readable & { readonly isTTY?: boolean };
}

/** A question on the terminal, in place of an option. */
export interface Question {
  readonly option: string;
  readonly text: string;
  /** Taken where nothing is typed, and where nobody can be asked; empty: there is none. */
  readonly fallback: string;
  /** What is wrong with an answer, in words; undefined for a good one. */
  readonly fault: (answer: string) => string | undefined;
}

/**
 * The options, and what is asked for in their place where a person sits at the terminal. A bad answer is asked for again.
 * @throws Error for a bad option, or a missing one that cannot be asked for
 */
export async function answersTo<Name extends string>(
  questions: readonly (Question & { readonly option: Name })[],
  options: Readonly<Partial<Record<Name, string | undefined>>>,
  { stdin, stderr }: Terminal,
): Promise<ReadonlyMap<Name, string>> {
  const isComplete = questions.every(({ option }) => options[option]);
  const terminal = stdin.isTTY && !isComplete ? createInterface({ input: stdin }) : undefined;
  // Lines, not `question`, which never settles when the input ends.
  const lines = terminal?.[Symbol.asyncIterator]();
  const answers = new Map<Name, string>();
  try {
    for (const question of questions) {
      const { option, text, fallback, fault } = question;
      const optionValue = (options[option] ?? '').trim();
      const wrong = optionValue === '' ? undefined : fault(optionValue);
      if (wrong !== undefined) throw new Error(`--${option}: ${wrong}`);
      const answer = optionValue || (lines ? await ask(lines, question, stderr) : fallback);
      if (answer === '') throw new Error(`--${option} is missing: ${text.toLowerCase()}`);
      answers.set(option, answer);
    }
  } finally {
    terminal?.close();
  }
  return answers;
}

/** The first good answer; the fallback where the input ends before. */
async function ask(
  lines: AsyncIterator<string>,
  { text, fallback, fault }: Question,
  stderr: Output['stderr'],
): Promise<string> {
  for (;;) {
    stderr.write(`${text}${fallback === '' ? '' : ` [${fallback}]`}: `);
    const { done, value } = await lines.next();
    if (done) return fallback;
    const answer = value.trim() || fallback;
    if (answer !== '' && fault(answer) === undefined) return answer;
    stderr.write(`${(answer === '' ? undefined : fault(answer)) ?? 'Please type something.'}\n`);
  }
}
