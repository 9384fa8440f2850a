import type { Embedder } from '../embedding/embedder.ts';
import { dot } from '../embedding/vector.ts';
import { createVectorIndex } from './hnsw.ts';
import { indicesOfLargest } from './largest.ts';
import { createLexicalIndex } from './lexical.ts';
import type { RetrievalModel, RetrievalParameters } from './parameters.ts';
import { createReader } from './reading.ts';

/** How well one text answers a question. */
export interface Scored {
  /** Position of the text in what the retrieval was created from. */
  readonly index: number;
  /** Cosine of question and text, -1..1. */
  readonly dense: number;
  /** Late interaction, 0..1; 0 where the model has no token rows. */
  readonly late: number;
  /** Character n-gram BM25, 0 to about 1. */
  readonly lexical: number;
  /** Weighted sum of the three. */
  readonly score: number;
  /** 0..1: in the order of the scores, and comparable between questions. */
  readonly similarity: number;
}

export interface Ranking {
  /** Best first, ties by index. */
  readonly scored: readonly Scored[];
  /** How near the question is to texts that do not answer it. */
  readonly level: number;
}

export interface Retrieval {
  search(query: string): Promise<Ranking>;
  /** Prepares for the `limit` most frequent tokens, in the background and without keeping the process alive; the return value stops it. */
  warm(limit: number): () => void;
}

export interface RetrievalInput extends RetrievalModel {
  readonly texts: readonly string[];
  readonly embedder: Embedder;
  /** Told, in a sentence, what an operator should know. */
  readonly note?: (message: string) => void;
}

/** Up to here every text is scored: a few additions each. */
const ALL_TEXTS = 512;

/** Beyond it, this many of the vector index and as many of the lexical index. */
const NEAREST = 64;

/**
 * Ranks texts by meaning and wording as model/README.md defines it: dense, late and lexical scores, joined by weights,
 * then set against the question's own level of meaningless similarity.
 * @throws whatever the embedder throws on a text.
 */
export async function createRetrieval(input: RetrievalInput): Promise<Retrieval> {
  const { texts, embedder, parameters } = input;
  const { calibration } = parameters;
  const weights = embedder.tokens ? parameters.weights : withoutLate(parameters.weights);
  const reader = await createReader(input);
  const lexicalIndex = createLexicalIndex(texts, parameters.bm25);
  const nearest = texts.length > ALL_TEXTS ? await createVectorIndex(reader.vectors, input) : undefined;
  const every = texts.map((_, index) => index);
  return {
    async search(query) {
      const { vector, late, level } = await reader.read(query);
      const lexical = lexicalIndex.search(query);
      const candidates = nearest ? union(nearest.search(vector, NEAREST), bestOf(lexical)) : every;
      const scored = candidates.map(index => {
        const parts = { dense: dot(vector, reader.vectors[index]!), late: late[index]!, lexical: lexical[index]! };
        const score = weights.dense * parts.dense + weights.late * parts.late + weights.lexical * parts.lexical;
        return { index, ...parts, score, similarity: similarityOf(score, level, calibration) };
      });
      return { scored: scored.sort((a, b) => b.score - a.score || a.index - b.index), level };
    },
    warm: reader.warm,
  };
}

/** Without token rows the meaning is in the vector alone. */
function withoutLate({ dense, late, lexical }: RetrievalParameters['weights']): RetrievalParameters['weights'] {
  return { dense: dense + late, late: 0, lexical };
}

function union(some: readonly number[], others: readonly number[]): number[] {
  return [...new Set([...some, ...others])];
}

/** The best lexical hits, without texts that share nothing. */
function bestOf(lexical: Float64Array): number[] {
  return indicesOfLargest(lexical, NEAREST).filter(index => lexical[index]! > 0);
}

function similarityOf(score: number, level: number, calibration: RetrievalParameters['calibration']): number {
  const { alpha, beta, lambda } = calibration;
  return 1 / (1 + Math.exp(-(alpha * (score - lambda * level) + beta)));
}
