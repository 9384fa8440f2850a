import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { quantise } from '../../brand/retrieval/int8-rows.ts';
import { loadRetrievalModel } from '../../brand/retrieval/model.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { loadStaticEmbedder } from '../../brand/retrieval/static-embedder.ts';
import { temporaryFolder } from '../support/folder.ts';

const embedder = await loadStaticEmbedder(BUNDLED_MODEL);

describe('what retrieval knows about a model', () => {
  it('gives texts the tokens and vectors of the reference implementation', async () => {
    const { texts }: { texts: { text: string; tokens: number[]; vector: number[] }[] } = JSON.parse(
      readFileSync(join(BUNDLED_MODEL, 'reference.json'), 'utf8'),
    );
    const [, ...words] = readFileSync(join(BUNDLED_MODEL, 'tokenizer.txt'), 'utf8').split('\n');
    for (const { text, tokens, vector } of texts) {
      const read = embedder.tokens.tokenize(text).map(token => embedder.tokens.word(token));
      assert.deepEqual(
        read,
        tokens.map(id => words[id]),
      );
      const [seen = []] = await embedder.embed([text]);
      assert.equal(seen.length, vector.length);
      assert.ok(
        vector.every((value, at) => Math.abs(seen[at]! - value) <= 1e-3),
        text,
      );
    }
  });

  it('holds the vectors of the background texts, as npm run bench -- model writes them', async () => {
    const texts: string[] = JSON.parse(readFileSync(join(BUNDLED_MODEL, 'background.json'), 'utf8'));
    const { background } = await loadRetrievalModel(BUNDLED_MODEL, embedder);
    assert.equal(texts.length, 392);
    assert.deepEqual(background.values, quantise(await embedder.embed(texts), 256).values);
  });

  it('holds a bank of 4,004 claims and the mean of the questions that each is asked', async () => {
    const { bank, calibrated } = await loadRetrievalModel(BUNDLED_MODEL, embedder);
    assert.deepEqual([bank?.claims.count, bank?.questions.count, calibrated], [4004, 4004, true]);
  });

  it('is that of the bundled model where the directory has none, without bank and not calibrated', async () => {
    const [own, bundled] = [
      await loadRetrievalModel(temporaryFolder(), embedder),
      await loadRetrievalModel(BUNDLED_MODEL, embedder),
    ];
    assert.deepEqual(own.parameters, bundled.parameters);
    assert.deepEqual(own.background.values, bundled.background.values);
    assert.deepEqual([own.bank, own.calibrated], [undefined, false]);
  });

  it('is refused by file and reason where a file is at fault', async () => {
    const broken = temporaryFolder();
    writeFileSync(join(broken, 'retrieval.json'), '{"weights":{"dense":2}}');
    await assert.rejects(loadRetrievalModel(broken, embedder), /retrieval\.json: .*weights\.dense/);
    const foreign = temporaryFolder();
    writeFileSync(
      join(foreign, 'bank.safetensors'),
      readFileSync(join(BUNDLED_MODEL, 'background.safetensors')),
    );
    await assert.rejects(
      loadRetrievalModel(foreign, embedder),
      /bank\.safetensors: .*no tensor "claims" of int8 \[rows, dims\]/,
    );
  });
});

describe('a directory that cannot be used is refused by file and reason:', () => {
  for (const [what, file, spoil, message] of [
    [
      'a table file that is missing',
      'model.safetensors',
      undefined,
      /model\.safetensors: cannot be read: ENOENT/,
    ],
    ['a list of words that is missing', 'tokenizer.txt', undefined, /tokenizer\.txt: cannot be read: ENOENT/],
    ['an empty table file', 'model.safetensors', () => '', /model\.safetensors: ./],
    [
      'a table cut off',
      'model.safetensors',
      (whole: Buffer) => whole.subarray(0, -1),
      /model\.safetensors: no tensor/,
    ],
    ['a list of words that is none', 'tokenizer.txt', () => '{', /tokenizer\.txt: no list of words/],
    [
      'a word too many',
      'tokenizer.txt',
      (whole: Buffer) => `${whole}otra\n`,
      /tokenizer\.txt: does not fit .* rows/,
    ],
  ] as const) {
    it(what, async () => {
      const directory = temporaryFolder();
      for (const name of ['model.safetensors', 'tokenizer.txt']) {
        if (name !== file) copyFileSync(join(BUNDLED_MODEL, name), join(directory, name));
        else if (spoil) writeFileSync(join(directory, name), spoil(readFileSync(join(BUNDLED_MODEL, name))));
      }
      await assert.rejects(loadStaticEmbedder(directory), { name: 'Error', message });
    });
  }
});
