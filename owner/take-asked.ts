import { closestMatch } from 'leven';
import type { Profile } from '../brand/profile/schema.ts';
import { wordsOf } from '../brand/profile/texts.ts';
import { buildBrand } from '../brand/retrieval/ask.ts';
import { QUESTIONS_OF_A_CLAIM, questionText } from '../brand/retrieval/claim-texts.ts';
import type { RetrievalModel } from '../brand/retrieval/model.ts';
import { innerProduct } from '../brand/retrieval/vector-index.ts';
import type { AskedRow } from './asked-sheet.ts';
import { type CheckOptions, checkProfile } from './check-profile.ts';
import { type Asked, askAll, figuresOf, isRight } from './evaluate.ts';
import { personalDataIn } from './personal-data.ts';

/** The result of `chooseRows`. */
interface Taking {
  readonly taken: readonly AskedRow[];
  readonly leftOut: readonly { readonly row: AskedRow; readonly reason: string }[];
}

/** Least inner product of two questions of which one is enough. */
const NEARLY_THERE = 0.97;

interface ChoosingOptions {
  /** A model that remembers vectors (rememberVectors). */
  readonly model: RetrievalModel;
  readonly neverPublish: readonly string[];
  readonly now: Date;
}

/**
 * Chooses the rows that become questions of their claim. Rows with personal data never do: profiles are
 * public.
 */
export async function chooseRows(
  profile: Profile,
  rows: readonly AskedRow[],
  { model, neverPublish, now }: ChoosingOptions,
): Promise<Taking> {
  const faults = await faultsOfRows(profile, rows, { neverPublish, now });
  const ids = profile.claims.map(claim => claim.claim_id);
  const existing = new Map<string, ExistingQuestion[]>(ids.map(id => [id, []]));
  const { language: profileLanguage } = profile;
  for (const { claim_id, text, language = profileLanguage } of profile.questions ?? [])
    existing.get(claim_id)?.push({ text, language });
  const taken: AskedRow[] = [];
  const leftOut: Taking['leftOut'][number][] = [];
  for (const row of rows) {
    const questions = existing.get(row.claimId);
    const reason = questions
      ? (personalDataIn(row.query, neverPublish) ??
        faults.get(row) ??
        (await redundant(row.query, questions, model)))
      : `there is no claim ${row.claimId}; did you mean ${closestMatch(row.claimId, ids)}?`;
    if (reason !== undefined) {
      leftOut.push({ row, reason });
      continue;
    }
    taken.push(row);
    questions?.push({ text: row.query, language: row.language || profileLanguage });
  }
  return { taken, leftOut };
}

interface ExistingQuestion {
  readonly text: string;
  readonly language: string;
}

/** The faults that `aval check` would find in each row, so that the other rows can be signed. */
async function faultsOfRows(
  profile: Profile,
  rows: readonly AskedRow[],
  options: CheckOptions,
): Promise<ReadonlyMap<AskedRow, string>> {
  const bytes = new TextEncoder().encode(JSON.stringify(withQuestions(profile, rows)));
  const report = await checkProfile(bytes, options);
  const firstIndex = profile.questions?.length ?? 0;
  const faults = new Map<AskedRow, string>();
  for (const { path, message, fix } of report.faults) {
    const [, index, member] = /^questions\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
    const row = rows[Number(index) - firstIndex];
    if (row) faults.set(row, `its ${member} ${message} (${fix})`);
  }
  return faults;
}

/** The reason why a claim does not need this question. */
async function redundant(
  query: string,
  existing: readonly ExistingQuestion[],
  { embedder }: RetrievalModel,
): Promise<string | undefined> {
  const words = wordsOf(query).join(' ');
  if (existing.some(({ text }) => wordsOf(text).join(' ') === words)) return 'it is there already';
  const vectorOf = (text: string) => embedder.embedQuestion(questionText(text));
  const vectors = await Promise.all(existing.map(({ text }) => vectorOf(text)));
  const vector = await vectorOf(query);
  const near = existing.find((_, index) => innerProduct(vectors[index]!, vector) >= NEARLY_THERE);
  if (near !== undefined) return `“${near.text}” asks the same`;
  if (existing.length < QUESTIONS_OF_A_CLAIM) return undefined;
  const [first, second] = nearestPair(existing, vectors);
  return (
    `its claim has ${existing.length} questions: “${first}” and “${second}” are nearest: remove ` +
    'one with aval csv export and import'
  );
}

/** The two most similar questions of one language. Translations are similar, but needed. */
function nearestPair(
  questions: readonly ExistingQuestion[],
  vectors: readonly Float32Array[],
): readonly [string, string] {
  let best: { score: number; texts: readonly [string, string] } = { score: -1, texts: ['', ''] };
  for (const [index, question] of questions.entries()) {
    for (const [otherIndex, other] of questions.entries()) {
      if (otherIndex <= index || question.language !== other.language) continue;
      const score = innerProduct(vectors[index]!, vectors[otherIndex]!);
      if (score > best.score) best = { score, texts: [question.text, other.text] };
    }
  }
  return best.texts;
}

/** The profile with these rows among its questions. */
export function withQuestions<Document extends Partial<Pick<Profile, 'questions'>>>(
  document: Document,
  rows: readonly AskedRow[],
): Document {
  const added = rows.map(({ query, claimId, language }) => ({
    text: query,
    ...(language !== '' && { language }),
    claim_id: claimId,
  }));
  return { ...document, questions: [...(document.questions ?? []), ...added] };
}

/** How many rows find their claim. */
interface Hits {
  readonly first: number;
  readonly inFive: number;
}

export interface Gain {
  /** Each half of the rows is asked with the other half taken, so no row helps itself. */
  readonly before: Hits;
  readonly after: Hits;
  /** Rows that were right before and are wrong now. */
  readonly worse: readonly AskedRow[];
  /** Rows that find another claim first although all rows are taken. */
  readonly stillWrong: readonly { readonly row: AskedRow; readonly first: string }[];
}

/** Measures the effect of the rows, by two folds. @param model one that remembers vectors */
export async function measureGain(
  profile: Profile,
  rows: readonly AskedRow[],
  model: RetrievalModel,
): Promise<Gain> {
  const ask = async (asked: readonly AskedRow[], taken: readonly AskedRow[]) => {
    const brand = await buildBrand({ profile: withQuestions(profile, taken), digest: '', model });
    return askAll(
      brand,
      asked.map(({ query, claimId }) => ({ query, relevant: [claimId] })),
    );
  };
  const even = rows.filter((_, index) => index % 2 === 0);
  const odd = rows.filter((_, index) => index % 2 === 1);
  const ordered = [...even, ...odd];
  const before = await ask(ordered, []);
  const after = [...(await ask(even, odd)), ...(await ask(odd, even))];
  const withAll = await ask(rows, rows);
  return {
    before: hitsOf(before),
    after: hitsOf(after),
    worse: ordered.filter((_, index) => isRight(before[index]!) && !isRight(after[index]!)),
    stillWrong: rows.flatMap((row, index) => {
      const answer = withAll[index]!;
      return isRight(answer) ? [] : [{ row, first: answer.ranking[0] ?? 'no claim' }];
    }),
  };
}

function hitsOf(asked: readonly Asked[]): Hits {
  const [all] = figuresOf(asked);
  return { first: all?.first ?? 0, inFive: all?.inFive ?? 0 };
}
