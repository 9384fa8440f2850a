import { LRUCache } from 'lru-cache';
import type { TokenTable } from '../embedding/embedder.ts';
import { dotRows, stack } from '../embedding/vector.ts';
import { indicesOfLargest } from './largest.ts';
import { createPacer } from './pacer.ts';

/** What a question is to the texts and to the background, as sums over its tokens. */
export interface LateInteraction {
  sum(tokens: readonly number[]): Promise<TokenSums>;
  /** Fills the cache ahead of questions, the `limit` most frequent tokens first, a little at a time. The return value stops it. */
  warm(limit: number): () => void;
}

export interface TokenSums {
  /** Per text: mean of its best cosine with each token of the question, weighted by the tokens' norms; 0..1. */
  readonly late: Float32Array;
  /** Per background vector: its inner product with `rows`. */
  readonly background: Float32Array;
  /** Sum of the tokens' rows, `dims` numbers: the question's vector before it is scaled to length 1. */
  readonly rows: Float32Array;
}

export interface LateInteractionInput {
  readonly table: TokenTable;
  readonly dims: number;
  /** Token ids of every text. */
  readonly texts: readonly (readonly number[])[];
  /** Unit vectors of length `dims`. */
  readonly background: readonly Float32Array[];
  readonly cacheBytes?: number;
}

/** About 11,000 tokens for a profile of 24 claims; two tokens of an average example question are rarer than that. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Book-keeping of an entry beside its numbers, roughly. */
const ENTRY_BYTES = 200;

/** Different tokens of a question that count: more than people ask with, and each may cost a new column. */
const MAX_TOKENS = 64;

/** Longest stretch of warming between two looks at the event loop. */
const SLICE_MS = 2;

/**
 * Late interaction (Khattab and Zaharia, ColBERT, arXiv:2004.12832) for a model whose token vectors know no context: what a token
 * of the vocabulary is worth to each text never changes. It is a column, computed when first asked for and kept while the cache has room;
 * a question is then the sum of its tokens' columns.
 */
export function createLateInteraction(input: LateInteractionInput): LateInteraction {
  const { table, texts, background, cacheBytes = CACHE_BYTES } = input;
  const rowsAt = texts.length + background.length;
  const width = rowsAt + input.dims + 1;
  const columnBytes = width * Float32Array.BYTES_PER_ELEMENT + ENTRY_BYTES;
  const columns = new LRUCache<number, Float32Array>({ maxSize: cacheBytes, sizeCalculation: () => columnBytes });
  const computeColumn = createColumnReader(input, width);
  const zeros = new Float32Array(width);
  const createPace = createPacer();
  const columnOf = (token: number): Float32Array => {
    const known = columns.get(token);
    if (known) return known;
    const column = computeColumn(token);
    columns.set(token, column);
    return column;
  };
  return {
    async sum(tokens) {
      const pace = createPace();
      const asked: Float32Array[] = [];
      for (const token of heaviest(tokens, table)) {
        asked.push(columnOf(token));
        await pace();
      }
      const sums = sumColumns(asked, zeros);
      const norms = Math.max(sums[width - 1]!, Number.MIN_VALUE);
      return {
        late: sums.subarray(0, texts.length).map(value => value / norms),
        background: sums.subarray(texts.length, rowsAt),
        rows: sums.subarray(rowsAt, width - 1),
      };
    },
    warm(limit) {
      const isFull = () => columns.calculatedSize + columnBytes > cacheBytes;
      return inSlices(Math.min(limit, table.size), token => {
        if (isFull()) return false;
        if (table.norm(token) > 0) columnOf(token);
        return true;
      });
    },
  };
}

/** The tokens of a question without the lightest where there are too many different ones; repeated tokens stay repeated. */
function heaviest(tokens: readonly number[], table: TokenTable): readonly number[] {
  const different = [...new Set(tokens)];
  if (different.length <= MAX_TOKENS) return tokens;
  const norms = different.map(token => table.norm(token));
  const kept = new Set(indicesOfLargest(norms, MAX_TOKENS).map(index => different[index]));
  return tokens.filter(token => kept.has(token));
}

/** Four columns a pass: the sums are read and written a quarter as often, which is twice as fast (measured). */
function sumColumns(columns: readonly Float32Array[], zeros: Float32Array): Float32Array {
  const sums = zeros.slice();
  for (let first = 0; first < columns.length; first += 4) {
    const [a = zeros, b = zeros, c = zeros, d = zeros] = columns.slice(first, first + 4);
    for (let i = 0; i < sums.length; i += 1) sums[i]! += a[i]! + b[i]! + (c[i]! + d[i]!);
  }
  return sums;
}

/** Computes a token's column: its norm times its best cosine with each text (at least 0), its products with the background, its row, its norm. */
function createColumnReader({ table, dims, texts, background }: LateInteractionInput, width: number) {
  const vocabulary = [...new Set(texts.flat())];
  const positions = new Map(vocabulary.map((token, position) => [token, position]));
  const units = stack(
    vocabulary.map(token => unitRow(table, token)),
    dims,
  );
  const members = texts.map(tokens => Uint32Array.from(new Set(tokens), token => positions.get(token)!));
  const backgroundUnits = stack(background, dims);
  return (token: number): Float32Array => {
    const row = table.row(token);
    const products = dotRows(row, units);
    const column = new Float32Array(width);
    members.forEach((positions, text) => {
      let best = 0;
      for (const position of positions) best = Math.max(best, products[position]!);
      column[text] = best;
    });
    column.set(dotRows(row, backgroundUnits), texts.length);
    column.set(row, texts.length + background.length);
    column[width - 1] = table.norm(token);
    return column;
  };
}

function unitRow(table: TokenTable, token: number): Float32Array {
  const length = table.norm(token);
  return table.row(token).map(value => value / length);
}

/**
 * Calls `step(0)`, `step(1)`… until it returns false or `count` is reached, in slices between which requests are served.
 * Timers, not immediates: only an unreferenced timer both wakes an idle loop and lets the process end.
 */
function inSlices(count: number, step: (index: number) => boolean): () => void {
  let index = 0;
  const slice = (): void => {
    const end = performance.now() + SLICE_MS;
    for (; index < count; index += 1) {
      if (performance.now() > end) {
        timer = setTimeout(slice).unref();
        return;
      }
      if (!step(index)) return;
    }
  };
  let timer = setTimeout(slice).unref();
  return () => clearTimeout(timer);
}
