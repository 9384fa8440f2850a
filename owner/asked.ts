/*
 * This file groups what visitors asked, for an owner.
 * In: the questions that a server kept (ASK_LOG=on), and the profile of today.
 * Out: groups of like questions with the nearest claims, most helpful groups first.
 */
import { wordsOf } from '../brand/profile/texts.ts';
import type { Brand, Embedder } from '../brand/retrieval/brand.ts';
import { questionText } from '../brand/retrieval/claim-texts.ts';
import { innerProduct } from '../brand/retrieval/vector-index.ts';
import type { AskedQuestion } from '../tools/deliver.ts';
import { languageOf } from '../tools/words/language.ts';

/** Questions that ask the same, in equal or similar words. */
export interface AskedGroup {
  /** The most frequent wording. */
  readonly query: string;
  /** `es` or `en`. Absent if the words do not tell. */
  readonly language?: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** At most three claims, most similar first. Empty if nothing answers. */
  readonly nearest: readonly { readonly claimId: string; readonly similarity: number }[];
}

interface GroupingOptions {
  readonly brand: Pick<Brand, 'ask'>;
  /** The brand's embedder, which remembers vectors of questions (rememberVectors). */
  readonly embedder: Embedder;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Most wordings that are read, most frequent first. 5,000 of 100,000 take 34 s of one core, 8,000 took 77 s.
 */
const MOST_WORDINGS = 5_000;

/** Questions that wait for the encoder together. Its queue takes 200. */
const ASKED_AT_ONCE = 50;

/** Below this similarity the best claim is hardly ever right, so the question counts as unanswered. */
export const UNANSWERED_BELOW = 0.2;

/** Inner product of two questions that ask the same. */
const SAME_QUESTION = 0.95;

/**
 * Asks today's profile each kept question, and groups them: first uncertain groups (.2 to .8), then
 * unanswered ones, then certain ones, each by count.
 * @returns the groups, and how many wordings were left out
 */
export async function groupAsked(
  asked: readonly AskedQuestion[],
  { brand, embedder, onProgress = () => {} }: GroupingOptions,
): Promise<{ groups: AskedGroup[]; unread: number }> {
  const all = byWording(asked).toSorted((a, b) => b.count - a.count);
  const wordings = all.slice(0, MOST_WORDINGS);
  const groups = new Map<string, (AskedGroup & { readonly vector: Float32Array })[]>();
  for (let start = 0; start < wordings.length; start += ASKED_AT_ONCE) {
    const read = await Promise.all(
      wordings.slice(start, start + ASKED_AT_ONCE).map(async wording => {
        const { matches } = await brand.ask(wording.query);
        const nearest = matches
          .slice(0, 3)
          .map(match => ({ claimId: match.claim_id, similarity: match.similarity }));
        return { ...wording, nearest, vector: await embedder.embedQuestion(questionText(wording.query)) };
      }),
    );
    for (const group of read) {
      // Only questions with the same first claim are compared, because like questions have the same.
      const claimId = group.nearest[0]?.claimId ?? '';
      const others = groups.get(claimId) ?? [];
      const index = others.findIndex(other => innerProduct(other.vector, group.vector) >= SAME_QUESTION);
      const like = others[index];
      if (like) others[index] = { ...like, ...totalsOf(like, group) };
      else others.push(group);
      groups.set(claimId, others);
    }
    onProgress(Math.min(start + ASKED_AT_ONCE, wordings.length), wordings.length);
  }
  const ordered = [...groups.values()]
    .flat()
    .toSorted((a, b) => urgency(a) - urgency(b) || b.count - a.count);
  return { groups: ordered.map(({ vector: _, ...group }) => group), unread: all.length - wordings.length };
}

type Wording = Omit<AskedGroup, 'nearest'>;

/** Joins questions with the same words. Capitals, accents and signs do not count. */
function byWording(asked: readonly AskedQuestion[]): Wording[] {
  const wordings = new Map<string, Wording>();
  for (const { query, askedAtMs: askedMs } of asked) {
    const language = languageOf(query);
    const words = wordsOf(query).join(' ') || query;
    const wording = {
      query,
      ...(language !== '?' && { language }),
      count: 1,
      firstMs: askedMs,
      lastMs: askedMs,
    };
    const same = wordings.get(words);
    wordings.set(words, same ? { ...same, ...totalsOf(same, wording) } : wording);
  }
  return [...wordings.values()];
}

const totalsOf = (group: Wording, other: Wording) => ({
  count: group.count + other.count,
  firstMs: Math.min(group.firstMs, other.firstMs),
  lastMs: Math.max(group.lastMs, other.lastMs),
});

/** Sort key of a group. A further question in the profile helps the first groups most. */
function urgency({ nearest: [best] }: AskedGroup): number {
  if (best === undefined || best.similarity < UNANSWERED_BELOW) return 1;
  return best.similarity < 0.8 ? 0 : 2;
}

/** An embedder that reads each text once. */
export function rememberVectors(embedder: Embedder): Embedder {
  const remember = (read: (text: string) => Promise<Float32Array>) => {
    const vectors = new Map<string, Promise<Float32Array>>();
    return (text: string) => {
      const vector = vectors.get(text) ?? read(text);
      vectors.set(text, vector);
      return vector;
    };
  };
  return {
    digest: embedder.digest,
    embedQuestion: remember(text => embedder.embedQuestion(text)),
    embedClaim: remember(text => embedder.embedClaim(text)),
    close: () => embedder.close(),
  };
}
