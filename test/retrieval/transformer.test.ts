import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Embedder } from '../../brand/retrieval/embedder.ts';
import { type EmbeddingSettings, loadEmbedder } from '../../brand/retrieval/model.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { loadStaticEmbedder } from '../../brand/retrieval/static-embedder.ts';
import { loadTransformer, type Transformers } from '../../brand/retrieval/transformer.ts';
import { dot, norm } from '../../brand/retrieval/vector.ts';
import { readConfig } from '../../server/config/config.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServerProcess } from '../support/server-process.ts';
import { assertBestFirst, bodyOf, TABLE_ALONE } from '../support/support.ts';
import { writeOnnxModel } from './onnx-model.ts';

const PACKAGE: string = '@huggingface/transformers';
const skip =
  (await import(PACKAGE).then(
    () => false,
    () => true,
  )) &&
  `${PACKAGE} is not installed; npm run check:package installs it in a folder of its own and runs these tests`;

const model = writeOnnxModel(temporaryFolder());

/** Of a model that is used as it is. */
const settingsOf = (settings: Partial<EmbeddingSettings>): EmbeddingSettings => ({
  model,
  download: false,
  cacheDirectory: temporaryFolder(),
  queryPrefix: '',
  textPrefix: '',
  encoder: { use: 'off' },
  ...settings,
});

/** The embedder of a model directory. */
const load = async (
  settings: Partial<EmbeddingSettings> = {},
  outside?: Parameters<typeof loadTransformer>[1],
): Promise<Embedder> => (await loadTransformer(settingsOf(settings), outside)).embedder;

describe('a transformer model without its package', () => {
  const failing = (code: string, message: string) => () =>
    Promise.reject(Object.assign(new Error(message), { code }));
  const missing = failing('ERR_MODULE_NOT_FOUND', `Cannot find package '${PACKAGE}' imported from x`);

  it('is refused with the command that installs it, for a directory and for a name on the hub', async () => {
    for (const settings of [{}, { model: 'org/name', download: true }]) {
      await assert.rejects(
        load(settings, { load: missing }),
        /ONNXRUNTIME_NODE_INSTALL=skip npm install --save-prod @huggingface\/transformers@\^4\.3\.1/,
      );
    }
  });

  it('is refused with the reason where the package is there and broken', async () => {
    const broken = failing('ERR_DLOPEN_FAILED', 'libonnxruntime.so.1: cannot open shared object file');
    await assert.rejects(load({}, { load: broken }), /cannot be loaded: libonnxruntime/);
  });

  it('is refused before that where its file is missing, or where nobody allowed the download', async () => {
    await assert.rejects(
      load({ model: temporaryFolder() }),
      /onnx\/model_quantized\.onnx: there is no such file$/,
    );
    await assert.rejects(load({ model: 'org/name' }), /it is fetched with EMBEDDING_DOWNLOAD=1/);
  });

  it('is fetched from the hub at the revision asked for, and not again without a file', async () => {
    const asked: unknown[] = [];
    const { env, ...others } = await double(() => 0)();
    const pipeline = async (_: string, name: string, options: object) => {
      asked.push(name, options, env.allowRemoteModels, env.remotePathTemplate);
      return others.pipeline('feature-extraction', name, options);
    };
    const load = async () => ({ env, ...others, pipeline });
    const settings = settingsOf({ model: 'org/name@v1', download: true });
    const { directory } = await loadTransformer(settings, { load });
    assert.deepEqual(asked, ['org/name', { dtype: 'q8' }, true, '{model}/resolve/v1/']);
    assert.equal(env.allowRemoteModels, false);
    assert.equal(directory, join(settings.cacheDirectory, 'v1', 'org/name'));
  });
});

/** In the place of the package: a network of two dimensions whose mean of a text is its length and `second`. */
const double =
  (second: (text: string) => number): (() => Promise<Transformers>) =>
  async () => ({
    env: { allowRemoteModels: true, logLevel: 0, fetch },
    LogLevel: { NONE: 50 },
    pipeline: async () => {
      const means = async (texts: readonly string[]) => ({
        data: Float32Array.from(texts.flatMap(text => [text.length, second(text)])),
      });
      return Object.assign(means, { tokenizer: () => {} });
    },
  });

describe('a transformer model', { skip }, () => {
  const texts = [
    '¿Cuánto cuesta un proyecto?',
    'We cut cloud costs for banks',
    'auditoría',
    'precio '.repeat(600),
  ];

  it('gives the unit vectors that its network and mean pooling define', async () => {
    const [transformer, oracle] = [await load(), await loadStaticEmbedder(BUNDLED_MODEL)];
    const [seen, expected] = [await transformer.embed(texts), await oracle.embed(texts)];
    assert.equal(transformer.dims, oracle.dims);
    seen.forEach((vector, index) => {
      assert.equal(norm(vector).toFixed(5), '1.00000');
      assert.equal(dot(vector, expected[index]!).toFixed(4), '1.0000', texts[index]?.slice(0, 30));
    });
  });
});

describe('the kind of a model', () => {
  const kindOf = (model: string) => loadEmbedder(settingsOf({ model }));

  /** A directory of these files, each with its own name as its text, and an empty onnx/. */
  function directoryOf(...files: string[]): string {
    const directory = temporaryFolder();
    mkdirSync(join(directory, 'onnx'));
    for (const file of files) writeFileSync(join(directory, file), file);
    return directory;
  }

  it('is a table of tokens where the directory has model.safetensors, a transformer where it has onnx/', async () => {
    const { embedder, directory } = await kindOf(BUNDLED_MODEL);
    assert.ok(embedder.tokens);
    assert.equal(directory, BUNDLED_MODEL);
    await assert.rejects(
      kindOf(directoryOf('config.json')),
      /onnx\/model_quantized\.onnx: there is no such file/,
    );
  });

  it('is refused where it is neither', async () => {
    await assert.rejects(kindOf(temporaryFolder()), /holds neither model\.safetensors .* nor onnx\//);
    for (const model of ['/no/such/directory', '../org/name', 'name', 'org/../name']) {
      await assert.rejects(kindOf(model), /no such directory, and no model of the hub/);
    }
  });
});

describe('a server with a transformer model', { skip, timeout: 60_000 }, () => {
  const env = {
    EMBEDDING_MODEL: model,
    DATA_DIR: temporaryFolder(),
    NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
  };

  it('answers with the claims that fit, best first', async t => {
    const { url, stderr } = await startServerProcess(t, env);
    // Without a floor: five claims for each question.
    const bundled = await loadBrand(readConfig({ ...TABLE_ALONE, ANSWER_FLOOR: '0' }), () => {});
    for (const question of ['¿Cuánto tarda un proyecto?', 'cloud cost reduction', 'migración de datos']) {
      const { matches } = await bodyOf(await fetch(`${url}/ask?q=${encodeURIComponent(question)}`));
      assertBestFirst(matches);
      assert.ok(matches[0].similarity <= 1 && matches.at(-1).similarity >= 0);
      const expected = (await bundled.ask(question)).matches.map(match => match.claim_id);
      assert.ok(expected.includes(matches[0].claim_id), question);
    }
    assert.match(stderr(), /the model has no retrieval\.json/);
    assert.ok(!existsSync(`${env.DATA_DIR}/models`));
  });
});
