import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { quantise } from '../brand/retrieval/int8-rows.ts';
import { loadRetrievalModel } from '../brand/retrieval/model.ts';
import { BUNDLED_MODEL } from '../brand/retrieval/parameters.ts';
import { loadStaticEmbedder } from '../brand/retrieval/static-embedder.ts';
import { temporaryFolder } from './folder.ts';

const embedder = await loadStaticEmbedder(BUNDLED_MODEL);
const directory = () => temporaryFolder();

describe('what retrieval knows about a model', () => {
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
      await loadRetrievalModel(directory(), embedder),
      await loadRetrievalModel(BUNDLED_MODEL, embedder),
    ];
    assert.deepEqual(own.parameters, bundled.parameters);
    assert.deepEqual(own.background.values, bundled.background.values);
    assert.deepEqual([own.bank, own.calibrated], [undefined, false]);
  });

  it('is refused by file and reason where a file is at fault', async () => {
    const broken = directory();
    writeFileSync(join(broken, 'retrieval.json'), '{"weights":{"dense":2}}');
    await assert.rejects(loadRetrievalModel(broken, embedder), /retrieval\.json: .*weights\.dense/);
    const foreign = directory();
    writeFileSync(join(foreign, 'bank.safetensors'), readFileSync(join(BUNDLED_MODEL, 'background.safetensors')));
    await assert.rejects(
      loadRetrievalModel(foreign, embedder),
      /bank\.safetensors: .*no tensor "claims" of int8 \[rows, dims\]/,
    );
  });
});
