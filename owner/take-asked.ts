import { closestMatch } from 'leven';
import type { Profile } from '../brand/profile/schema.ts';
import { wordsOf } from '../brand/profile/texts.ts';
import { buildBrand } from '../brand/retrieval/ask.ts';
import { QUESTIONS_OF_A_CLAIM, questionText } from '../brand/retrieval/claim-texts.ts';
import type { RetrievalModel } from '../brand/retrieval/model.ts';
import { innerProduct } from '../brand/retrieval/vector-index.ts';
import { type AskedGroup, UNANSWERED_BELOW } from './asked.ts';
import { readCell, writeCell } from './cell.ts';
import { askAll, figuresOf } from './evaluate.ts';
import { decode, readTable, SheetError, writeTable } from './sheet.ts';

/** A row of the sheet: a question of visitors, with the claim that the owner chose. */
export interface AskedRow {
  /** As a spreadsheet counts: the headings are row 1. */
  readonly row: number;
  readonly query: string;
  readonly claimId: string;
  readonly language: string;
}

const HEADINGS = ['claim_id', 'statement', 'question', 'language', 'count', 'similarity', 'first', 'last'];

/** A cell of text, which strangers may have written: nothing in it is taken for a formula. */
const TEXT = { part: 'claim', path: ['question'], en: 'question', es: 'question' } as const;

/** The groups for a spreadsheet, one a row, the claim that came first already in `claim_id`, from a similarity of .2 on. */
export function writeAskedSheet(groups: readonly AskedGroup[], { claims, language }: Profile): string {
  const statements = new Map(claims.map(claim => [claim.claim_id, claim.statement]));
  const rows = groups.map(({ query, count, firstMs, lastMs, language: asked, nearest: [best] }) => [
    best && best.similarity >= UNANSWERED_BELOW ? best.claimId : '',
    writeCell(statements.get(best?.claimId ?? ''), TEXT, language),
    writeCell(query, TEXT, language),
    asked,
    count,
    best?.similarity.toFixed(2) ?? '',
    dayOf(firstMs),
    dayOf(lastMs),
  ]);
  return writeTable([HEADINGS, ...rows], language);
}

export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** The rows that name a claim. @throws SheetError where the sheet is not one of `aval asked --csv` */
export function readAskedSheet(bytes: Uint8Array): AskedRow[] {
  const [headings = [], ...rows] = readTable(decode(bytes).text);
  const position = (name: string) => headings.findIndex(heading => heading.trim() === name);
  if (position('claim_id') < 0 || position('question') < 0)
    throw new SheetError('the first row lacks claim_id and question: aval asked --csv writes such a sheet');
  const read = rows.map((cells, index): AskedRow => {
    const text = (name: string) => String(readCell(cells[position(name)] ?? '', TEXT).value ?? '');
    return { row: index + 2, query: text('question'), claimId: text('claim_id'), language: text('language') };
  });
  return read.filter(({ query, claimId }) => query !== '' && claimId !== '');
}

/** What becomes of the rows. */
export interface Taking {
  readonly taken: readonly AskedRow[];
  readonly leftOut: readonly { readonly row: AskedRow; readonly reason: string }[];
}

/** Inner product of two questions of which one is enough. */
const NEARLY_THERE = 0.97;

/** The longest question that a profile may have. */
const LONGEST = 200;

interface ChoosingOptions {
  /** One that remembers vectors. */
  readonly model: RetrievalModel;
  readonly neverPublish: readonly string[];
}

/** Chooses the rows that become questions of their claim. The profile is public, so a row with personal data never does. */
export async function chooseRows(
  profile: Profile,
  rows: readonly AskedRow[],
  { model, neverPublish }: ChoosingOptions,
): Promise<Taking> {
  const ids = profile.claims.map(claim => claim.claim_id);
  const texts = new Map<string, string[]>(ids.map(id => [id, []]));
  for (const { claim_id, text } of profile.questions ?? []) texts.get(claim_id)?.push(text);
  const vectorOf = (text: string) => model.embedder.embedQuestion(questionText(text));
  const taken: AskedRow[] = [];
  const leftOut: Taking['leftOut'][number][] = [];
  for (const row of rows) {
    const existing = texts.get(row.claimId);
    if (existing === undefined) {
      const nearest = closestMatch(row.claimId, ids);
      leftOut.push({ row, reason: `there is no claim ${row.claimId}; did you mean ${nearest}?` });
      continue;
    }
    const reason = personalIn(row.query, neverPublish) ?? (await redundant(row.query, existing, vectorOf));
    if (reason !== undefined) {
      leftOut.push({ row, reason });
      continue;
    }
    taken.push(row);
    existing.push(row.query);
  }
  return { taken, leftOut };
}

