import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { BUNDLED_MODEL } from '../brand/retrieval/parameters.ts';
import { loadStaticEmbedder, type StaticEmbedder } from '../brand/retrieval/static-embedder.ts';
import { temporaryFolder } from './folder.ts';

const bundled = await loadStaticEmbedder(BUNDLED_MODEL);

describe('the bundled model', async () => {
  const reference: { texts: { text: string; tokens: number[]; vector: number[] }[] } = JSON.parse(
    await readFile(join(BUNDLED_MODEL, 'reference.json'), 'utf8'),
  );
  for (const { text, tokens, vector } of reference.texts) {
    test(`tokens and vector of ${JSON.stringify(text)} are those of the reference implementation`, async () => {
      assert.deepEqual(bundled.tokens.tokenize(text), tokens);
      assertClose(await vectorOf(bundled, text), vector, 1e-3);
    });
  }

  test('has 256 dimensions and 49,131 tokens', () => {
    assert.equal(bundled.dims, 256);
    assert.equal(bundled.tokens.rows.count, 49_131);
  });

  for (const [name, text] of Object.entries({
    'an empty text': '',
    'a text of blanks': ' \n\t ',
    'null bytes': '\0\0',
    'a lone high surrogate': '\ud83d',
    'a lone low surrogate': '\ude00 \udc00',
    emoji: '😀👨‍👩‍👧',
    Japanese: '日本語のテキスト',
    'a combining mark alone': '\u0301',
    'a word of 10,000 characters': 'x'.repeat(10_000),
  })) {
    test(`${name} knows no token and gives the zero vector`, async () => {
      assert.deepEqual(bundled.tokens.tokenize(text), []);
      assertClose(await vectorOf(bundled, text), new Array(256).fill(0), 0);
    });
  }

  test('names of special tokens are read as the words they are', () => {
    const [pad, unknown] = [0, 1];
    const tokens = bundled.tokens.tokenize('[CLS] [PAD] [UNK] [SEP] [MASK]');
    assert.ok(tokens.length > 0);
    assert.ok(!tokens.includes(pad) && !tokens.includes(unknown));
  });

  test('a broken character leaves the words around it alone', () => {
    assert.deepEqual(bundled.tokens.tokenize('precio \ud83d\0 margen'), bundled.tokens.tokenize('precio margen'));
  });

  test('a text counts its first 512 tokens', () => {
    assert.equal(bundled.tokens.tokenize('precio '.repeat(600)).length, 512);
  });

  test('every vector of a known text has length 1', async () => {
    for (const vector of await bundled.embed(['precio', 'how fast do you reply?', 'margen '.repeat(900)])) {
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    }
  });
});

describe('a directory that cannot be used is refused by file and reason:', () => {
  for (const [what, file, spoil, message] of [
    ['a table file that is missing', 'model.safetensors', undefined, /model\.safetensors: cannot be read: ENOENT/],
    ['a list of words that is missing', 'tokenizer.txt', undefined, /tokenizer\.txt: cannot be read: ENOENT/],
    ['an empty table file', 'model.safetensors', () => '', /model\.safetensors: bad header: shorter/],
    ['a table cut off', 'model.safetensors', (whole: Buffer) => whole.subarray(0, -1), /lies outside the file/],
    ['a list of words that is none', 'tokenizer.txt', () => '{', /tokenizer\.txt: no list of words/],
    ['a word too many', 'tokenizer.txt', (whole: Buffer) => `${whole}otra\n`, /tokenizer\.txt: does not fit .* rows/],
  ] as const) {
    test(what, async () => {
      const directory = temporaryFolder();
      for (const name of ['model.safetensors', 'tokenizer.txt']) {
        const whole = await readFile(join(BUNDLED_MODEL, name));
        if (name !== file) await writeFile(join(directory, name), whole);
        else if (spoil) await writeFile(join(directory, name), spoil(whole));
      }
      await assert.rejects(loadStaticEmbedder(directory), { name: 'Error', message });
    });
  }
});

async function vectorOf(embedder: StaticEmbedder, text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text]);
  assert.ok(vector);
  return vector;
}

function assertClose(actual: ArrayLike<number>, expected: readonly number[], tolerance: number): void {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, index) => {
    assert.ok(Math.abs(actual[index]! - value) <= tolerance, `[${index}] is ${actual[index]}, expected ${value}`);
  });
}
