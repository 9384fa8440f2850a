import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import * as z from 'zod';
import type { Embedder, TokenTable } from './embedder.ts';
import { parseSafetensors } from './safetensors.ts';
import { readTokenRows, type TokenRows } from './token-rows.ts';
import { sumRows, unit } from './vector.ts';

/** An embedder whose vectors are sums of token rows. */
export interface StaticEmbedder extends Embedder {
  readonly tokens: TokenTable;
}

/** Past this many tokens a text's sum hardly moves, and a question must not cost what its sender pleases. */
const MAX_TOKENS = 512;

/**
 * Loads a Model2Vec directory (https://github.com/MinishLab/model2vec): `tokenizer.json` and `model.safetensors`. No native code, no network.
 * `id` hashes both files, so that a retrained model never passes for its predecessor.
 * @throws Error that says which file is at fault and why.
 */
export async function loadStaticEmbedder(directory: string): Promise<StaticEmbedder> {
  const tokenizerFile = join(directory, 'tokenizer.json');
  const tableFile = join(directory, 'model.safetensors');
  const [tokenizerBytes, tableBytes] = await Promise.all([readModelFile(tokenizerFile), readModelFile(tableFile)]);
  const rows = blaming(tableFile, () => readTokenRows(parseSafetensors(tableBytes)));
  const tokenize = blaming(tokenizerFile, () => createTokenize(tokenizerBytes, rows));
  const hash = createHash('sha256').update(tableBytes).update(tokenizerBytes).digest('hex');
  const { size, dims, row, norm } = rows;
  const tokens = { size, tokenize, row, norm };
  return {
    id: `model2vec-${hash.slice(0, 16)}-${dims}`,
    dims,
    tokens,
    embed: async texts => texts.map(text => unit(sumRows(tokens, tokenize(text), dims))),
  };
}

async function readModelFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Error(`${file}: cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

function blaming<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(`${file}: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is read of tokenizer.json here; the rest is the tokenizer's own business. */
const TokenizerFile = z.looseObject({
  padding: z.looseObject({ pad_token: z.string().optional() }).nullish(),
  added_tokens: z.array(z.unknown()),
  model: z.looseObject({ vocab: z.custom<object>(value => typeof value === 'object' && value !== null) }),
});

/** What is used of the tokenizer; its own types point to files without extension, so that all of them become `any`. */
interface Vocabulary {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: readonly number[] };
  token_to_id(token: string): number | undefined;
  readonly model: { readonly vocab: readonly string[]; readonly unk_token_id?: number };
}

function createTokenize(bytes: Buffer, { size, norm }: TokenRows): TokenTable['tokenize'] {
  const file = readTokenizerFile(bytes);
  const vocabulary: Vocabulary = new Tokenizer(file, {});
  checkSizes(vocabulary.model.vocab.length, file.added_tokens.length, size);
  const nothing = new Set([padId(vocabulary, file), vocabulary.model.unk_token_id]);
  return text => {
    const { ids } = vocabulary.encode(text, { add_special_tokens: false });
    return ids.filter(id => !nothing.has(id) && norm(id) > 0).slice(0, MAX_TOKENS);
  };
}

function readTokenizerFile(bytes: Buffer): z.infer<typeof TokenizerFile> {
  const parsed = TokenizerFile.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success) throw new Error('not a tokenizer: lacks "model.vocab" or "added_tokens"');
  return parsed.data;
}

/** Model2Vec writes one row per token, added tokens included or not; anything else is another model's table. */
function checkSizes(tokens: number, addedTokens: number, rows: number): void {
  if (rows >= tokens - addedTokens && rows <= tokens) return;
  throw new Error(`does not fit model.safetensors: ${tokens} tokens, but ${rows} rows`);
}

/** The file's own padding token where it names one, else the names that tokenizers use. */
function padId(vocabulary: Vocabulary, { padding }: z.infer<typeof TokenizerFile>): number | undefined {
  const names = padding?.pad_token === undefined ? ['[PAD]', '<pad>'] : [padding.pad_token];
  return names.map(name => vocabulary.token_to_id(name)).find(id => id !== undefined);
}
