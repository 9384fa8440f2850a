import { loadProfile } from '../../brand/profile/profile.ts';
import type { Profile } from '../../brand/profile/schema.ts';
import { messageOf } from '../../brand/profile/thrown.ts';
import { buildBrand } from '../../brand/retrieval/ask.ts';
import { openModel } from '../../brand/retrieval/model.ts';
import {
  type Asked,
  askAll,
  type Figures,
  failures,
  figuresOf,
  isRight,
  type Question,
  readQuestions,
} from '../../owner/evaluate.ts';
import { readPlainFile } from '../../owner/files.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';
import { countText } from '../../tools/words/counts.ts';
import type { Config } from '../config/config.ts';
import { createKeptVectors } from '../run/kept-vectors.ts';

interface EvalOptions {
  /** File of the profile. */
  readonly brand: string;
  /** File of the questions. */
  readonly questions: string;
  readonly json?: boolean;
  readonly config: Config;
}

const FAILURES_SHOWN = 20;

/**
 * `aval eval`: asks a profile your questions, and prints by language how many found their claim, and which
 * failed.
 * @throws Error for faults in the questions, or for an unknown claim id
 */
export async function evaluate(options: EvalOptions, { stdout }: Output): Promise<ExitCode> {
  const { brand: file, config, json } = options;
  const questions = await readQuestionsOf(options.questions);
  const { profile, digest } = await loadProfile(file);
  refuseUnknown(questions, profile);
  const kept = createKeptVectors(config.dataDirectory, { writes: false, note: () => {} });
  const model = await openModel(config.embedding);
  const brand = await buildBrand({ profile, digest, model, kept });
  const asked = await askAll(brand, questions);
  await model.embedder.close();
  const figures = figuresOf(asked);
  if (json) {
    const answers = asked.map(answer => ({ ...answer, right: isRight(answer) }));
    writeJson(stdout, { file, figures, answers });
  } else {
    const claims = countText(profile.claims.length, 'claim');
    writeLines(stdout, [`${file}: ${claims}, ${countText(questions.length, 'question')}`, '']);
    writeLines(stdout, [...figuresTable(figures), '', ...failureLines(asked, profile)]);
  }
  return 0;
}

async function readQuestionsOf(file: string): Promise<Question[]> {
  const bytes = await readPlainFile(file);
  try {
    return readQuestions(bytes);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Refuses unknown ids: a typing error would look like a bad model. */
function refuseUnknown(questions: readonly Question[], { claims }: Profile): void {
  const ids = claims.map(claim => claim.claim_id);
  const unknown = questions.flatMap(({ relevant }) => relevant.filter(id => !ids.includes(id)));
  if (unknown.length === 0) return;
  throw new Error(
    `the questions name claims that the profile does not have: ${unknown.join(', ')} ` +
      '(leave the ids empty where nothing answers)',
  );
}

/** Columns of the table: heading and member. */
const COLUMNS: Readonly<Record<string, keyof Figures>> = {
  '': 'group',
  'with an answer': 'answerable',
  'right first': 'first',
  'in five': 'inFive',
  'empty wrongly': 'emptyWrongly',
  'without an answer': 'unanswerable',
  'empty rightly': 'emptyRightly',
};

function figuresTable(rows: readonly Figures[]): string[] {
  const headings = Object.keys(COLUMNS);
  const members = Object.values(COLUMNS);
  const body = rows.map(row => members.map(member => row[member]));
  return [headings, headings.map(() => '---'), ...body].map(cells => `| ${cells.join(' | ')} |`);
}

function failureLines(asked: readonly Asked[], { claims }: Profile): string[] {
  const list = failures(asked);
  if (list.length === 0) return ['Every question got its claim first, or none where nothing answers.'];
  const statements = new Map(claims.map(claim => [claim.claim_id, claim.statement]));
  const lines = list.slice(0, FAILURES_SHOWN).flatMap(({ question, ranking, similarity }) => {
    const { query, relevant } = question;
    const [first] = ranking;
    const placeOf = (id: string) =>
      ranking.includes(id) ? `place ${ranking.indexOf(id) + 1}` : 'not in five';
    const places = relevant.map(id => `${id} (${placeOf(id)})`).join(', ');
    const came =
      first === undefined ? 'an empty list' : `${first} (${similarity.toFixed(2)}): ${statements.get(first)}`;
    return [
      `- ${query}`,
      `  wanted: ${places || 'no claim: nothing in the profile answers this'}`,
      `  came:   ${came}`,
    ];
  });
  const more = list.length - FAILURES_SHOWN;
  return [
    `${list.length} of ${asked.length} went wrong: their claim did not come first, or something ` +
      'came where nothing answers. The worst first:',
    '',
    ...lines,
    ...(more > 0 ? [`… and ${more} more: --json has all answers`] : []),
  ];
}
