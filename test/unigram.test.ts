import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { BUNDLED_MODEL } from '../brand/retrieval/parameters.ts';
import { openUnigram } from '../brand/retrieval/unigram.js';
import { anyText } from './any-text.ts';

const bytes = readFileSync(join(BUNDLED_MODEL, 'encoder', 'tokenizer.json'));
const read = openUnigram(bytes);
const packaged: { encode(text: string, options: object): { ids: number[] } } = new Tokenizer(
  JSON.parse(bytes.toString('utf8')),
  {},
);
const idsOf = (text: string) => packaged.encode(text, { add_special_tokens: false }).ids;

const lines = readFileSync('examples/questions.jsonl', 'utf8').trim().split('\n');
const QUESTIONS: string[] = lines.map(line => JSON.parse(line).query);
const ODD = [
  ...['日本語 x漢字y', 'naïve ÑANDÚ ﬁn', 'a\u0300b\u0301', '\t\v\f\u2028x', 'İstanbul ẞ', '𝒜𝓑 😀😀 👩‍🚀', '▁▁ a▁b'],
  ...['<unk> </s>', '\ufeffhola\u00ad', '50 %-€3.14', 'constructor __proto__', '½ ª º ①', '  dos   blancos  '],
];

describe('the reading of Unigram', () => {
  it('gives the ids that the general package gives', () => {
    for (const text of [...QUESTIONS, ...ODD, 'x'.repeat(200), '\ud83d\ude00'.repeat(60)]) {
      assert.deepEqual(read(`query: ${text}`), idsOf(`query: ${text}`), JSON.stringify(text));
    }
  });

  it('does so for any text', () => {
    const word = fc.constantFrom(...QUESTIONS.flatMap(question => question.split(' ')));
    const piece = fc.oneof(word, anyText({ maxLength: 12 }), fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
        const text = `passage: ${pieces.join(' ')}`;
        assert.deepEqual(read(text), idsOf(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses a tokenizer of another type', () => {
    assert.throws(() => openUnigram(readFileSync(join(BUNDLED_MODEL, 'tokenizer.json'))), /Unigram/);
  });
});
