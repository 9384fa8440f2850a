import { createExclusionTest } from './boundary.ts';
import { chanceOfAny, shareOut } from './chance.ts';
import { readClaims } from './encoder.ts';
import type { ReadingOptions } from './kept-vectors.ts';
import { createLexicalIndex } from './lexical.ts';
import { type Asker, NoPlace } from './line.ts';
import type { RetrievalModel } from './model.ts';
import type { Calibration, Parameters } from './parameters.ts';
import type { Ranking, Scored } from './ranking.ts';
import type { Reading } from './reader.ts';
import type { SearchText } from './search-text.ts';
import { readTexts } from './text-vectors.ts';
import { ALL_TEXTS } from './token-sums.ts';
import { dot } from './vector.ts';
import {
  createVectorIndex,
  exactSearch,
  largest,
  type VectorIndex,
  type VectorIndexOptions,
} from './vector-index.ts';

export interface Ranker {
  /** How far the bank has a say, 0..1. */
  readonly gate: number;
  /** Settles when the encoder has read all texts. @throws Error where it fails */
  readonly ready: Promise<void>;
  /** Whether a word stands in any text. */
  readonly occurs: (word: string) => boolean;
  /** The best `count` texts for one question. Where the encoder has no place, the table answers alone. @throws the signal's reason */
  rank(query: string, count: number, asker?: Asker): Promise<Ranking>;
}

export interface RankerOptions extends Omit<ReadingOptions, 'progress'> {
  /** Told now and then how far each step is, where there are many texts. */
  readonly progress?: ((step: string, done: number, of: number) => void) | undefined;
  /** Lets the table answer alone until the encoder has read all texts. */
  readonly early?: boolean | undefined;
}

export interface RankerInput extends RetrievalModel, RankerOptions {
  readonly texts: readonly SearchText[];
  readonly index?: VectorIndexOptions;
}

/** Texts scored beyond `ALL_TEXTS`: of the vector index, and as many of the lexical index. */
const NEAREST = 24;

/** Building an index of so many texts takes a few seconds. */
const SHOWN_FROM = 200;

/**
 * Ranks texts by meaning and wording as model/README.md defines it: weighs dense, expansion, late and lexical scores and the
 * encoder's cosine, then sets the sum against the next best and the question's own level of meaningless similarity.
 * @throws whatever the embedder throws on a text
 */
export async function createRanker(input: RankerInput): Promise<Ranker> {
  const { parameters, note = () => {} } = input;
  const texts = input.texts.map(({ text }) => text);
  const isSmall = texts.length <= ALL_TEXTS;
  const told = (step: string) => (done: number) => {
    if (texts.length >= SHOWN_FROM) input.progress?.(step, done, texts.length);
  };
  const indexOf = async (vectors: readonly Float32Array[]) =>
    isSmall ? undefined : createVectorIndex(vectors, { note, ...input.index });
  const encoded = encodeTexts(texts, { ...input, note, progress: told('reading') }, indexOf);
  const { vectors, read, gate } = await readTexts(input, told('expanding'));
  const { occurs, search: searchWords } = await createLexicalIndex(texts, parameters.bm25);
  const index = input.encoder ? undefined : await indexOf(vectors);
  if (!input.early) await encoded.ready;

  const isInExclusion = await createExclusionTest(input.texts);
  const every = texts.map((_, at) => at);
  const candidatesOf = (
    vector: Float32Array,
    lexical: Float64Array,
    asked: Asked | undefined,
  ): readonly number[] => {
    if (isSmall) return every;
    const near =
      (asked ? asked.index?.search(asked.vector, NEAREST) : index?.search(vector, NEAREST)) ??
      exactSearch(vectors, vector, NEAREST);
    const worded = largest(lexical, NEAREST).filter(at => lexical[at]! > 0);
    return [...new Set([...near, ...worded])].sort((a, b) => a - b);
  };
  return {
    gate,
    ready: encoded.ready,
    occurs,
    async rank(query, count, asker) {
      const [asked, reading] = await Promise.all([encoded.ask(query, asker), read(query)]);
      const lexical = searchWords(query);
      const parts = partsOf(candidatesOf(reading.vector, lexical, asked), { reading, lexical, asked });
      const ranking = ranked(parts, count, reading, parameters);
      const [first] = ranking.scored;
      const isExcluded =
        first !== undefined && (reading.isExcluded(first.index) || isInExclusion(query, first.index));
      return { isExcluded, encoded: asked !== undefined, ...ranking };
    },
  };
}

