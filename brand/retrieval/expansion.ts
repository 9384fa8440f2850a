import { cosines, integerVector } from './int8-rows.ts';
import type { Known, Leaning } from './known-texts.ts';
import { mapInPieces, type Pace } from './pacer.ts';
import type { Bank, RetrievalModel } from './retrieval-model.ts';
import { blend, unit } from './vector.ts';
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
  { known, ...model }: RetrievalModel & { readonly known?: Known<Leaning> | undefined },
  pace: Pace,
): Promise<Expansions> {
  const { bank, parameters } = model;
  const { from, to, fallback } = parameters.expansion;
  const leanAnew = async (head: string, of: Bank) => {
    const leaning = await lean(head, of, model);
    known?.set(head, leaning);
    return leaning;
  };
  const found = bank ? await mapInPieces(heads, head => known?.get(head) ?? leanAnew(head, bank), pace) : [];
  const closeness = found.reduce((sum, { nearest }) => sum + nearest, 0) / Math.max(found.length, 1);
  const gate = Math.min(Math.max((closeness - from) / (to - from), 0), 1);
  const expandOne = (vector: Float32Array, at: number) => {
    const alone = [(1 - gate) * fallback, vector] as const;
    return blend(gate === 0 ? [alone] : [[gate, found[at]!.questions], alone], vector.length);
  };
  return { vectors: await mapInPieces(vectors, expandOne, pace), gate };
}

async function lean(head: string, bank: Bank, model: RetrievalModel): Promise<Leaning> {
  const { embedder, parameters } = model;
  const [vector = new Float32Array(embedder.dims)] = await embedder.embed([head]);
  const { rows, cosines } = neighbours(vector, model);
  const { values, length } = bank.questions;
  const questions = rows.map((row, place) => {
    const weight = Math.exp(parameters.expansion.sharpness * (cosines[place]! - cosines[0]!)) / length(row);
    return [weight, values.subarray(row * embedder.dims, (row + 1) * embedder.dims)] as const;
  });
  return { nearest: cosines[0] ?? 0, questions: unit(blend(questions, embedder.dims)) };
}

export function neighbours(head: Float32Array, { bank, parameters }: RetrievalModel): Neighbours {
  const near = bank ? cosines(integerVector(head), bank.claims) : new Float32Array();
  const rows = largest(near, parameters.expansion.neighbours);
  return { rows, cosines: rows.map(row => near[row]!) };
}
