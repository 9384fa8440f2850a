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
});

describe('a directory that cannot be used is refused by file and reason:', () => {
  for (const [what, file, spoil, message] of [
    ['a table file that is missing', 'model.safetensors', undefined, /model\.safetensors: cannot be read: ENOENT/],
    ['a list of words that is missing', 'tokenizer.txt', undefined, /tokenizer\.txt: cannot be read: ENOENT/],
    ['an empty table file', 'model.safetensors', () => '', /model\.safetensors: ./],
    ['a table cut off', 'model.safetensors', (whole: Buffer) => whole.subarray(0, -1), /model\.safetensors: no tensor/],
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
