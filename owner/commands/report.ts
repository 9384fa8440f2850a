import { stringify } from 'csv-stringify/sync';
import type { Embedder } from '../../brand/embedding/embedder.ts';
import { brandName, loadProfile } from '../../brand/profile/profile.ts';
import type { AskedQuestion } from '../../tools/language/asked-question.ts';
import { counted } from '../../tools/language/counts.ts';
import { headingsIn } from '../exchange/columns.ts';
import { createReport, type Group, type Report } from '../measure/report.ts';
import { reportPage } from '../measure/report-page.ts';
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
  readonly embedder: Embedder;
  readonly now?: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * `aval report`: what was asked since so many days, where ASK_LOG keeps it. 3 where nothing was kept.
 * @throws what `readAsked` throws, ProfileError, or Error for a file that is there
 */
export async function report(options: ReportOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { brandFile, readAsked, embedder, sinceDays, now: until = new Date(), force } = options;
  const since = new Date(until.getTime() - sinceDays * DAY_MS);
  const { profile } = await loadProfile(brandFile);
  const asked = await readAsked(since.getTime());
  if (asked.length === 0) {
    writeLines(stderr, [
      `No question was kept in the last ${counted(sinceDays, 'day')}. ASK_LOG=redacted keeps them; it is off unless it is set.`,
    ]);
    return 3;
  }
  const made = await createReport({ asked, claims: profile.claims, embedder, since, until });
  const files: readonly (readonly [string | undefined, () => string])[] = [
    [options.html, () => reportPage(brandName(profile), made)],
    [options.csv, () => groupsCsv(made.groups)],
    [options.draft, () => draftCsv(made.weak, profile.language)],
  ];
  for (const [file, content] of files) {
    if (file !== undefined) await createFile(file, content(), { mode: OWNER_ONLY, force });
  }
  writeLines(stdout, lines(made));
  writeLines(
    stderr,
    files.flatMap(([file]) => file ?? []),
  );
  return 0;
}

const SHOWN = 10;

function lines({ questions, groups, weak, silent, languages, channels, visitors }: Report): string[] {
  const inWords = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  return [
    `${counted(questions, 'question')} (${inWords(visitors)}; ${inWords(channels)}; ${inWords(languages)})`,
    ...['', 'Most asked:'],
    ...groups.slice(0, SHOWN).map(groupLine),
    ...['', 'Weakly answered:'],
    ...(weak.length === 0 ? ['  none'] : weak.slice(0, SHOWN).map(groupLine)),
    ...['', `Claims that were never the best match: ${silent.map(({ claim_id }) => claim_id).join(', ') || 'none'}`],
  ];
}

const groupLine = ({ times, similarity, query, claimId }: Group) =>
  `  ${String(times).padStart(4)}  ${similarity.toFixed(2)}  ${query.replace(/\p{Cc}/gu, ' ')}  ${claimId ?? 'nothing fitted'}`;

/** A question must not become a formula (CSV injection, OWASP). */
const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function groupsCsv(groups: readonly Group[]): string {
  const rows = groups.map(({ query, times, similarity, claimId = '', language, others }) => [
    harmless(query),
    String(times),
    similarity.toFixed(4),
    claimId,
    language,
    harmless(others.join(' | ')),
  ]);
  return stringify([['question', 'times', 'similarity', 'best claim', 'language', 'other wordings'], ...rows], {
    bom: true,
  });
}

/** A row to fill in for each weak group, as `aval import` reads it; the question stands in a column of its own. */
function draftCsv(weak: readonly Group[], language: string): string {
  const headings = headingsIn(language).slice(1);
  const rows = weak.map(({ query, times }) => [harmless(query), String(times), ...headings.map(() => '')]);
  return stringify([['question', 'times', ...headings], ...rows], { bom: true });
}
