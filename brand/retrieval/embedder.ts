import type { Int8Rows } from './int8-rows.ts';

/**
 * The port between retrieval and an embedding model: texts in, vectors out.
 * Adapters: `static-embedder.ts` (the bundled model), `transformer.ts` (any feature-extraction model).
 */
export interface Embedder {
  /** Length of every vector. */
  readonly dims: number;
  /**
   * One unit vector per text, in order; a zero vector where the model knows nothing of the text.
   * Some models read a question otherwise than the texts that may answer it; the default is `text`.
   */
  embed(texts: readonly string[], role?: 'query' | 'text'): Promise<Float32Array[]>;
  /** Present where a text's vector is the sum of its tokens' rows: what late interaction works on. */
  readonly tokens?: TokenTable;
}

/** The vocabulary of a static model: a text is a list of token ids, and every token has one row of numbers. */
export interface TokenTable {
  /** Ids of the known tokens of a text, in order, at most 512; empty when no word is known. */
  tokenize(text: string): number[];
  /** The piece of text that a token stands for. */
  word(token: number): string;
  /** The direction of every token's row. */
  readonly rows: Int8Rows;
  /** Euclidean norm of a token's row, which is its weight in a text; 0 for a token that says nothing. */
  norm(token: number): number;
  /** The sum of the tokens' rows: a text's vector before it is scaled to length 1; zeros without tokens. */
  sum(tokens: readonly number[]): Float32Array;
}
