import { readProfile } from '../../brand/profile/profile.ts';
import type { Profile } from '../../brand/profile/schema.ts';
import { buildBrand } from '../../brand/retrieval/ask.ts';
import type { RetrievalModel } from '../../brand/retrieval/model.ts';
import { type AskedGroup, groupAsked, rememberVectors, UNANSWERED_BELOW } from '../../owner/asked.ts';
import { type AskedRow, dayOf, readAskedSheet, writeAskedSheet } from '../../owner/asked-sheet.ts';
import { checkProfile, findingLines } from '../../owner/check-profile.ts';
import { createFile, OWNER_ONLY, readPlainFile, replaceFile } from '../../owner/files.ts';
import { commandLine, type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';
import { readNeverPublish } from '../../owner/personal-data.ts';
import { chooseRows, type Gain, measureGain, withQuestions } from '../../owner/take-asked.ts';
import type { AskedQuestion } from '../../tools/deliver.ts';
import { countText } from '../../tools/words/counts.ts';
import { DAY_MS } from '../config/timing.ts';

interface AskedOptions {
  /** File of the profile that answers the questions. */
  readonly brand: string;
  readonly model: RetrievalModel;
  readonly sinceDays: number;
  readonly json?: boolean;
  /** A new file for a spreadsheet. */
  readonly csv?: string;
  /** Reads the questions kept since a time, in milliseconds since 1970. */
  readonly readAsked: (sinceMs: number) => Promise<readonly AskedQuestion[]>;
  readonly now?: Date;
}

/**
 * `aval asked`: asks today's profile the questions that ASK_LOG kept, and prints uncertain answers first,
 * then questions without an answer. With `csv` it writes a sheet. Exit code 3 if nothing was kept.
 */
export async function asked(options: AskedOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { brand: file, sinceDays, json, csv, readAsked, now = new Date() } = options;
  const questions = await readAsked(now.getTime() - sinceDays * DAY_MS);
  const span = countText(sinceDays, 'day');
  if (questions.length === 0) {
    if (json) writeJson(stdout, []);
    const fix = 'ASK_LOG=on keeps them; it is off unless it is set.';
    writeLines(stderr, [`No question was kept in the last ${span}. ${fix}`]);
    return 3;
  }
  const { profile, digest } = readProfile(await readPlainFile(file));
  const embedder = rememberVectors(options.model.embedder);
  const brand = await buildBrand({ profile, digest, model: { ...options.model, embedder } });
  const { groups, unread } = await groupAsked(questions, {
    brand,
    embedder,
    onProgress: showProgress(stderr),
  });
  if (csv !== undefined) {
    // Visitors wrote the questions, so other users of this machine may not read them.
    await createFile(csv, writeAskedSheet(groups, profile), OWNER_ONLY);
    const take = commandLine('asked', '--take', csv, file);
    writeLines(stderr, [
      `${csv}: ${countText(groups.length, 'row')}. Keep, change or empty claim_id, then: ${take}`,
    ]);
  } else if (json) writeJson(stdout, groups);
  else writeLines(stdout, ['times  best  last        question, nearest claims', ...groups.map(line)]);
  const open = groups.filter(({ nearest: [best] }) => (best?.similarity ?? 0) < UNANSWERED_BELOW).length;
  writeLines(stderr, [
    `${countText(questions.length, 'question')} in ${span}, ${countText(groups.length, 'group')}, ` +
      `${open} that nothing answers`,
    ...(unread > 0 ? [`${unread} wordings that were asked least are not in the list`] : []),
  ]);
  return 0;
}

function line({ query, count, lastMs, nearest }: AskedGroup): string {
  const best = nearest[0]?.similarity.toFixed(2) ?? 'none';
  const claims = nearest.map(({ claimId }) => claimId).join(', ');
  const isOpen = (nearest[0]?.similarity ?? 0) < UNANSWERED_BELOW;
  const help = isOpen ? `a claim is missing, or a question of one; ${claims || 'none is near'}` : claims;
  return `${String(count).padStart(5)}  ${best}  ${dayOf(lastMs)}  ${query.replace(/\s/g, ' ')}  (${help})`;
}

const showProgress = (stderr: Output['stderr']) => (done: number, total: number) => {
  if (!process.stderr.isTTY) return;
  stderr.write(done < total ? `\rreading questions: ${done} of ${total}\x1b[K` : '\r\x1b[K');
};

interface TakeOptions {
  /** File of the profile that gets the questions. */
  readonly brand: string;
  readonly model: RetrievalModel;
  readonly now?: Date;
}

const FEWER_RIGHT =
  '  Fewer are right first with them: keep those that are asked often and say what the claim answers.';

/** Least rows for a measurement on two halves. */
const MIN_MEASURED = 4;

/**
 * `aval asked --take FILE [BRAND]`: adds the rows with a claim to the profile's questions, says why a row is
 * left out, and what the rows bring. The profile that it writes is not signed. 1 where the profile has a
 * fault, 3 where no row was taken: then nothing is written.
 * @throws Error where the profile changed meanwhile
 */
export async function takeAsked(
  file: string,
  { brand, model: opened, now = new Date() }: TakeOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const bytes = await readPlainFile(brand);
  const { profile, document } = readProfile(bytes);
  const model = { ...opened, embedder: rememberVectors(opened.embedder) };
  const rows = readAskedSheet(await readPlainFile(file));
  const neverPublish = await readNeverPublish(brand);
  const { taken, leftOut } = await chooseRows(profile, rows, { model, neverPublish, now });
  writeLines(
    stdout,
    leftOut.map(({ row, reason }) => rowLine(row, `left out: ${reason}`)),
  );
  if (taken.length === 0) {
    writeLines(stderr, ['No row was taken, so nothing was written.']);
    return 3;
  }
  // `as`: readProfile has checked the document. The profile itself may have defaults that are not written.
  const { signatures: _, ...unsigned } = withQuestions(document as Profile, taken);
  const text = `${JSON.stringify(unsigned, null, 2)}\n`;
  const report = await checkProfile(new TextEncoder().encode(text), { now, neverPublish });
  // Signing renews an expired profile.
  const faults = report.faults.filter(({ code }) => code !== 'expired');
  if (faults.length > 0) {
    writeLines(stdout, findingLines(brand, { faults, warnings: [] }));
    writeLines(stderr, [`Nothing was written. Mend the faults of ${brand} and take the rows again.`]);
    return 1;
  }
  writeLines(stdout, gainLines(taken.length, await measureGain(profile, taken, model)));
  await replaceFile(brand, text, { replaces: bytes });
  const next = `${commandLine('check', brand)}, then ${commandLine('sign', brand)}`;
  writeLines(stderr, [
    `${brand}: ${countText(taken.length, 'question')} added, ${leftOut.length} left out. ` +
      "They are visitors' words and become public: read each for names.",
    `The profile is not signed now. Next: ${next}`,
  ]);
  return 0;
}

const rowLine = ({ row, query }: AskedRow, text: string) =>
  `row ${row}: ${text} (${query.replace(/\s/g, ' ')})`;

function gainLines(rows: number, { before, after, worse, stillWrong }: Gain): string[] {
  const lines = stillWrong.map(({ row, first }) =>
    rowLine(row, `taken, and ${first} still comes first: is ${row.claimId} the claim that answers?`),
  );
  if (rows < MIN_MEASURED) return lines;
  return [
    ...lines,
    ...worse.map(row => rowLine(row, 'was right first, and is not with the other half taken')),
    `Each half of the ${rows} rows, asked with the other half taken:`,
    `  right first: ${before.first} before, ${after.first} after`,
    `  in five:     ${before.inFive} before, ${after.inFive} after`,
    ...(after.first < before.first ? [FEWER_RIGHT] : []),
  ];
}