/** Texts as the encoder reads them. */
interface Encoded {
  readonly vectors: readonly Float32Array[];
  readonly index: VectorIndex | undefined;
}

/** A question as the encoder reads it, beside the texts. */
interface Asked extends Encoded {
  readonly vector: Float32Array;
}

/** Lets the encoder read all texts, and then questions. */
function encodeTexts(
  texts: readonly string[],
  { encoder, note, ...options }: Pick<RetrievalModel, 'encoder'> & ReadingOptions,
  indexOf: (vectors: readonly Float32Array[]) => Promise<VectorIndex | undefined>,
) {
  let encoded: Encoded | undefined;
  const readAll = async () => {
    if (!encoder) return;
    const vectors = await readClaims(encoder, texts, { ...options, note });
    encoded = { vectors, index: await indexOf(vectors) };
  };
  const ready = readAll();
  ready.catch(() => {}); // whoever waits for it hears it
  return {
    ready,
    /** Nothing where the table has to answer alone. @throws the signal's reason */
    async ask(query: string, asker?: Asker): Promise<Asked | undefined> {
      if (!encoder || !encoded || query.trim() === '') return undefined;
      const vector = await encoder.ask(query, asker).catch(error => {
        asker?.signal?.throwIfAborted();
        if (!(error instanceof NoPlace)) note?.(`the table answers alone: ${error.message}`);
      });
      return vector ? { vector, ...encoded } : undefined;
    },
  };
}

/** How near each candidate is to a question, in their order; the lexical scores are those of all texts. */
interface Parts {
  readonly candidates: readonly number[];
  readonly meaning: Float32Array;
  readonly late: Float32Array;
  readonly lexical: Float64Array;
  readonly cosine: Float32Array;
  readonly encoded: boolean;
}

function partsOf(
  candidates: readonly number[],
  { reading, lexical, asked }: { reading: Reading; lexical: Float64Array; asked: Asked | undefined },
): Parts {
  const cosine = new Float32Array(candidates.length);
  for (let at = 0; asked && at < cosine.length; at += 1)
    cosine[at] = dot(asked.vector, asked.vectors[candidates[at]!]!);
  const [meaning, late] = [reading.meaning(candidates), reading.late(candidates)];
  return { candidates, meaning, late, lexical, cosine, encoded: asked !== undefined };
}

/** The parts weighed and added, and the sums as similarities. */
function ranked(parts: Parts, count: number, { length, level }: Reading, parameters: Parameters) {
  const { candidates, meaning, late, lexical, cosine, encoded } = parts;
  const { weights, withEncoder, calibration: alone } = parameters;
  const { weight, calibration } = encoded ? withEncoder : { weight: 0, calibration: alone };
  const scores = new Float64Array(candidates.length);
  for (let at = 0; at < scores.length; at += 1) {
    const worded = weights.late * late[at]! + weights.lexical * lexical[candidates[at]!]!;
    scores[at] = meaning[at]! + worded + weight * cosine[at]!;
  }
  const order = largest(scores, Math.max(count, 1 + calibration.rivals));
  const { best, rivals } = leadOf(order, scores, calibration);
  const some = chanceOfAny({ best, rivals, length, level }, calibration);
  const similarities = shareOut(some, scores, calibration);
  const scored = order.slice(0, count).map(
    (at): Scored => ({
      index: candidates[at]!,
      meaning: meaning[at]!,
      late: late[at]!,
      lexical: lexical[candidates[at]!]!,
      cosine: cosine[at]!,
      score: scores[at]!,
      similarity: similarities[at]!,
    }),
  );
  return { scored, some, best, rivals, length, level };
}

/** The best score, and the mean of those next to it. */
function leadOf(order: readonly number[], scores: Float64Array, { rivals: count }: Calibration) {
  const best = scores[order[0] ?? 0] ?? 0;
  const next = order.slice(1, 1 + count);
  const rivals = next.length === 0 ? best : next.reduce((sum, at) => sum + scores[at]!, 0) / next.length;
  return { best, rivals };
}
