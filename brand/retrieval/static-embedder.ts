import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedder, TokenTable } from './embedder.ts';
import { parseSafetensors } from './safetensors.ts';
import { readTable, type Table } from './token-rows.ts';
import { readTokenizer, readWordList, type Vocabulary } from './tokenizer.ts';
import { unit } from './vector.ts';

/** An embedder whose vectors are sums of token rows. */
export interface StaticEmbedder extends Embedder {
  readonly tokens: TokenTable;
}

/** Past this many tokens a text's sum hardly moves, and a question must not cost what its sender pleases. */
const MAX_TOKENS = 512;

/**
 * Loads a Model2Vec directory (https://github.com/MinishLab/model2vec): `model.safetensors` and `tokenizer.json`, or in its place
 * `tokenizer.txt` where that was made of it. No native code, no network.
 * @throws Error that says which file is at fault and why.
 */
export async function loadStaticEmbedder(directory: string): Promise<StaticEmbedder> {
  const table = await readPart(join(directory, 'model.safetensors'), async bytes => readTable(parseSafetensors(bytes)));
  const [file, read] = existsSync(join(directory, 'tokenizer.txt'))
    ? ['tokenizer.txt', readWordList]
    : ['tokenizer.json', readTokenizer];
  const tokens = await readPart(join(directory, file), async bytes => createTokens(table, await read(bytes)));
  const embed = async (texts: readonly string[]) => texts.map(text => unit(tokens.sum(tokens.tokenize(text))));
  return { dims: table.rows.dims, tokens, embed };
}

/** @throws Error with the file and the reason */
export async function readPart<Part>(file: string, read: (bytes: Buffer) => Promise<Part>): Promise<Part> {
  const bytes = await readFile(file).catch(cause => {
    throw new Error(`${file}: cannot be read: ${cause.message}`, { cause });
  });
  return read(bytes).catch(cause => {
    throw new Error(`${file}: ${cause.message}`, { cause });
  });
}

function createTokens({ rows, weights }: Table, vocabulary: Vocabulary): TokenTable {
  const { size, added, nothing, encode, word } = vocabulary;
  // Model2Vec writes one row per token, added tokens included or not; anything else is another model's table.
  if (rows.count < size - added || rows.count > size) {
    throw new Error(`does not fit model.safetensors: ${size} tokens, but ${rows.count} rows`);
  }
  const norm = (token: number) => (token < rows.count ? weights[token]! * rows.length(token) : 0);
  return {
    tokenize: text =>
      encode(text)
        .filter(token => !nothing.has(token) && norm(token) > 0)
        .slice(0, MAX_TOKENS),
    word,
    rows,
    norm,
    sum(tokens) {
      const sum = new Float32Array(rows.dims);
      for (const token of tokens) addRow(sum, weights[token]!, rows.values, token * rows.dims);
      return sum;
    },
  };
}

function addRow(sum: Float32Array, weight: number, values: Int8Array, start: number): void {
  for (let i = 0; i < sum.length; i += 1) sum[i]! += weight * values[start + i]!;
}
