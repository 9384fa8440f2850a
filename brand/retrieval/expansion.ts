import { setImmediate as turn } from 'node:timers/promises';
import type { Embedder } from './embedder.ts';
import { cosines, integerVector } from './int8-rows.ts';
import { keptOrMade, keyOf, type ReadingOptions } from './kept-vectors.ts';
import type { Bank, RetrievalModel } from './model.ts';
import { blend, unit } from './vector.ts';
import { largest } from './vector-index.ts';

/**
 * Expansion: claims lean towards the questions that claims like them are asked (model/README.md). 3 ms a new claim.
 * @returns a vector for each claim; and how far the bank has a say, from 0, where the texts are no business claims, to 1
 */
export async function expand(
  heads: readonly string[],
  vectors: readonly Float32Array[],
  { bank, embedder, parameters }: RetrievalModel,
  options: ReadingOptions = {},
): Promise<{ vectors: readonly Float32Array[]; gate: number }> {
  const { from, to, fallback } = parameters.expansion;
  const found = bank
    ? await leanings(await embedAll(heads, embedder), bank, parameters.expansion, options)
    : [];
  const closeness = found.reduce((sum, [nearest = 0]) => sum + nearest, 0) / Math.max(found.length, 1);
  const gate = Math.min(Math.max((closeness - from) / (to - from), 0), 1);
  const expandOne = (vector: Float32Array, at: number) => {
    const alone = [(1 - gate) * fallback, vector] as const;
    return blend(gate === 0 ? [alone] : [[gate, found[at]!.subarray(1)], alone], vector.length);
  };
  return { vectors: vectors.map(expandOne), gate };
}

async function embedAll(heads: readonly string[], embedder: Embedder): Promise<Float32Array[]> {
  const embedded: Float32Array[] = [];
  for (const head of heads) {
    embedded.push(...(await embedder.embed([head])));
    await turn();
  }
  return embedded;
}

/**
 * What the bank says of heads of claims: the cosine of the nearest bank claim, then the mean direction of the questions of the
 * near ones. Between two heads, requests are answered.
 */
function leanings(
  heads: readonly Float32Array[],
  bank: Bank,
  how: RetrievalModel['parameters']['expansion'],
  options: ReadingOptions,
): Promise<Float32Array[]> {
  const keys = heads.map(head => keyOf(bank.digest, JSON.stringify(how), head));
  const make = async (missing: readonly number[], done: () => void) => {
    const made: Float32Array[] = [];
    for (const at of missing) {
      made.push(lean(heads[at]!, bank, how));
      done();
      await turn();
    }
    return made;
  };
  return keptOrMade(keys, make, options);
}

function lean(
  head: Float32Array,
  { claims, questions: { values, length } }: Bank,
  { neighbours, sharpness }: RetrievalModel['parameters']['expansion'],
): Float32Array {
  const near = cosines(integerVector(head), claims);
  const rows = largest(near, neighbours);
  const nearest = near[rows[0]!] ?? 0;
  const questions = rows.map(row => {
    const weight = Math.exp(sharpness * (near[row]! - nearest)) / length(row);
    return [weight, values.subarray(row * head.length, (row + 1) * head.length)] as const;
  });
  return Float32Array.of(nearest, ...unit(blend(questions, head.length)));
}
