import { closestMatch } from 'leven';
import { quote } from '../../brand/profile/fault.ts';
import { loadProfile } from '../../brand/profile/profile.ts';
import type { Profile } from '../../brand/profile/schema.ts';
import { messageOf } from '../../brand/profile/thrown.ts';
import { type EmbeddingSettings, loadModel } from '../../brand/retrieval/model.ts';
import { type Asked, ask, type Figures, figuresOf, worst } from '../../owner/evaluate.ts';
import { readOwnFile } from '../../owner/files.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { type Question, readQuestions } from '../../owner/questions.ts';
import { counted } from '../../tools/words/counts.ts';

interface EvalOptions {
  readonly brand: string;
  readonly questions: string;
  /** 1 where a smaller share finds its claim first. */
  readonly minR1?: number;
  readonly embedding: EmbeddingSettings;
}

const WORST = 10;
const UNKNOWN_SHOWN = 10;

/**
 * `aval eval`: whether your questions find your claims, by language and kind, and the ten worst with what came instead. 1 where
 * the share that is right first is below `minR1`.
 * @throws Error for the questions, or for a claim id that the profile does not have
 */
export async function evaluate(options: EvalOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { brand, embedding, minR1 } = options;
  const questions = await readQuestionsOf(options.questions);
  const { profile } = await loadProfile(brand);
  refuseUnknown(questions, profile);
  const asked = await ask(profile, await loadModel(embedding), questions);
  const figures = figuresOf(asked);
  const head = `${brand}: ${counted(profile.claims.length, 'claim')}, ${counted(questions.length, 'question')}`;
  writeLines(stdout, [head, '', ...table(figures), ...worstLines(asked, profile)]);
  const { first = 0, answerable = 0 } = figures[0] ?? {};
  if (minR1 === undefined || first >= minR1 * answerable) return 0;
  writeLines(stderr, [`right first: ${first} of ${answerable}, below ${minR1}`]);
  return 1;
}

async function readQuestionsOf(file: string): Promise<Question[]> {
  const bytes = await readOwnFile(file);
  try {
    return readQuestions(bytes);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** A slip in an id would look like a bad model. */
function refuseUnknown(questions: readonly Question[], { claims }: Profile): void {
  const known = claims.map(claim => claim.claim_id);
  const faults = questions.flatMap(({ query, relevant }) => {
    const unknown = relevant.filter(id => !known.includes(id));
    return unknown.map(id => `  ${quote(query)}: no ${id}; did you mean ${closestMatch(id, known)}?`);
  });
  if (faults.length === 0) return;
  const head =
    'the questions name claims that the profile does not have (leave the ids empty where nothing answers):';
  const more = faults.length > UNKNOWN_SHOWN ? [`  and ${faults.length - UNKNOWN_SHOWN} more`] : [];
  throw new Error([head, ...faults.slice(0, UNKNOWN_SHOWN), ...more].join('\n'));
}

function table(rows: readonly Figures[]): string[] {
  const header = [
    '',
    'with an answer',
    'right first',
    'in the first five',
    'without an answer',
    'empty then',
  ];
  const body = rows.map(row => [
    row.group,
    row.answerable,
    row.first,
    row.inFive,
    row.unanswerable,
    row.empty,
  ]);
  return [header, header.map(() => '---'), ...body].map(cells => `| ${cells.join(' | ')} |`);
}

function worstLines(asked: readonly Asked[], { claims }: Profile): string[] {
  const list = worst(asked, WORST);
  if (list.length === 0) return ['', 'Every question found its claim first.'];
  const statementOf = new Map(claims.map(claim => [claim.claim_id, claim.statement]));
  const lines = list.flatMap(({ question: { query, relevant }, ranking, similarity }) => {
    const [first = ''] = ranking;
    const placeOf = (id: string) => (ranking.includes(id) ? `place ${ranking.indexOf(id) + 1}` : 'not found');
    const places = relevant.map(id => `${id} (${placeOf(id)})`).join(', ');
    return [
      `- ${query}`,
      `  wanted: ${places || 'no claim: nothing in the profile answers this'}`,
      `  came:   ${first} (${similarity.toFixed(2)}): ${statementOf.get(first)}`,
    ];
  });
  return ['', `The ${counted(list.length, 'question')} that went worst:`, '', ...lines];
}
