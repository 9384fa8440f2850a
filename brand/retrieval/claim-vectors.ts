import { createHash } from 'node:crypto';
import type { Embedder } from './brand.ts';
import type { ClaimTexts } from './claim-texts.ts';

/** Weight of the questions' vector in a claim's vector (model/encoder/README.md, 3). */
const ASKED_SHARE = 0.4;

/** Vectors of claims by a digest of model and texts. */
export type VectorsByKey = ReadonlyMap<string, Float32Array>;

/** Stores the vectors of claims, so that a restart need not compute them again. */
export interface VectorStore {
  /** Never rejects. A store that cannot be read is empty. */
  read(): Promise<VectorsByKey>;
  /** Replaces all stored vectors. Absent for a process that only reads. */
  readonly write?: (vectors: VectorsByKey) => Promise<void>;
}

export interface ReadingOptions {
  readonly kept?: VectorStore | undefined;
  /** Receives how many claims have a vector. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Claims that are read together. Vectors may be stored between two slices. */
const SLICE = 64;

/** Interval of storing while claims are read, so that an interrupted start does not lose its work. */
const WRITE_EVERY_MS = 30_000;

/**
 * The vectors of claims, in their order. Stored vectors are not computed again.
 * @throws Error if the model fails
 * @example const vectors = await readClaims(claimTexts(profile), embedder, { kept });
 */
export async function readClaims(
  claims: readonly ClaimTexts[],
  embedder: Embedder,
  { kept, onProgress = () => {} }: ReadingOptions,
): Promise<Float32Array[]> {
  const keys = claims.map(claim => vectorKey(claim, embedder));
  const keptVectors = (await kept?.read()) ?? new Map();
  const vectors = new Map(keys.flatMap(key => (keptVectors.has(key) ? [[key, keptVectors.get(key)]] : [])));
  const claimsByKey = new Map(keys.map((key, index) => [key, claims[index]!]));
  const newKeys = [...claimsByKey.keys()].filter(key => !vectors.has(key));
  let lastWriteMs = performance.now();
  for (let start = 0; start < newKeys.length; start += SLICE) {
    const readOne = async (key: string) => {
      vectors.set(key, await claimVector(claimsByKey.get(key)!, embedder));
      onProgress(vectors.size, claimsByKey.size);
    };
    await Promise.all(newKeys.slice(start, start + SLICE).map(readOne));
    const isLast = start + SLICE >= newKeys.length;
    if (!isLast && performance.now() - lastWriteMs < WRITE_EVERY_MS) continue;
    await kept?.write?.(vectors);
    lastWriteMs = performance.now();
  }
  return keys.map(key => vectors.get(key)!);
}

/**
 * The vector of a claim: 0.6 of its text and 0.4 of its questions alone. It is not normalized.
 */
async function claimVector({ stated, asked }: ClaimTexts, embedder: Embedder): Promise<Float32Array> {
  if (asked === undefined) return embedder.embedClaim(stated);
  const [statedVector, askedVector] = await Promise.all([
    embedder.embedClaim(stated),
    embedder.embedClaim(asked),
  ]);
  return statedVector.map((value, place) => (1 - ASKED_SHARE) * value + ASKED_SHARE * askedVector[place]!);
}

function vectorKey({ stated, asked = '' }: ClaimTexts, { digest }: Embedder): string {
  return createHash('sha256')
    .update(JSON.stringify([digest, stated, asked]))
    .digest('base64url');
}
