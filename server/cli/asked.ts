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
export async function asked(options: AskedOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { sinceDays, json, readAsked, now = new Date() } = options;
  const questions = countAsked(await readAsked(now.getTime() - sinceDays * DAY_MS));
  const span = counted(sinceDays, 'day');
  if (json) writeJson(stdout, questions);
  if (questions.length === 0) {
    const fix = 'ASK_LOG=on keeps them; it is off unless it is set.';
    writeLines(stderr, [`No question was kept in the last ${span}. ${fix}`]);
    return 3;
  }
  if (!json) writeLines(stdout, ['state     times  best  question, claim', ...questions.map(line)]);
  const open = questions.filter(({ answered }) => !answered).length;
  writeLines(stderr, [`${counted(questions.length, 'question')} in ${span}, ${open} without a good answer`]);
  return 0;
}

function line({ answered, times, similarity, query, claim_id = '' }: Counted): string {
  const cells = [
    answered ? 'answered' : 'open    ',
    String(times).padStart(5),
    similarity.toFixed(2),
    query.replace(/\s/g, ' '),
    claim_id,
  ];
  return cells.join('  ').trimEnd();
}
