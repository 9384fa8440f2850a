import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { openUnigram } from '../../brand/retrieval/unigram.js';
import { readWordPiece } from '../../brand/retrieval/wordpiece.ts';
import { anyText } from '../profile/any-text.ts';

const bytesOf = (file: string) => readFileSync(join(BUNDLED_MODEL, file));
const [table, encoder] = [bytesOf('tokenizer.json'), bytesOf('encoder/tokenizer.json')];
const vocabulary = readWordPiece(bytesOf('tokenizer.txt'));

const lines = readFileSync('examples/questions.jsonl', 'utf8').trim().split('\n');
const QUESTIONS: string[] = lines.map(line => JSON.parse(line).query);
const ODD = [
  ...[
    '',
    ' ',
    '日本語 x漢字y',
    'naïve ÑANDÚ ﬁn',
    'a\u0300b\u0301',
    '\t\v\f\u2028x',
    'İstanbul ẞ',
    '𝒜𝓑 😀😀 👩‍🚀',
  ],
  ...[
    '[PAD] ##s',
    '▁▁ a▁b',
    '<unk> </s>',
    '\ufeffhola\u00ad',
    '50 %-€3.14',
    'constructor __proto__',
    '½ ª º ①',
  ],
  ...['  dos   blancos  ', '\ud83d\ude00'.repeat(60)],
];

const { vocab: scored } = JSON.parse(encoder.toString('utf8')).model;
const pieces: string[] = scored.map(([piece]: [string]) => piece);

/** Our reader, the file that the general package reads, what each id stands for, and how a text begins as it is read. */
const READERS = {
  WordPiece: {
    read: vocabulary.encode,
    file: table,
    words: vocabulary.words,
    begins: '',
    long: ['x'.repeat(60), 'x'.repeat(61)],
  },
  Unigram: {
    read: openUnigram(encoder),
    file: encoder,
    words: pieces,
    begins: 'query: ',
    long: ['x'.repeat(200)],
  },
} as const;

for (const [name, { read, file, words, begins, long }] of Object.entries(READERS)) {
  const packaged: { encode(text: string, options: object): { ids: number[] } } = new Tokenizer(
    JSON.parse(file.toString('utf8')),
    {},
  );
  const idsOf = (text: string) => packaged.encode(text, { add_special_tokens: false }).ids;

  describe(`the reading of ${name}`, () => {
    it('gives the ids that the general package gives', () => {
      for (const text of [...QUESTIONS, ...ODD, ...long].map(one => begins + one))
        assert.deepEqual(read(text), idsOf(text), JSON.stringify(text));
    });

    it('does so for any text', () => {
      const word = fc.constantFrom(...QUESTIONS.flatMap(question => question.split(' ')));
      const piece = fc.oneof(word, anyText({ maxLength: 12 }), fc.string({ maxLength: 12 }));
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
          const text = begins + pieces.join(' ');
          const [ours, theirs] = [read(text), idsOf(text)];
          if (isDeepStrictEqual(ours, theirs)) return;
          // "==" and "=" may stand either way round: the sum is the same, and rounding decides.
          assert.deepEqual(ours.toSorted(), theirs.toSorted());
          assert.equal(ours.map(id => words[id]).join(''), theirs.map(id => words[id]).join(''));
        }),
        { numRuns: 1000 },
      );
    });
  });
}

it('WordPiece has the words of tokenizer.json by id', () => {
  const { vocab } = JSON.parse(table.toString('utf8')).model;
  for (const [word, id] of Object.entries<number>(vocab)) assert.equal(vocabulary.words[id], word);
  assert.deepEqual([vocabulary.nothing, vocabulary.words.length], [new Set([1, 0]), 49_131]);
});

it('Unigram refuses a tokenizer of another type', () => {
  assert.throws(() => openUnigram(table), /Unigram/);
});
