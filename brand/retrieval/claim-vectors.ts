import { createHash } from 'node:crypto';
import type { Embedder } from './brand.ts';
import type { ClaimTexts } from './claim-texts.ts';

/** Share of the questions alone in a claim's vector (model/encoder/README.md, 3). */
const ASKED_SHARE = 0.4;

/** Vectors of claims by a digest of model and texts. */
export type VectorsByKey = ReadonlyMap<string, Float32Array>;

/** Keeps the vectors of claims beyond the life of a process. */
export interface KeptVectors {
  /** Never rejects: what cannot be read is not there. */
  read(): Promise<VectorsByKey>;
  /** Replaces everything that is kept. Absent for a process that only reads. */
  readonly write?: (vectors: VectorsByKey) => Promise<void>;
}

export interface ReadingOptions {
  readonly kept?: KeptVectors | undefined;
  /** Hears how many claims have a vector. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** New claims after which the vectors are kept, so that an interrupted start has not read them in vain. */
const CLAIMS_BETWEEN_WRITES = 256;

/**
 * The vectors of claims, in their order. Claims whose vectors are kept are not read again.
 * @throws Error where the model fails
 */
export async function readClaims(
  claims: readonly ClaimTexts[],
  embedder: Embedder,
  { kept, onProgress = () => {} }: ReadingOptions,
): Promise<Float32Array[]> {
  const keys = claims.map(claim => keyOf(claim, embedder));
  const keptVectors = (await kept?.read()) ?? new Map();
  const vectors = new Map(keys.flatMap(key => (keptVectors.has(key) ? [[key, keptVectors.get(key)]] : [])));
  const newClaims = new Map(keys.map((key, index) => [key, claims[index]!]));
  for (const key of vectors.keys()) newClaims.delete(key);
  const entries = [...newClaims];
  for (let start = 0; start < entries.length; start += CLAIMS_BETWEEN_WRITES) {
    const slice = entries.slice(start, start + CLAIMS_BETWEEN_WRITES);
    await Promise.all(
      slice.map(async ([key, claim]) => {
        vectors.set(key, await claimVector(claim, embedder));
        onProgress(vectors.size, new Set(keys).size);
      }),
    );
    await kept?.write?.(vectors);
  }
  return keys.map(key => vectors.get(key)!);
}

/** What it states, and where it has questions .4 of their own vector. Not brought back to length 1. */
async function claimVector({ stated, asked }: ClaimTexts, embedder: Embedder): Promise<Float32Array> {
  if (asked === undefined) return embedder.embedClaim(stated);
  const [statedVector, askedVector] = await Promise.all([
    embedder.embedClaim(stated),
    embedder.embedClaim(asked),
  ]);
  return statedVector.map((value, place) => (1 - ASKED_SHARE) * value + ASKED_SHARE * askedVector[place]!);
}

function keyOf({ stated, asked = '' }: ClaimTexts, { digest }: Embedder): string {
  return createHash('sha256')
    .update(JSON.stringify([digest, stated, asked]))
    .digest('base64url');
}
