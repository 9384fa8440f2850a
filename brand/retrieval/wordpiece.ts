import * as z from 'zod';
import { jsonOrNothing } from '../profile/strict-json.ts';

/** A vocabulary, and how texts are cut into it. */
export interface WordPiece {
  /** Ids of a text's tokens, those of unknown words included. */
  encode(text: string): readonly number[];
  /** By id. */
  readonly words: readonly string[];
  /** Ids that stand for no word: padding and unknown. */
  readonly nothing: ReadonlySet<number | undefined>;
}

/** The first line of the file: tokenizer.json of uncased BERT, without its words. */
const Uncased = z.object({
  normalizer: z.object({ type: z.literal('BertNormalizer'), lowercase: z.literal(true) }),
  model: z.object({
    type: z.literal('WordPiece'),
    unk_token: z.string(),
    continuing_subword_prefix: z.string(),
    max_input_chars_per_word: z.number(),
  }),
});

/**
 * Reads tokenizer.txt: a line of JSON, then the words, one a line by id. @huggingface/tokenizers needs three times as long to open
 * the same vocabulary (docs/decisions/0007-wordpiece-is-ours.md).
 * @throws Error where it is something else
 */
export function readWordPiece(bytes: Buffer): WordPiece {
  const end = Math.max(bytes.indexOf('\n'), 0);
  const file = Uncased.safeParse(jsonOrNothing(bytes.toString('utf8', 0, end)));
  if (!file.success) throw new Error('no list of words: its first line is no tokenizer of uncased BERT');
  const { model } = file.data;
  const words = bytes.toString('utf8', end + 1).split('\n');
  const ids = new Map<string, number>();
  for (const [id, word] of words.entries()) ids.set(word, id);
  ids.delete(''); // the place of a word that no text holds
  return {
    words,
    nothing: new Set([ids.get(model.unk_token), ids.get('[PAD]')]),
    encode: createWordPiece(ids, model),
  };
}

type Cutting = z.infer<typeof Uncased>['model'];

/** What BERT's cleaning drops (uncased BERT, https://github.com/google-research/bert/blob/master/tokenization.py). */
const DROPPED = /[\u{FFFD}\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const IDEOGRAPH = /[\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}]/gu;
const WORD = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

/**
 * Reads texts as uncased BERT does: cleaned, lower case, accents stripped, cut into words and marks, every word cut into the
 * longest pieces of the vocabulary from the left. test/retrieval/wordpiece.test.ts compares it with the general package.
 */
function createWordPiece(
  pieces: ReadonlyMap<string, number>,
  { unk_token, continuing_subword_prefix: prefix, max_input_chars_per_word: longestWord }: Cutting,
): WordPiece['encode'] {
  const unknown = pieces.get(unk_token);
  const ofNoPieces = unknown === undefined ? [] : [unknown];
  const known = new Map<string, readonly number[]>();
  const idsOf = (word: string) => {
    const kept = known.get(word);
    if (kept) return kept;
    const isTooLong = word.length > longestWord && [...word].length > longestWord; // counted in code points
    const ids = (isTooLong ? undefined : cut(word)) ?? ofNoPieces;
    if (known.size === WORDS_KEPT) known.clear();
    known.set(word, ids);
    return ids;
  };
  const longestPiece = [...pieces.keys()].reduce((longest, piece) => Math.max(longest, piece.length), 0);
  /** Ids of the longest pieces from the left; undefined where some part is no piece. */
  const cut = (word: string): number[] | undefined => {
    const found: number[] = [];
    for (let start = 0; start < word.length; ) {
      const lead = start === 0 ? '' : prefix;
      let end = Math.min(word.length, start + longestPiece);
      while (end > start && !pieces.has(lead + word.slice(start, end))) end -= 1;
      const id = pieces.get(lead + word.slice(start, end));
      if (id === undefined || end === start) return undefined;
      found.push(id);
      start = end;
    }
    return found;
  };
  return text => (normalise(text).match(WORD) ?? []).flatMap(idsOf);
}

/** Most words of most questions are the same few thousand. */
const WORDS_KEPT = 4000;

/** Letters and marks of western languages: nothing to drop, nothing to set apart. */
const PLAIN = /^[ -~\u{A1}-\u{AC}\u{AE}-\u{17F}]*$/u;

function normalise(text: string): string {
  return clean(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
}

function clean(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[\t\n\r]/g, ' ')
    .replace(DROPPED, '')
    .replace(IDEOGRAPH, ' $& ');
}
