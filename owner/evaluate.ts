import * as z from 'zod';
import { tryParseJson } from '../brand/profile/strict-json.ts';
import type { Brand } from '../brand/retrieval/brand.ts';

/** A question with the claims that answer it. */
const Question = z.object({
  query: z.string().trim().min(1),
  /** Ids of the claims that answer. Empty if none does. */
  relevant: z.array(z.string()),
  /** Language tag. Each language has its figures. */
  lang: z.string().optional(),
});
export type Question = z.infer<typeof Question>;

const FORM = 'write it as {"query": "…", "relevant": ["claim id"]}, with [] where nothing answers';

/**
 * Reads questions from JSON lines. @throws Error with the line
 * @example readQuestions(await readFile('questions.jsonl'));
 */
export function readQuestions(bytes: Uint8Array): Question[] {
  const questions: Question[] = [];
  for (const [index, line] of new TextDecoder().decode(bytes).split('\n').entries()) {
    if (line.trim() === '') continue;
    const { data, error } = Question.safeParse(tryParseJson(line));
    if (!data) {
      const member = error.issues[0]?.path.join('.');
      throw new Error(`line ${index + 1} ${member ? `lacks a good "${member}"` : 'is no question'}: ${FORM}`);
    }
    questions.push(data);
  }
  if (questions.length === 0) throw new Error('has no question');
  return questions;
}

/** A question with its answer. */
export interface Asked {
  readonly question: Question;
  /** Claim ids of the answer, best first, at most five. */
  readonly ranking: readonly string[];
  /** Similarity of the best match, or 0 for an empty list. */
  readonly similarity: number;
}

export interface Figures {
  readonly group: string;
  /** Questions that a claim answers. */
  readonly answerable: number;
  /** Of these, how many found their claim first, and among the five of an answer. */
  readonly first: number;
  readonly inFive: number;
  /** Of these, how many got an empty list. */
  readonly emptyWrongly: number;
  /** Questions that no claim answers. */
  readonly unanswerable: number;
  /** Of these, how many got an empty list. */
  readonly emptyRightly: number;
}

/** Asks every question as a visitor would. */
export async function askAll(brand: Pick<Brand, 'ask'>, questions: readonly Question[]): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const question of questions) {
    const { matches } = await brand.ask(question.query);
    const ranking = matches.map(({ claim_id }) => claim_id);
    asked.push({ question, ranking, similarity: matches[0]?.similarity ?? 0 });
  }
  return asked;
}

/** The figures of all questions, then of each language if there are several. */
export function figuresOf(asked: readonly Asked[]): Figures[] {
  const languages = [...new Set(asked.map(({ question }) => question.lang))];
  const groups = languages.map(lang =>
    figuresOfGroup(
      lang ?? 'no lang',
      asked.filter(({ question }) => question.lang === lang),
    ),
  );
  return [figuresOfGroup('all', asked), ...(groups.length > 1 ? groups : [])];
}

/** The figures of some answers, under a name. */
export function figuresOfGroup(group: string, asked: readonly Asked[]): Figures {
  const answerable = asked.filter(({ question }) => question.relevant.length > 0);
  const unanswerable = asked.filter(({ question }) => question.relevant.length === 0);
  return {
    group,
    answerable: answerable.length,
    first: answerable.filter(isRight).length,
    inFive: answerable.filter(({ ranking, question }) => ranking.some(id => question.relevant.includes(id)))
      .length,
    emptyWrongly: answerable.filter(({ ranking }) => ranking.length === 0).length,
    unanswerable: unanswerable.length,
    emptyRightly: unanswerable.filter(isRight).length,
  };
}

/** Whether the right claim came first, or rightly none. */
export function isRight({ ranking, question: { relevant } }: Asked): boolean {
  const [first] = ranking;
  return first === undefined ? relevant.length === 0 : relevant.includes(first);
}

/** The failures, first those with the highest similarity, which mislead most. */
export function failures(asked: readonly Asked[]): Asked[] {
  return asked.filter(answer => !isRight(answer)).toSorted((a, b) => b.similarity - a.similarity);
}
