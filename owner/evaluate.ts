import type { Brand } from '../brand/retrieval/brand.ts';
import type { Question } from './questions.ts';

/** A question with what the service answered. */
export interface Asked {
  readonly question: Question;
  /** Claim ids of the answer, best first, at most five. */
  readonly ranking: readonly string[];
  /** Of the best match; 0 where the list is empty. */
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

/** First matches whose similarity lies within a fifth of the scale. */
export interface Reliability {
  readonly from: number;
  readonly matches: number;
  /** Mean similarity: how many it promises to be right. */
  readonly promised: number;
  /** Share that is right. */
  readonly right: number;
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

/** The figures of all questions, then by language and by kind where there are several. */
export function figuresOf(asked: readonly Asked[]): Figures[] {
  const groups = (['lang', 'kind'] as const).flatMap(member => {
    const values = [...new Set(asked.map(({ question }) => question[member]))];
    if (values.length < 2) return [];
    return values.map(value =>
      figuresOfGroup(
        value,
        asked.filter(({ question }) => question[member] === value),
      ),
    );
  });
  return [figuresOfGroup('all', asked), ...groups];
}

function figuresOfGroup(group: string, asked: readonly Asked[]): Figures {
  const answerable = asked.filter(({ question }) => question.relevant.length > 0);
  const unanswerable = asked.filter(({ question }) => question.relevant.length === 0);
  return {
    group,
    answerable: answerable.length,
    first: answerable.filter(isRightFirst).length,
    inFive: answerable.filter(({ ranking, question }) => ranking.some(id => question.relevant.includes(id)))
      .length,
    emptyWrongly: answerable.filter(isEmpty).length,
    unanswerable: unanswerable.length,
    emptyRightly: unanswerable.filter(isEmpty).length,
  };
}

/** How far the similarities of these answers can be believed, by fifths of the scale. */
export function reliabilityOf(asked: readonly Asked[]): Reliability[] {
  const answered = asked.filter(question => !isEmpty(question));
  return [0, 0.2, 0.4, 0.6, 0.8].map(from => {
    const inside = answered.filter(
      ({ similarity }) => Math.min(0.8, Math.floor(similarity * 5) / 5) === from,
    );
    const promised = inside.reduce((sum, { similarity }) => sum + similarity, 0);
    return {
      from,
      matches: inside.length,
      promised: inside.length === 0 ? 0 : promised / inside.length,
      right: inside.length === 0 ? 0 : inside.filter(isRightFirst).length / inside.length,
    };
  });
}

const isEmpty = ({ ranking }: Asked): boolean => ranking.length === 0;

const isRightFirst = ({ ranking, question }: Asked): boolean => question.relevant.includes(ranking[0] ?? '');

/** The worst first: questions whose claim comes late or not at all, and those that nothing answers and something seemed to. */
export function worst(asked: readonly Asked[], count: number): Asked[] {
  const lost = asked.filter(question => lossOf(question) >= NOTABLE_LOSS);
  return lost.toSorted((a, b) => lossOf(b) - lossOf(a)).slice(0, count);
}

/** A second place, or a similarity that a reader would believe. */
const NOTABLE_LOSS = 0.4;

function lossOf({ question, ranking, similarity }: Asked): number {
  if (question.relevant.length === 0) return similarity;
  const place = ranking.findIndex(id => question.relevant.includes(id));
  return place < 0 ? 1 : 1 - 1 / (place + 1);
}
