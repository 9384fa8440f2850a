/**
 * The port between retrieval and an embedding model: texts in, vectors out.
 * Adapters: `static-embedder.ts` (the bundled model), `transformer-embedder.ts` (any feature-extraction model).
 */
export interface Embedder {
  /** Names the model and its version; vectors of different ids must never be compared. */
  readonly id: string;
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
  /** Token ids in [0, size); the lowest ids are the most frequent words. */
  readonly size: number;
  /** Ids of the known tokens of a text, in order, at most 512; empty when no word is known. */
  tokenize(text: string): number[];
  /** The token's row: `dims` numbers, its norm is the token's weight in a text. */
  row(token: number): Float32Array;
  /** Euclidean norm of `row(token)`. */
  norm(token: number): number;
}
