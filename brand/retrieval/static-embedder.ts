import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedder, TokenTable } from './embedder.ts';
import type { Int8Rows } from './int8-rows.ts';
import { parseSafetensors } from './safetensors.ts';
import { unit } from './vector.ts';
import { readWordPiece, type WordPiece } from './wordpiece.ts';

/** An embedder whose vectors are sums of token rows. */
export interface StaticEmbedder extends Embedder {
  readonly tokens: TokenTable;
}

/** Past this many tokens a text's sum hardly moves, and a question must not cost what its sender pleases. */
const MAX_TOKENS = 512;

/**
 * Loads a table of tokens: `model.safetensors` in the int8 form of Model2Vec (https://github.com/MinishLab/model2vec), and
 * `tokenizer.txt`. No native code, no network.
 * @throws Error that says which file is at fault and why
 */
export async function loadStaticEmbedder(directory: string): Promise<StaticEmbedder> {
  const { rows, weights } = await readPart(join(directory, 'model.safetensors'), bytes => {
    const tensors = parseSafetensors(bytes);
    const rows = tensors.int8('embeddings');
    return { rows, weights: tensors.float32('weights', rows.count) };
  });
  const tokens = await readPart(join(directory, 'tokenizer.txt'), bytes =>
    createTokens(rows, weights, readWordPiece(bytes)),
  );
  const embed = async (texts: readonly string[]) => texts.map(text => unit(tokens.sum(tokens.tokenize(text))));
  return { dims: rows.dims, tokens, embed };
}

/** @throws Error with the file and the reason */
export async function readPart<Part>(file: string, read: (bytes: Buffer) => Part): Promise<Part> {
  const bytes = await readFile(file).catch(cause => {
    throw new Error(`${file}: cannot be read: ${cause.message}`, { cause });
  });
  try {
    return read(bytes);
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function createTokens(rows: Int8Rows, weights: Float32Array, { encode, words, nothing }: WordPiece): TokenTable {
  if (rows.count !== words.length) {
    throw new Error(`does not fit model.safetensors: ${words.length} tokens, but ${rows.count} rows`);
  }
  const norm = (token: number) => weights[token]! * rows.length(token);
  return {
    tokenize: text =>
      encode(text)
        .filter(token => !nothing.has(token) && norm(token) > 0)
        .slice(0, MAX_TOKENS),
    word: token => words[token] ?? '',
    rows,
    norm,
    sum(tokens) {
      const { values, dims } = rows;
      const sum = new Float32Array(dims);
      for (const token of tokens) {
        const [weight, start] = [weights[token]!, token * dims];
        for (let i = 0; i < dims; i += 1) sum[i]! += weight * values[start + i]!;
      }
      return sum;
    },
  };
}
