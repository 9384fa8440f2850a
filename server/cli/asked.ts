import { type Counted, countAsked } from '../../owner/asked.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';
import type { AskedQuestion } from '../../tools/deliver.ts';
import { counted } from '../../tools/words/counts.ts';

interface AskedOptions {
  readonly sinceDays: number;
  readonly json?: boolean;
  /** The questions kept since a moment, in milliseconds since 1970. */
  readonly readAsked: (sinceMs: number) => Promise<readonly AskedQuestion[]>;
  readonly now?: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * `aval asked`: what people asked, where ASK_LOG keeps it: questions without a good answer first, then the others, each with how
 * often it came. 3 where nothing was kept.
 */
export async function asked(
  { sinceDays, json, ...options }: AskedOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { readAsked, now = new Date() } = options;
  const questions = countAsked(await readAsked(now.getTime() - sinceDays * DAY_MS));
  if (json) writeJson(stdout, questions);
  else if (questions.length > 0) writeLines(stdout, table(questions));
  if (questions.length > 0) {
    const open = questions.filter(({ answered }) => !answered).length;
    writeLines(stderr, [
      `${counted(questions.length, 'question')} in ${counted(sinceDays, 'day')}, ${open} without a good answer`,
    ]);
    return 0;
  }
  writeLines(stderr, [
    `No question was kept in the last ${counted(sinceDays, 'day')}. ASK_LOG=redacted keeps them; it is off unless it is set.`,
  ]);
  return 3;
}

function table(questions: readonly Counted[]): string[] {
  const lines = questions.map(({ answered, times, similarity, query, claim_id = '' }) =>
    [
      answered ? 'answered' : 'open    ',
      String(times).padStart(5),
      similarity.toFixed(2),
      // Strangers wrote it: control and direction characters must not steer the terminal.
      query.replace(/[\p{Cc}\p{Cf}]/gu, ' '),
      claim_id,
    ]
      .join('  ')
      .trimEnd(),
  );
  return ['state     times  best  question, claim', ...lines];
}
