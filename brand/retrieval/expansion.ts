import { cosines, integerVector } from '../embedding/int8-rows.ts';
import type { RetrievalModel } from '../embedding/retrieval-model.ts';
import { blend, unit } from '../embedding/vector.ts';
import { mapInPieces, type Pace } from './pacer.ts';
import { largest } from './vector-index.ts';

export interface Expansions {
  /** One a claim. */
  readonly vectors: readonly Float32Array[];
  /** 0 where the texts are no business claims, so that the bank has no say, to 1. */
  readonly gate: number;
}

/** The bank claims nearest to a claim's head, nearest first. */
export interface Neighbours {
  readonly rows: readonly number[];
  readonly cosines: readonly number[];
}

/**
 * Expansion: claims lean towards the questions that claims like them are asked (model/README.md). About a million multiplications
 * a claim, in pieces.
 */
export async function expand(
  heads: readonly string[],
  vectors: readonly Float32Array[],
  model: RetrievalModel,
  pace: Pace,
): Promise<Expansions> {
  const { embedder, bank, parameters } = model;
  const { from, to, fallback, sharpness } = parameters.expansion;
  const headVectors = bank ? await embedder.embed(heads) : [];
  const near = await mapInPieces(headVectors, vector => neighbours(vector, model), pace);
  const closeness = near.reduce((sum, { cosines: [first = 0] }) => sum + first, 0) / Math.max(near.length, 1);
  const gate = Math.min(Math.max((closeness - from) / (to - from), 0), 1);
  const expansions = vectors.map((vector, at) => {
    const alone: [number, Float32Array] = [(1 - gate) * fallback, vector];
    if (!bank || gate === 0) return blend([alone], vector.length);
    const { rows, cosines } = near[at]!;
    const questions = rows.map((row, place): [number, Float32Array] => [
      Math.exp(sharpness * (cosines[place]! - cosines[0]!)) / bank.questions.length(row),
      Float32Array.from(bank.questions.values.subarray(row * vector.length, (row + 1) * vector.length)),
    ]);
    return blend([[gate, unit(blend(questions, vector.length))], alone], vector.length);
  });
  return { vectors: expansions, gate };
}

export function neighbours(head: Float32Array, { bank, parameters }: RetrievalModel): Neighbours {
  const near = bank ? cosines(integerVector(head), bank.claims) : new Float32Array();
  const rows = largest(near, parameters.expansion.neighbours);
  return { rows, cosines: rows.map(row => near[row]!) };
}
