import * as z from 'zod';
import { jsonOrNothing } from '../profile/strict-json.ts';
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
  model: z.looseObject({ vocab: Words }),
});

/** An uncased BERT tokenizer without added tokens: what `wordpiece.ts` reads. */
const Uncased = TokenizerFile.extend({
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

type TokenizerFile = z.infer<typeof TokenizerFile>;

/**
 * Reads a tokenizer.json: by our own reading of WordPiece where it is uncased BERT's, else by @huggingface/tokenizers.
 * @throws Error that says why it is none
 */
export async function readTokenizer(bytes: Buffer): Promise<Vocabulary> {
  const content: unknown = JSON.parse(bytes.toString('utf8'));
  const parsed = TokenizerFile.safeParse(content);
  if (!parsed.success) throw new Error('not a tokenizer: lacks "model.vocab" or "added_tokens"');
  const uncased = Uncased.safeParse(content);
  return uncased.success ? readUncased(uncased.data, linesOf(parsed.data)) : readOther(parsed.data);
}

/**
 * A tokenizer.json that is read at once: on the first line what it says besides its words, then these, one a line by id.
 * To parse the 49,131 words of the bundled model as JSON took 28 ms of a start.
 * @throws Error where it is not uncased BERT's
 */
export function writeWordList(bytes: Buffer): string {
  const content: unknown = JSON.parse(bytes.toString('utf8'));
  const { model, ...others } = Uncased.parse(content);
  return `${JSON.stringify({ ...others, model: { ...model, vocab: {} } })}\n${linesOf({ model, ...others })}`;
}

/** Reads what `writeWordList` has written. @throws Error where it is something else */
export async function readWordList(bytes: Buffer): Promise<Vocabulary> {
  const end = bytes.indexOf('\n');
  const file = Uncased.safeParse(jsonOrNothing(bytes.toString('utf8', 0, Math.max(end, 0))));
  if (!file.success) throw new Error('no list of words: its first line is no tokenizer of uncased BERT');
  return readUncased(file.data, bytes.toString('utf8', end + 1));
}

/** No text that is read has a piece with the end of a line. */
function linesOf({ model }: TokenizerFile): string {
  const words: string[] = [];
  for (const [word, id] of Object.entries(model.vocab)) words[id] = word.includes('\n') ? '' : word;
  return words.join('\n');
}

const paddingsOf = ({ padding }: TokenizerFile): string[] =>
  padding?.pad_token === undefined ? ['[PAD]', '<pad>'] : [padding.pad_token];

function readUncased(file: z.infer<typeof Uncased>, words: string): Vocabulary {
  const { unk_token, continuing_subword_prefix: prefix, max_input_chars_per_word: longestWord } = file.model;
  const pieces = words.split('\n');
  const ids = new Map(pieces.map((piece, id) => [piece, id]));
  ids.delete(''); // the place of a word that no text holds
  const unknown = ids.get(unk_token);
  return {
    encode: createWordPiece({ ids, prefix, unknown, longestWord }),
    word: id => pieces[id] ?? '',
    size: pieces.length,
    added: 0,
    nothing: new Set([unknown, ...paddingsOf(file).map(name => ids.get(name))]),
  };
}

/** What is used of the package; its own types point to files without extension, so that all of them become `any`. */
interface Packaged {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: readonly number[] };
  token_to_id(token: string): number | undefined;
  readonly model: { readonly vocab: readonly string[]; readonly unk_token_id?: number };
}

async function readOther(file: TokenizerFile): Promise<Vocabulary> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const packaged: Packaged = new Tokenizer(file, {});
  const { vocab, unk_token_id } = packaged.model;
  return {
    encode: text => packaged.encode(text, { add_special_tokens: false }).ids,
    word: token => vocab[token] ?? '',
    size: vocab.length,
    added: file.added_tokens.length,
    nothing: new Set([unk_token_id, ...paddingsOf(file).map(name => packaged.token_to_id(name))]),
  };
}
