import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openTransformer } from '../../brand/retrieval/transformer.js';
import { readConfig } from '../../server/config/config.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { temporaryFolder } from '../support/folder.ts';

/** A stand-in for @huggingface/transformers, which is not installed here: it records what it is asked. */
function fakePackage() {
  const calls: unknown[] = [];
  const env: Record<string, unknown> = {};
  const extract = Object.assign(
    async (texts: readonly string[]) => {
      calls.push(texts);
      return { data: Float32Array.of(3, 4) };
    },
    { tokenizer: (texts: unknown) => texts },
  );
  const pipeline = async (...args: unknown[]) => {
    calls.push(args);
    return extract;
  };
  return { calls, env, load: async () => ({ env, LogLevel: { NONE: 0 }, pipeline }) };
}

/** A directory with these precisions of a model. */
function modelFolder(...files: string[]): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'onnx'));
  for (const file of files) writeFileSync(join(folder, 'onnx', file), 'model');
  return folder;
}

const source = (model: string) => ({ model, cacheDirectory: temporaryFolder() });

describe('EMBEDDING_MODEL', () => {
  it('opens the smallest precision of a directory, and reads texts to length 1', async () => {
    const { calls, env, load } = fakePackage();
    const folder = modelFolder('model.onnx', 'model_quantized.onnx');
    const { files, read } = await openTransformer(source(folder), load);
    assert.deepEqual(calls, [['feature-extraction', folder, { dtype: 'q8' }]]);
    assert.deepEqual(files, [join(folder, 'onnx', 'model_quantized.onnx')]);
    assert.deepEqual(await read('precio'), Float32Array.of(0.6, 0.8));
    assert.deepEqual(calls.slice(1), [['precio']]);
    assert.deepEqual([env.allowRemoteModels, env.logLevel], [false, 0]);
  });

  it('fetches a model of the hub that is not here yet, at its revision', async () => {
    const { calls, env, load } = fakePackage();
    await openTransformer(source('org/name@v2'), load);
    assert.deepEqual(calls, [['feature-extraction', 'org/name', { dtype: 'q8' }]]);
    assert.equal(env.remotePathTemplate, '{model}/resolve/v2/');
  });

  it('says what to install, or that there is no such model, in one line', async () => {
    const model = modelFolder('model.onnx');
    const loaded = loadBrand(readConfig({ EMBEDDING_MODEL: model, DATA_DIR: temporaryFolder() }), () => {});
    await assert.rejects(
      loaded,
      /EMBEDDING_MODEL needs the package @huggingface\/transformers .*npm install/,
    );
    await assert.rejects(
      openTransformer(source('/nowhere/model'), fakePackage().load),
      /^Error: \/nowhere\/model: no such directory with onnx\/model\.onnx, and no model of the hub/,
    );
  });
});