/** Why a question may not be published. */
function personalIn(query: string, neverPublish: readonly string[]): string | undefined {
  if ([...query].length > LONGEST) return `it has more than ${LONGEST} characters`;
  if (/\S@\S|[([]at[)\]]/i.test(query)) return 'it has an e-mail address';
  if (/(?:\d[ .\-/]?){7,}|\b\p{L}{1,3}[ -]?(?:\d ?){6,}/u.test(query))
    return 'it has a telephone or document number';
  const words = ` ${wordsOf(query).join(' ')} `;
  const name = neverPublish.find(one => words.includes(` ${wordsOf(one).join(' ')} `));
  return name === undefined ? undefined : `never-publish.txt lists “${name}”`;
}

/** Why a claim needs no further question like this one. */
async function redundant(
  query: string,
  existing: readonly string[],
  vectorOf: (text: string) => Promise<Float32Array>,
): Promise<string | undefined> {
  const words = wordsOf(query).join(' ');
  if (existing.some(text => wordsOf(text).join(' ') === words)) return 'it is there already';
  const vectors = await Promise.all(existing.map(vectorOf));
  const vector = await vectorOf(query);
  const near = existing.find((_, index) => innerProduct(vectors[index]!, vector) >= NEARLY_THERE);
  if (near !== undefined) return `“${near}” asks the same`;
  if (existing.length < QUESTIONS_OF_A_CLAIM) return undefined;
  const pairs = vectors.flatMap((one, a) =>
    vectors.slice(a + 1).map((other, b) => ({ a, b: a + 1 + b, score: innerProduct(one, other) })),
  );
  const [{ a, b } = { a: 0, b: 1 }] = pairs.toSorted((one, other) => other.score - one.score);
  return `its claim has ${existing.length} questions: “${existing[a]}” and “${existing[b]}” are nearest: remove one with aval csv export and import`;
}

/** The profile with these rows among its questions. */
export function withQuestions<Document extends Partial<Pick<Profile, 'questions'>>>(
  document: Document,
  rows: readonly AskedRow[],
): Document {
  const added = rows.map(({ query, claimId, language }) => ({
    text: query,
    ...(/^[a-z]{2,3}$/.test(language) && { language }),
    claim_id: claimId,
  }));
  return { ...document, questions: [...(document.questions ?? []), ...added] };
}

/** How the rows find their claims, each half with the other half taken: no row helps itself. */
export interface Gain {
  readonly rows: number;
  readonly before: { readonly first: number; readonly inFive: number };
  readonly after: { readonly first: number; readonly inFive: number };
  /** Rows that were right first, and are not any more. */
  readonly worse: number;
}

/** Measures what the rows bring, by two folds. @param model one that remembers vectors */
export async function measureGain(
  profile: Profile,
  rows: readonly AskedRow[],
  model: RetrievalModel,
): Promise<Gain> {
  const ask = async (asked: readonly AskedRow[], taken: readonly AskedRow[]) => {
    const brand = await buildBrand({ profile: withQuestions(profile, taken), digest: '', model });
    const questions = asked.map(({ query, claimId }) => ({
      query,
      relevant: [claimId],
      lang: '?',
      kind: '?',
    }));
    return askAll(brand, questions);
  };
  const even = rows.filter((_, index) => index % 2 === 0);
  const odd = rows.filter((_, index) => index % 2 === 1);
  const before = await ask([...even, ...odd], []);
  const after = [...(await ask(even, odd)), ...(await ask(odd, even))];
  const isRight = ({ ranking, question }: (typeof before)[number]) => ranking[0] === question.relevant[0];
  const [summary] = figuresOf(before);
  const [summaryAfter] = figuresOf(after);
  return {
    rows: rows.length,
    before: { first: summary?.first ?? 0, inFive: summary?.inFive ?? 0 },
    after: { first: summaryAfter?.first ?? 0, inFive: summaryAfter?.inFive ?? 0 },
    worse: before.filter((one, index) => isRight(one) && !isRight(after[index]!)).length,
  };
}
