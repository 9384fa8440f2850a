import { LRUCache } from 'lru-cache';
import { type ClaimWithProofs, claimsWithProofs, emptyNote } from '../profile/answer-parts.ts';
import { brandName } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import type { Answer, Asker, Brand, Match } from './brand.ts';
import { claimTexts, questionText } from './claim-texts.ts';
import { type ReadingOptions, readClaims } from './claim-vectors.ts';
import type { RetrievalModel } from './model.ts';
import { rankMatches } from './similarity.ts';
import { createVectorIndex } from './vector-index.ts';

interface BrandInput extends ReadingOptions {
  readonly profile: Profile;
  /** `sha256:` and the hex digest of the profile file's bytes. */
  readonly digest: string;
  readonly model: Pick<RetrievalModel, 'embedder' | 'parameters'>;
  /** Receives a sentence for the operator, such as a missing optional package. */
  readonly note?: ((message: string) => void) | undefined;
}

/** Number of nearest claims that share the chance of an answer. */
const NEAREST = 64;

/** Bounds of the cache: number of answers, and characters of their questions. */
const CACHE = { max: 1000, maxSize: 500_000 };

/**
 * Makes a profile answer questions. Resolves when every claim is read, so that a question has one answer from
 * the first second on.
 * @throws Error if the model fails
 * @example const brand = await buildBrand({ profile, digest, model: await openModel(settings) });
 */
export async function buildBrand({ profile, digest, model, note, ...reading }: BrandInput): Promise<Brand> {
  const { embedder, parameters } = model;
  const name = brandName(profile);
  const claims = claimsWithProofs(profile);
  const noteOfEmptyList = emptyNote(profile);
  const vectors = await readClaims(claimTexts(profile), embedder, reading);
  const index = await createVectorIndex(vectors, note);

  const answer = async (query: string, asker?: Asker): Promise<Answer> => {
    const vector = await embedder.embedQuestion(questionText(query), asker);
    const ranked = rankMatches(index.nearest(vector, NEAREST), query, parameters);
    const matches = ranked.map(({ index, similarity }) => matchOf(claims[index]!, similarity));
    if (matches.length === 0) return { brand: name, query, matches, note: noteOfEmptyList };
    return { brand: name, query, matches };
  };

  /** Answers, also those in progress, so that the same question at the same time is read once. */
  const cache = new LRUCache<string, Promise<Answer>>({
    ...CACHE,
    sizeCalculation: (_, query) => query.length + 100,
  });
  return {
    name,
    profile,
    digest,
    calibrated: parameters !== undefined,
    async ask(question, asker) {
      const query = question.toWellFormed().trim();
      const earlier = cache.get(query);
      if (earlier) return earlier;
      const answering = answer(query, asker);
      cache.set(query, answering);
      answering.catch(() => cache.delete(query));
      return answering;
    },
  };
}

/** A match, its members in the contract's order. */
function matchOf({ metric, proofs, ...claim }: ClaimWithProofs, similarity: number): Match {
  return {
    claim_id: claim.claim_id,
    statement: claim.statement,
    category: claim.category,
    ...(metric && { metric }),
    boundary: claim.boundary,
    confidence: claim.confidence,
    similarity: Math.round(similarity * 10_000) / 10_000,
    proofs,
  };
}
