/*
 * What visitors asked, as an owner reads it.
 * In: the questions that a server kept (ASK_LOG=on), and the profile of today.
 * Out: groups of like questions with the claims nearest to each, those first that help most.
 */
import { wordsOf } from '../brand/profile/texts.ts';
import type { Brand, Embedder } from '../brand/retrieval/brand.ts';
import { questionText } from '../brand/retrieval/claim-texts.ts';
import { innerProduct } from '../brand/retrieval/vector-index.ts';
import type { AskedQuestion } from '../tools/deliver.ts';
import { languageOf } from '../tools/words/language.ts';

/** Questions that ask the same: the same words, or words near them. */
export interface AskedGroup {
  /** The wording that was asked most. */
  readonly query: string;
  /** `es` or `en`; absent where the words are of both or of neither. */
  readonly language?: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** At most three claims, most similar first; empty where nothing answers. */
  readonly nearest: readonly { readonly claimId: string; readonly similarity: number }[];
}

interface GroupingOptions {
  readonly brand: Pick<Brand, 'ask'>;
  /** The brand's own, which keeps the vectors of questions (rememberVectors). */
  readonly embedder: Embedder;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Wordings that are read, the most asked first. Of 100,000 distinct questions 5,000 take 34 seconds of one core, 8,000 took 77. */
const MOST_WORDINGS = 5_000;

/** Questions that wait for the encoder at a time; its queue takes 200. */
const ASKED_AT_ONCE = 50;

/** A best claim below it is hardly ever the right one: the question counts as one that nothing answers. */
export const UNANSWERED_BELOW = 0.2;

/** Inner product of two questions that ask the same. */
const SAME_QUESTION = 0.95;

/**
 * Asks each kept question of today's profile, and groups them. First uncertain groups (.2 to .8), then unanswered, then certain;
 * by count in each.
 * @returns the groups, and how many wordings were too many to be read
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
      // Like questions have the same first claim, so only those are compared.
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

/** One entry for all questions in the same words, whatever their capitals, accents and signs. */
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

/** What a question of the owner helps most comes first. */
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
