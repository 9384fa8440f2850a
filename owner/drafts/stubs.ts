import { wordsOf } from '../../brand/profile/folded-text.ts';
import { MAX_TEXT } from '../../brand/profile/values.ts';
import type { Embedder } from '../../brand/retrieval/embedder.ts';
import { dot } from '../../brand/retrieval/vector.ts';
import { isQuestion } from './readers/html.ts';
import { oneLine, type Reading } from './readers/reading.ts';
import { sentencesOf } from './sentences.ts';
import { isTelling } from './telling.ts';

/** A claim as far as a source says it. */
export interface Stub {
  /** The sentence, word for word. */
  readonly statement: string;
  /** The heading above it; absent where it has none. */
  readonly category?: string;
  /** Every place that says it: the file or the address, and the heading. */
  readonly sources: readonly string[];
}

/** What somebody asks, with the stubs that its answer became. */
export interface DraftedQuestion {
  readonly query: string;
  readonly answers: readonly Stub[];
}

export interface Drafted {
  readonly stubs: readonly Stub[];
  readonly questions: readonly DraftedQuestion[];
  /** Sentences that repeat an earlier one and were folded into it. */
  readonly folded: number;
}

/** The bounds of the profile's schema for a statement and a category. */
const [LONGEST, LONGEST_CATEGORY] = [MAX_TEXT, 120];

/** Above this cosine, two sentences with the same figures say the same (brand/check measures the same model). */
const SAME = 0.8;

/** Pairs are compared up to here; beyond, equal wording alone is folded. */
const MOST_COMPARED = 2000;

interface Found {
  readonly statement: string;
  readonly category?: string | undefined;
  readonly source: string;
  /** The questions whose answer it is. */
  readonly asked: readonly string[];
}

/**
 * Every sentence that says a figure, a price, a term, a guarantee or an exclusion, once; and what a FAQ asks. An answer without such
 * a sentence becomes one stub as it stands. Nothing is added to the words of the source.
 */
export async function draftStubs(
  readings: readonly Reading[],
  language: string,
  embedder?: Embedder,
): Promise<Drafted> {
  const found = readings.flatMap(reading => [...inAnswers(reading, language), ...inBlocks(reading, language)]);
  const groups = await fold(found, embedder);
  const stubs = groups.map(asStub);
  const asked = new Map<string, { query: string; answers: Set<Stub> }>();
  for (const [at, group] of groups.entries())
    for (const query of group.flatMap(one => one.asked)) {
      const known = asked.get(plain(query)) ?? { query, answers: new Set() };
      const stub = stubs[at];
      if (stub) known.answers.add(stub);
      asked.set(plain(query), known);
    }
  const questions = [...asked.values()].map(({ query, answers }) => ({ query, answers: [...answers] }));
  return { stubs, questions, folded: found.length - groups.length };
}

function inAnswers({ questions, source }: Reading, language: string): Found[] {
  return questions.flatMap(({ question, answer }) => {
    const sentences = sentencesOf(answer, language).map(oneLine).filter(isStatement);
    const telling = sentences.filter(isTelling);
    const whole = [oneLine(answer)].filter(isStatement);
    const statements = telling.length > 0 ? telling : whole;
    return statements.map(statement => ({ statement, source: `${source}: ${question}`, asked: [question] }));
  });
}

function inBlocks({ blocks, source }: Reading, language: string): Found[] {
  let heading: string | undefined;
  return blocks.flatMap(block => {
    if (block.kind === 'heading') {
      heading = block.text;
      return [];
    }
    const where = heading === undefined ? source : `${source}: ${heading}`;
    const category =
      heading !== undefined && !isQuestion(heading) && heading.length <= LONGEST_CATEGORY ? heading : undefined;
    return sentencesOf(block.text, language)
      .filter(sentence => isStatement(sentence) && isTelling(sentence))
      .map(statement => ({ statement, source: where, asked: [], category }));
  });
}

const isStatement = (text: string) =>
  text.length <= LONGEST && !isQuestion(text) && (text.match(/\p{L}+/gu) ?? []).length > 1;

/** Sentences of one meaning as one group, the first of them first. Other figures are another claim, however alike the words. */
async function fold(found: readonly Found[], embedder: Embedder | undefined): Promise<Found[][]> {
  const byWords = new Map<string, Found[]>();
  for (const one of found) {
    const key = plain(one.statement);
    const same = byWords.get(key);
    if (same) same.push(one);
    else byWords.set(key, [one]);
  }
  const exact = [...byWords.values()];
  if (!embedder) return exact;
  const vectors = await embedder.embed(exact.slice(0, MOST_COMPARED).map(([first]) => first?.statement ?? ''));
  const groups: { readonly figures: string; readonly vector: Float32Array; readonly members: Found[] }[] = [];
  for (const [at, vector] of vectors.entries()) {
    const members = exact[at] ?? [];
    const figures = figuresIn(members[0]?.statement ?? '');
    const same = groups.find(other => other.figures === figures && dot(other.vector, vector) >= SAME);
    if (same) for (const one of members) same.members.push(one);
    else groups.push({ figures, vector, members: [...members] });
  }
  return [...groups.map(({ members }) => members), ...exact.slice(MOST_COMPARED)];
}

/** Figures, and whether it is denied: "we do" and "we do not" are near to every model. */
function figuresIn(text: string): string {
  const denied = /(?<!\p{L})(?:no|not|nunca|never|sin|without|ni|\p{L}+n't)(?!\p{L})/iu.test(text);
  return `${denied} ${(text.match(/\p{N}+/gu) ?? []).join(' ')}`;
}

const plain = (text: string) => wordsOf(text).join(' ');

function asStub(group: readonly Found[]): Stub {
  const [first] = group;
  const category = group.find(one => one.category !== undefined)?.category;
  return {
    statement: first?.statement ?? '',
    ...(category !== undefined && { category }),
    sources: [...new Set(group.map(({ source }) => source))],
  };
}
