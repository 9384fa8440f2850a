import { stringify } from 'csv-stringify/sync';
import { brandName, loadProfile } from '../../brand/profile/profile.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import type { AskedQuestion } from '../../tools/language/asked-question.ts';
import { counted } from '../../tools/language/counts.ts';
import { wordFor } from '../../tools/language/language.ts';
import { headingsIn, separatorFor } from '../exchange/columns.ts';
import type { Group } from '../measure/groups.ts';
import { createReport, type Report } from '../measure/report.ts';
import { reportPage } from '../measure/report-page.ts';
import { type ReportWords, reportWords } from '../measure/report-words.ts';
import { createFile, OWNER_ONLY } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';

interface ReportOptions {
  readonly sinceDays: number;
  /** Files to write: a page, a table of the groups, a sheet of claims to fill in. */
  readonly html?: string;
  readonly csv?: string;
  readonly draft?: string;
  readonly force?: boolean;
  readonly brandFile: string;
  /** The questions kept since a moment, in milliseconds since 1970. */
  readonly readAsked: (sinceMs: number) => Promise<readonly AskedQuestion[]>;
  readonly model: RetrievalModel;
  readonly now?: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * `aval report`: what was asked since so many days, where ASK_LOG keeps it. 3 where nothing was kept.
 * @throws what `readAsked` throws, ProfileError, or Error for a file that is there
 */
export async function report(options: ReportOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { brandFile, readAsked, model, sinceDays, now: until = new Date(), force } = options;
  const since = new Date(until.getTime() - sinceDays * DAY_MS);
  const { profile } = await loadProfile(brandFile);
  const asked = await readAsked(since.getTime());
  if (asked.length === 0) {
    writeLines(stderr, [
      `No question was kept in the last ${counted(sinceDays, 'day')}. ASK_LOG=redacted keeps them; it is off unless it is set.`,
    ]);
    return 3;
  }
  const made = await createReport({ asked, claims: profile.claims, model, since, until });
  const files: readonly (readonly [string | undefined, () => string])[] = [
    [options.html, () => reportPage({ brand: brandName(profile), language: profile.language }, made)],
    [options.csv, () => groupsCsv(made.groups, profile.language)],
    [options.draft, () => draftCsv(made.weak, profile.language)],
  ];
  for (const [file, content] of files) {
    if (file !== undefined) await createFile(file, content(), { mode: OWNER_ONLY, force });
  }
  writeLines(stdout, lines(made, reportWords(profile.language)));
  writeLines(
    stderr,
    files.flatMap(([file]) => file ?? []),
  );
  return 0;
}

const SHOWN = 10;

function lines(
  { questions, since, until, groups, weak, doubtful, silent, languages, channels, visitors }: Report,
  words: ReportWords,
): string[] {
  const inWords = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, count]) => `${wordFor(words.names, name) ?? name} ${count}`).join(', ');
  const list = (title: string, shown: readonly Group[], none: string) => [
    ...['', `${title}:`],
    ...(shown.length === 0 ? [`  ${none}`] : shown.slice(0, SHOWN).map(group => groupLine(group, words))),
  ];
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return [
    `${words.lead(questions, day(since), day(until))} (${inWords(visitors)}; ${inWords(channels)}; ${inWords(languages)})`,
    ...list(words.doubtful, doubtful, words.noDoubtful),
    ...list(words.weak, weak, words.noWeak),
    ...list(words.most, groups, words.none),
    ...['', `${words.silent}: ${silent.map(({ claim_id }) => claim_id).join(', ') || words.none}`],
  ];
}

const groupLine = ({ times, similarity, query, claimId, doubts }: Group, words: ReportWords) => {
  const why = doubts.length === 0 ? '' : ` (${doubts.map(doubt => words.doubts[doubt]).join('; ')})`;
  return `  ${String(times).padStart(4)}  ${similarity.toFixed(2)}  ${query.replace(/\p{Cc}/gu, ' ')}  ${claimId ?? words.nothing}${why}`;
};

/** A question must not become a formula (CSV injection, OWASP). */
const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function groupsCsv(groups: readonly Group[], language: string): string {
  const rows = groups.map(({ query, times, similarity, claimId = '', language: spoken, others }) => [
    harmless(query),
    String(times),
    similarity.toFixed(4),
    claimId,
    spoken,
    harmless(others.join(' | ')),
  ]);
  return stringify([['question', 'times', 'similarity', 'best claim', 'language', 'other wordings'], ...rows], {
    bom: true,
    delimiter: separatorFor(language),
  });
}

/** A row to fill in for each weak group, as `aval import` reads it; the question stands in a column of its own. */
function draftCsv(weak: readonly Group[], language: string): string {
  const headings = headingsIn(language).slice(1);
  const rows = weak.map(({ query, times }) => [harmless(query), String(times), ...headings.map(() => '')]);
  return stringify([['question', 'times', ...headings], ...rows], { bom: true, delimiter: separatorFor(language) });
}
