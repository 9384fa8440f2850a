import { createHash } from 'node:crypto';
import type { Embedder } from './brand.ts';
import type { ClaimTexts } from './claim-texts.ts';

/** Share of the questions alone in a claim's vector (model/encoder/README.md, 3). */
const ASKED_SHARE = 0.4;

/** Vectors of claims by a digest of model and texts. */
export type VectorsByKey = ReadonlyMap<string, Float32Array>;

/** Keeps the vectors of claims beyond the life of a process. */
export interface VectorStore {
  /** Never rejects: what cannot be read is not there. */
  read(): Promise<VectorsByKey>;
  /** Replaces everything that is kept. Absent for a process that only reads. */
  readonly write?: (vectors: VectorsByKey) => Promise<void>;
}

export interface ReadingOptions {
  readonly kept?: VectorStore | undefined;
  /** Hears how many claims have a vector. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Claims that are read before the vectors may be kept. */
const SLICE = 64;

/**
 * So often the vectors are kept while claims are read, so that an interrupted start has not read them in
 * vain.
 */
const WRITE_EVERY_MS = 30_000;

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
  const claimsByKey = new Map(keys.map((key, index) => [key, claims[index]!]));
  const newKeys = [...claimsByKey.keys()].filter(key => !vectors.has(key));
  let writtenMs = performance.now();
  for (let start = 0; start < newKeys.length; start += SLICE) {
    const readOne = async (key: string) => {
      vectors.set(key, await claimVector(claimsByKey.get(key)!, embedder));
      onProgress(vectors.size, claimsByKey.size);
    };
    await Promise.all(newKeys.slice(start, start + SLICE).map(readOne));
    const isLast = start + SLICE >= newKeys.length;
    if (!isLast && performance.now() - writtenMs < WRITE_EVERY_MS) continue;
    await kept?.write?.(vectors);
    writtenMs = performance.now();
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
