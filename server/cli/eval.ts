import { readFile } from 'node:fs/promises';
import { closestMatch } from 'leven';
import { quote } from '../../brand/profile/fault.ts';
import { loadProfile } from '../../brand/profile/profile.ts';
import type { Profile } from '../../brand/profile/schema.ts';
import { messageOf } from '../../brand/profile/thrown.ts';
import { type EmbeddingSettings, loadModel } from '../../brand/retrieval/model.ts';
import { type Asked, ask, difference, type Estimate, type Figures, figuresOf, worst } from '../../owner/evaluate.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';
import { type Question, readQuestions } from '../../owner/questions.ts';
import { counted } from '../../tools/words/counts.ts';

interface EvalOptions {
  /** The profile that is asked. */
  readonly brand: string;
  readonly questions: string;
  /** A second profile, or a second model, to set beside the first; the model `table` is the one in use without its encoder. */
  readonly compare?: string;
  readonly compareModel?: string;
  /** 1 where R@1 is below. */
  readonly minR1?: number;
  readonly json?: boolean;
  readonly embedding: EmbeddingSettings;
}

const TABLE = 'table';
const WORST = 10;
const UNKNOWN_SHOWN = 10;

/**
 * `aval eval`: whether your questions find your claims: R@1, R@3, MRR and AUC with their bounds, by language and kind, and the
 * ten worst with what came instead. 1 where R@1 is below `minR1`.
 * @throws Error for the questions, or for a claim id that the profile does not have
 */
export async function evaluate(options: EvalOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { brand, compare, compareModel, embedding, json, minR1 } = options;
  if (compare !== undefined && compareModel !== undefined)
    throw new Error('give --compare or --compare-model, not both');
  const questions = await readQuestionsOf(options.questions);
  const { profile } = await loadProfile(brand);
  refuseUnknown(questions, profile);
  const run = async (of: Profile, model: string) => {
    const progress = (done: number) => stderr.write(`${done} of ${questions.length} questions asked\n`);
    const settings = model === TABLE ? { ...embedding, encoder: { use: 'off' } as const } : { ...embedding, model };
    return ask(of, { model: await loadModel(settings), questions, progress });
  };
  const asked = await run(profile, embedding.model);
  const beside = compare ?? compareModel;
  const other =
    beside === undefined
      ? undefined
      : await run(compare ? (await loadProfile(compare)).profile : profile, compareModel ?? embedding.model);
  const figures = figuresOf(asked);
  const compared = other && { name: beside, figures: figuresOf(other), difference: difference(asked, other) };
  if (json) writeJson(stdout, { figures, worst: worst(asked, WORST), compared });
  else {
    const header = [
      `${brand}: ${counted(profile.claims.length, 'claim')}, ${counted(questions.length, 'question')}`,
      '',
    ];
    const comparison = compared && [
      '',
      `${beside}:`,
      '',
      ...table(compared.figures),
      '',
      changeLine(compared.difference),
    ];
    writeLines(stdout, [...header, ...table(figures), ...(comparison ?? []), ...worstLines(asked, profile)]);
  }
  const recall1 = figures[0]?.recall1?.value ?? 0;
  if (minR1 === undefined || recall1 >= minR1) return 0;
  writeLines(stderr, [`R@1 is ${recall1.toFixed(3)}, below ${minR1}`]);
  return 1;
}

/** The questions of a file, with its name before what is wrong with it. */
async function readQuestionsOf(file: string): Promise<Question[]> {
  const bytes = await readFile(file);
  try {
    return readQuestions(bytes);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** A slip in an id would look like a bad model. */
function refuseUnknown(questions: readonly Question[], { claims }: Profile): void {
  const known = new Set(claims.map(claim => claim.claim_id));
  const faults = questions.flatMap(({ query, relevant }) =>
    relevant
      .filter(id => !known.has(id))
      .map(id => `  ${quote(query)}: no ${id}; did you mean ${closestMatch(id, [...known])}?`),
  );
  if (faults.length === 0) return;
  const more = faults.length > UNKNOWN_SHOWN ? [`  and ${faults.length - UNKNOWN_SHOWN} more`] : [];
  throw new Error(
    [
      'the questions name claims that the profile does not have (leave the ids empty where nothing answers):',
      ...faults.slice(0, UNKNOWN_SHOWN),
      ...more,
    ].join('\n'),
  );
}

const NUMBERS = ['recall1', 'recall3', 'mrr', 'auc'] as const;

function table(rows: readonly Figures[]): string[] {
  const header = ['', 'with answer', 'without', 'R@1', 'R@3', 'MRR', 'AUC'];
  const body = rows.map(row => [
    row.group,
    String(row.answerable),
    String(row.unanswerable),
    ...NUMBERS.map(name => figure(row[name])),
  ]);
  return [header, header.map(() => '---'), ...body].map(cells => `| ${cells.join(' | ')} |`);
}

/** `.921 (.87 to .96)` */
function figure(estimate: Estimate | undefined): string {
  if (!estimate) return '';
  const short = (value: number, digits: number) => value.toFixed(digits).replace(/^(-?)0\./, '$1.');
  return `${short(estimate.value, 3)} (${short(estimate.low, 2)} to ${short(estimate.high, 2)})`;
}

function changeLine(change: Estimate): string {
  const verdict = change.low > 0 ? 'better' : change.high < 0 ? 'worse' : 'no difference that these questions can show';
  return `R@1 against the first: ${figure(change)}: ${verdict}`;
}

function worstLines(asked: readonly Asked[], { claims }: Profile): string[] {
  const list = worst(asked, WORST);
  if (list.length === 0) return ['', 'Every question found its claim first.'];
  const statementOf = new Map(claims.map(claim => [claim.claim_id, claim.statement]));
  const lines = list.flatMap(({ question: { query, relevant }, ranking, similarity }) => {
    const [first = ''] = ranking;
    const places = relevant.map(id => `${id} (${placeIn(ranking, id)})`).join(', ');
    return [
      `- ${query}`,
      `  wanted: ${places || 'no claim: nothing in the profile answers this'}`,
      `  came:   ${first} (${similarity.toFixed(2)}): ${statementOf.get(first)}`,
    ];
  });
  return ['', `The ${counted(list.length, 'question')} that went worst:`, '', ...lines];
}

function placeIn(ranking: readonly string[], id: string): string {
  const place = ranking.indexOf(id);
  return place < 0 ? 'not found' : `place ${place + 1}`;
}
