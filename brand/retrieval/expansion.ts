import { setImmediate as turn } from 'node:timers/promises';
import { cosines, integerVector } from './int8-rows.ts';
import type { Bank, Leaning, RetrievalModel } from './model.ts';
import { blend, unit } from './vector.ts';
import { largest } from './vector-index.ts';

/**
 * Expansion: claims lean towards the questions that claims like them are asked (model/README.md). 3 ms a new claim.
 * @returns a vector for each claim; and how far the bank has a say, from 0, where the texts are no business claims, to 1
 */
export async function expand(
  heads: readonly string[],
  vectors: readonly Float32Array[],
  model: RetrievalModel,
  expanded: (done: number) => void = () => {},
): Promise<{ vectors: readonly Float32Array[]; gate: number }> {
  const { bank, parameters } = model;
  const { from, to, fallback } = parameters.expansion;
  const found: Leaning[] = [];
  for (const head of bank ? heads : []) {
    found.push(await lean(head, bank!, model));
    expanded(found.length);
    await turn();
  }
  const closeness = found.reduce((sum, { nearest }) => sum + nearest, 0) / Math.max(found.length, 1);
  const gate = Math.min(Math.max((closeness - from) / (to - from), 0), 1);
  const expandOne = (vector: Float32Array, at: number) => {
    const alone = [(1 - gate) * fallback, vector] as const;
    return blend(gate === 0 ? [alone] : [[gate, found[at]!.questions], alone], vector.length);
  };
  return { vectors: vectors.map(expandOne), gate };
}

/** Kept by head: whoever writes claims builds the index again and again. */
async function lean(head: string, bank: Bank, model: RetrievalModel): Promise<Leaning> {
  const { embedder, parameters } = model;
  const kept = bank.leanings.get(head);
  if (kept) return kept;
  const [vector = new Float32Array(embedder.dims)] = await embedder.embed([head]);
  const near = cosines(integerVector(vector), bank.claims);
  const rows = largest(near, parameters.expansion.neighbours);
  const nearest = near[rows[0]!] ?? 0;
  const { values, length } = bank.questions;
  const questions = rows.map(row => {
    const weight = Math.exp(parameters.expansion.sharpness * (near[row]! - nearest)) / length(row);
    return [weight, values.subarray(row * embedder.dims, (row + 1) * embedder.dims)] as const;
  });
  const leaning = { nearest, questions: unit(blend(questions, embedder.dims)) };
  bank.leanings.set(head, leaning);
  return leaning;
}
