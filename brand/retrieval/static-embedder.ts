import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedder, TokenTable } from './embedder.ts';
import { growingRows } from './int8-rows.ts';
import { openSafetensors } from './safetensors.ts';
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
  const table = await readPart(join(directory, 'model.safetensors'), file => {
    const tensors = openSafetensors(file);
    const rows = tensors.rows('embeddings');
    return { ...rows, weights: tensors.float32('weights', rows.count) };
  });
  const tokens = await readPart(join(directory, 'tokenizer.txt'), async file =>
    createTokens(table, readWordPiece(await readBytes(file))),
  );
  const embed = async (texts: readonly string[]) =>
    texts.map(text => unit(tokens.sum(tokens.tokenize(text))));
  return { dims: table.dims, tokens, embed };
}

/** @throws Error with the file and the reason */
export async function readPart<Part>(file: string, read: (file: string) => Part): Promise<Awaited<Part>> {
  try {
    return await read(file);
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** @throws Error with the reason */
export function readBytes(file: string): Promise<Buffer> {
  return readFile(file).catch(cause => {
    throw new Error(`cannot be read: ${cause.message}`, { cause });
  });
}

/** The number of words that say nothing. */
const NOTHING = -1;

/** What is in the files of a table: a row and a weight of each word. */
interface Table {
  readonly count: number;
  readonly dims: number;
  readonly weights: Float32Array;
  readonly read: (row: number) => Int8Array;
}

/**
 * Tokens are numbered as texts bring them, and their rows are read then: a firm and its visitors use a few thousand of the
 * 49,131 words, and the whole table would be a tenth of the memory of a server.
 */
function createTokens(
  { count, dims, weights, read }: Table,
  { encode, words, nothing }: WordPiece,
): TokenTable {
  if (count !== words.length) {
    throw new Error(`does not fit model.safetensors: ${words.length} tokens, but ${count} rows`);
  }
  const rows = growingRows(dims);
  /** The number of each word. */
  const tokens = new Map<number, number>();
  const wordOf: number[] = [];
  const tokenOf = (word: number): number => {
    const known = tokens.get(word);
    if (known !== undefined) return known;
    const row = read(word);
    const says = !nothing.has(word) && weights[word]! > 0 && row.some(number => number !== 0);
    const token = says ? rows.add(row) : NOTHING;
    if (says) wordOf.push(word);
    tokens.set(word, token);
    return token;
  };
  const weightOf = (token: number) => weights[wordOf[token]!]!;
  return {
    tokenize(text) {
      const found = encode(text).map(tokenOf);
      return found.filter(token => token !== NOTHING).slice(0, MAX_TOKENS);
    },
    word: token => words[wordOf[token] ?? -1] ?? '',
    rows,
    norm: token => weightOf(token) * rows.length(token),
    sum(tokens) {
      const { values } = rows;
      const sum = new Float32Array(dims);
      for (const token of tokens) {
        const [weight, start] = [weightOf(token), token * dims];
        for (let i = 0; i < dims; i += 1) sum[i]! += weight * values[start + i]!;
      }
      return sum;
    },
  };
}
