import { wordsOf } from '../../brand/profile/folded-text.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import { dot } from '../../brand/retrieval/vector.ts';
import type { AskedQuestion } from '../../tools/language/asked-question.ts';

/**
 * Why a group that seems answered deserves a look. That no action followed is none of them: an asked question names no client
 * (AskedQuestion), so a request cannot be joined to what its sender asked before.
 */
export type Doubt = 'rival' | 'unsure' | 'again';

/** Questions that mean nearly the same. */
export interface Group {
  /** As it was asked most often. */
  readonly query: string;
  readonly times: number;
  /** Mean similarity of the best claims. */
  readonly similarity: number;
  /** The claim that came most often; absent where nothing fitted. */
  readonly claimId?: string | undefined;
  readonly language: string;
  /** Other wordings, at most five. */
  readonly others: readonly string[];
  /** Empty for a weak group, and for one that nothing speaks against. */
  readonly doubts: readonly Doubt[];
}

/** Wordings that are compared: the most frequent. The encoder reads 20 to 60 a second, the table thousands. */
const MOST_COMPARED = { encoder: 600, table: 3000 };

/**
 * From this cosine on two questions are one. With the encoder, 8 of 10 pairs of the example's questions that reach it ask for the same
 * claim, and it finds 11 % of all such pairs. The table finds 0.3 %: without an encoder, groups hold little more than one wording.
 */
const SAME = { encoder: 0.7, table: 0.75 };

/** A group while it is made. */
export interface Members {
  readonly vector: Float32Array;
  readonly members: AskedQuestion[][];
}

/** Questions by meaning, most asked first; nobody has looked for doubts yet. @throws Error where a model fails */
export async function groupsOf(asked: readonly AskedQuestion[], model: RetrievalModel): Promise<(Group & Members)[]> {
  const wordings = new Map<string, AskedQuestion[]>();
  for (const one of asked) {
    const key = wordingOf(one.query);
    wordings.set(key, [...(wordings.get(key) ?? []), one]);
  }
  const by = model.encoder ? 'encoder' : 'table';
  const ordered = [...wordings.values()].sort((a, b) => b.length - a.length).slice(0, MOST_COMPARED[by]);
  const vectors = await read(
    ordered.map(([first]) => first?.query ?? ''),
    model,
  );
  const groups: Members[] = [];
  for (const [at, members] of ordered.entries()) {
    const vector = vectors[at] ?? new Float32Array(model.embedder.dims);
    const near = groups.find(other => dot(other.vector, vector) >= SAME[by]);
    if (near) near.members.push(members);
    else groups.push({ vector, members: [members] });
  }
  return groups.map(one => ({ ...one, ...asGroup(one.members) })).sort((a, b) => b.times - a.times);
}

/** What makes two questions one wording. */
export const wordingOf = (query: string) => wordsOf(query).join(' ');

async function read(queries: readonly string[], { encoder, embedder }: RetrievalModel): Promise<Float32Array[]> {
  if (!encoder) return embedder.embed(queries, 'query');
  const vectors: Float32Array[] = [];
  for (const query of queries) vectors.push(await encoder.encoder.ask(query, 'report'));
  return vectors;
}

function asGroup(members: readonly (readonly AskedQuestion[])[]): Group {
  const all = members.flat();
  const [claimId] = [...countsOf(all.flatMap(one => one.claimId ?? [])).keys()];
  const wordings = members.flatMap(([first]) => first?.query ?? []);
  return {
    query: wordings[0] ?? '',
    times: all.length,
    similarity: all.reduce((sum, one) => sum + one.similarity, 0) / all.length,
    claimId,
    language: all[0]?.language ?? '?',
    others: wordings.slice(1, 6),
    doubts: [],
  };
}

/** How often each value comes, most first. */
export function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}
