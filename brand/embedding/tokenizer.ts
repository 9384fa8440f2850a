import * as z from 'zod';
import { createWordPiece } from './wordpiece.ts';

export interface Vocabulary {
  /** Ids of a text's tokens, those of unknown words included. */
  encode(text: string): readonly number[];
  word(token: number): string;
  /** Number of tokens, and how many of them were added to the model's own. */
  readonly size: number;
  readonly added: number;
  /** Ids that stand for no word: padding and unknown. */
  readonly nothing: ReadonlySet<number | undefined>;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const Words = z.custom<Readonly<Record<string, number>>>(isObject);

/** What is read of tokenizer.json here; the rest is the tokenizer's own business. */
const TokenizerFile = z.looseObject({
  padding: z.looseObject({ pad_token: z.string().optional() }).nullish(),
  added_tokens: z.array(z.unknown()),
  model: z.looseObject({ vocab: z.custom<object>(isObject) }),
});

/** An uncased BERT tokenizer without added tokens: what `wordpiece.ts` reads. */
const Uncased = z.looseObject({
  added_tokens: z.array(z.unknown()).length(0),
  normalizer: z.looseObject({
    type: z.literal('BertNormalizer'),
    clean_text: z.literal(true),
    handle_chinese_chars: z.literal(true),
    strip_accents: z.literal(true).nullable(),
    lowercase: z.literal(true),
  }),
  pre_tokenizer: z.looseObject({ type: z.literal('BertPreTokenizer') }),
  model: z.looseObject({
    type: z.literal('WordPiece'),
    unk_token: z.string(),
    continuing_subword_prefix: z.string(),
    max_input_chars_per_word: z.number().default(100),
    vocab: Words,
  }),
});

/**
 * Reads a tokenizer.json: by our own reading of WordPiece where it is uncased BERT's, else by @huggingface/tokenizers.
 * @throws Error that says why it is none
 */
export async function readTokenizer(bytes: Buffer): Promise<Vocabulary> {
  const content: unknown = JSON.parse(bytes.toString('utf8'));
  const parsed = TokenizerFile.safeParse(content);
  if (!parsed.success) throw new Error('not a tokenizer: lacks "model.vocab" or "added_tokens"');
  const padding = parsed.data.padding?.pad_token;
  const paddings = padding === undefined ? ['[PAD]', '<pad>'] : [padding];
  const uncased = Uncased.safeParse(content);
  if (uncased.success) return readUncased(uncased.data, paddings);
  return readOther(parsed.data, paddings);
}

function readUncased({ model }: z.infer<typeof Uncased>, paddings: readonly string[]): Vocabulary {
  const { vocab, unk_token, continuing_subword_prefix: prefix, max_input_chars_per_word: longestWord } = model;
  const unknown = vocab[unk_token];
  const size = Object.keys(vocab).length;
  let words: string[] | undefined;
  const wordsById = () => {
    words ??= Object.keys(vocab).sort((a, b) => vocab[a]! - vocab[b]!);
    return words;
  };
  return {
    encode: createWordPiece({ unknown, prefix, longestWord, vocabulary: vocab }),
    word: token => wordsById()[token] ?? '',
    size,
    added: 0,
    nothing: new Set([unknown, ...paddings.map(name => vocab[name])]),
  };
}

/** What is used of the package; its own types point to files without extension, so that all of them become `any`. */
interface Packaged {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: readonly number[] };
  token_to_id(token: string): number | undefined;
  readonly model: { readonly vocab: readonly string[]; readonly unk_token_id?: number };
}

async function readOther(file: z.infer<typeof TokenizerFile>, paddings: readonly string[]): Promise<Vocabulary> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const packaged: Packaged = new Tokenizer(file, {});
  const { vocab, unk_token_id } = packaged.model;
  return {
    encode: text => packaged.encode(text, { add_special_tokens: false }).ids,
    word: token => vocab[token] ?? '',
    size: vocab.length,
    added: file.added_tokens.length,
    nothing: new Set([unk_token_id, ...paddings.map(name => packaged.token_to_id(name))]),
  };
}
