import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Embedder } from '../brand/embedding/embedder.ts';
import { fetchHubModel } from '../brand/embedding/hub-model.ts';
import { BUNDLED_MODEL, loadRetrievalModel } from '../brand/embedding/retrieval-model.ts';
import { loadStaticEmbedder } from '../brand/embedding/static-embedder.ts';
import { loadTransformerEmbedder } from '../brand/embedding/transformer-embedder.ts';
import type { Transformers } from '../brand/embedding/transformer-encoder.ts';
import { dot, norm } from '../brand/embedding/vector.ts';
import { createVectorReader } from '../brand/scores/reading.ts';
import { serving, startHub } from './hub-double.ts';
import { writeOnnxModel } from './onnx-model.ts';
import { startServerProcess, temporaryDirectory } from './server-process.ts';
import { bodyOf, exampleBrand } from './support.ts';

const PACKAGE: string = '@huggingface/transformers';
const skip =
  (await import(PACKAGE).then(
    () => false,
    () => true,
  )) &&
  `${PACKAGE} is not installed; npm run check:transformer installs it in a folder of its own and runs these tests`;

const model = writeOnnxModel(temporaryDirectory());

describe('a transformer model without its package', () => {
  const load = (code: string, message: string) => () => Promise.reject(Object.assign(new Error(message), { code }));

  it('is refused with the command that installs it and both guards against a failing install', async () => {
    const missing = load('ERR_MODULE_NOT_FOUND', `Cannot find package '${PACKAGE}' imported from x`);
    await assert.rejects(loadTransformerEmbedder(model, { load: missing }), ({ message }: Error) => {
      assert.match(
        message,
        /ONNXRUNTIME_NODE_INSTALL=skip npm install --save-prod @huggingface\/transformers@\^4\.3\.1/,
      );
      assert.match(message, /"allowScripts": \{ "onnxruntime-node": false \}/);
      return true;
    });
  });

  it('is refused with the reason where the package is there and broken', async () => {
    const broken = load('ERR_DLOPEN_FAILED', 'libonnxruntime.so.1: cannot open shared object file');
    await assert.rejects(loadTransformerEmbedder(model, { load: broken }), /cannot be loaded: libonnxruntime/);
  });

  it('is refused before that where it has no ONNX file', async () => {
    await assert.rejects(
      loadTransformerEmbedder(temporaryDirectory()),
      /onnx: holds none of model_quantized\.onnx, model/,
    );
  });
});

/** In the place of the package: a network of two dimensions whose vector of a token is its length and `second`. */
const double =
  (second: (text: string) => number): (() => Promise<Transformers>) =>
  async () => ({
    env: { allowRemoteModels: true, useFSCache: true, logLevel: 0 },
    LogLevel: { NONE: 50 },
    AutoTokenizer: {
      from_pretrained: async () => texts => ({ attention_mask: { dims: [], data: texts.map(() => 1) }, texts }),
    },
    AutoModel: {
      from_pretrained: async () => async inputs => {
        const texts = 'texts' in inputs && Array.isArray(inputs.texts) ? inputs.texts : [];
        const data = texts.flatMap(text => [text.length, second(text)]);
        return { last_hidden_state: { dims: [texts.length, 1, 2], data } };
      },
    },
  });

describe('a network that fails', () => {
  it('is refused at start where it answers with what are no numbers', async () => {
    const load = double(() => Number.NaN);
    await assert.rejects(loadTransformerEmbedder(model, { load }), /does not answer with numbers/);
  });

  it('gives zeros for a text that it makes no numbers of', async () => {
    const { embed } = await loadTransformerEmbedder(model, { load: double(text => (text === 'odd' ? Infinity : 0)) });
    assert.deepEqual(
      (await embed(['even', 'odd'])).map(vector => [...vector]),
      [
        [1, 0],
        [0, 0],
      ],
    );
  });
});

describe('reading by vectors', () => {
  it('takes a question for a question and a claim for a text, and has nothing to ask about punctuation', async () => {
    const asked: unknown[] = [];
    const embedder: Embedder = {
      dims: 1,
      async embed(texts, role) {
        asked.push([...texts, role]);
        return texts.map(() => Float32Array.of(1));
      },
    };
    const model = await loadRetrievalModel('/nonexistent', embedder);
    asked.length = 0;
    const { read } = await createVectorReader(['claim'], embedder, model);
    assert.deepEqual([...(await read('precio')).vector], [1]);
    assert.deepEqual([...(await read('¿?')).vector], [0]);
    assert.deepEqual(asked, [
      ['claim', undefined],
      ['precio', 'query'],
    ]);
  });
});

describe('a transformer model', { skip }, () => {
  const texts = ['¿Cuánto cuesta un proyecto?', 'We cut cloud costs for banks', 'auditoría', 'precio '.repeat(600)];

  it('gives the unit vectors that its network and mean pooling define', async () => {
    const [transformer, oracle] = [await loadTransformerEmbedder(model), await loadStaticEmbedder(BUNDLED_MODEL)];
    const [seen, expected] = [await transformer.embed(texts), await oracle.embed(texts)];
    assert.equal(transformer.dims, oracle.dims);
    seen.forEach((vector, index) => {
      assert.equal(norm(vector).toFixed(5), '1.00000');
      assert.equal(dot(vector, expected[index]!).toFixed(4), '1.0000', texts[index]?.slice(0, 30));
    });
  });

  it('gives a text the same vector alone and among others', async () => {
    const { embed } = await loadTransformerEmbedder(model);
    const many = Array.from({ length: 40 }, (_, index) => texts[index % texts.length]!);
    const together = await embed(many);
    for (const index of [0, 1, 17, 39]) {
      const [alone] = await embed([many[index]!]);
      assert.equal(dot(alone!, together[index]!).toFixed(4), '1.0000');
    }
  });

  it('is given no more than 512 tokens of a text', async () => {
    const { embed } = await loadTransformerEmbedder(model);
    const [short, long] = await embed(['precio '.repeat(512), `${'precio '.repeat(512)}${'nube '.repeat(1000)}`]);
    assert.equal(dot(short!, long!).toFixed(3), '1.000');
  });

  it('is never looked for in the network', async () => {
    await loadTransformerEmbedder(model);
    const { env } = await import(PACKAGE);
    assert.equal(env.allowRemoteModels, false);
  });

  it('gives zeros, and never NaN, for a text without words', async () => {
    const { embed, dims } = await loadTransformerEmbedder(model, { queryPrefix: 'query:' });
    for (const role of ['query', 'text'] as const) {
      const vectors = await embed(['', ' \n\t', 'precio', '\u0000\u0001'], role);
      assert.deepEqual(vectors.map(norm).map(Math.round), role === 'text' ? [0, 0, 1, 0] : [0, 0, 1, 1]);
      assert.deepEqual(new Set(vectors.map(vector => vector.length)), new Set([dims]));
    }
    assert.deepEqual(await embed([]), []);
  });

  it('puts its prefixes before questions and texts', async () => {
    const plain = await loadTransformerEmbedder(model);
    const prefixed = await loadTransformerEmbedder(model, { queryPrefix: 'pregunta:', textPrefix: 'pasaje:' });
    assert.deepEqual(await prefixed.embed(['precio'], 'query'), await plain.embed(['pregunta: precio']));
    assert.deepEqual(await prefixed.embed(['precio']), await plain.embed(['pasaje: precio']));
  });

  it('is refused at start where a file is missing or the precision asked for is not there', async () => {
    await assert.rejects(loadTransformerEmbedder(model, { dtype: 'fp16' }), /model_fp16\.onnx/);
    const incomplete = writeOnnxModel(temporaryDirectory());
    rmSync(`${incomplete}/tokenizer.json`);
    await assert.rejects(loadTransformerEmbedder(incomplete), /tokenizer/);
  });

  it('of the hub gives the vectors of the same directory', async t => {
    const { hub } = await startHub(t, serving(model));
    const directory = await fetchHubModel('org/name', { cacheDirectory: temporaryDirectory(), download: true, hub });
    const [fetched, local] = [await loadTransformerEmbedder(directory), await loadTransformerEmbedder(model)];
    assert.deepEqual(await fetched.embed(texts), await local.embed(texts));
  });

  it('says nothing of a text that it fails on', async t => {
    const { embed } = await loadTransformerEmbedder(writeOnnxModel(temporaryDirectory(), 100));
    const printed = (['error', 'warn', 'log'] as const).map(name => t.mock.method(console, name, () => {}));
    await assert.rejects(embed(['confidencial']), { message: 'the embedding model failed on a text' });
    assert.deepEqual(
      printed.map(({ mock }) => mock.callCount()),
      [0, 0, 0],
    );
  });
});

describe('a server with a transformer model', { skip, timeout: 60_000 }, () => {
  const env = { EMBEDDING_MODEL: model, DATA_DIR: temporaryDirectory(), NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' };

  it('answers with the claims that fit, best first', async t => {
    const { url, stderr } = await startServerProcess(t, env);
    const bundled = await exampleBrand();
    for (const question of ['¿Cuánto tarda un proyecto?', 'cloud cost reduction', 'migración de datos']) {
      const { matches } = await bodyOf(await fetch(`${url}/ask?q=${encodeURIComponent(question)}`));
      const similarities = matches.map((match: { similarity: number }) => match.similarity);
      assert.deepEqual(
        similarities,
        similarities.toSorted((a: number, b: number) => b - a),
      );
      assert.ok(similarities.every((value: number) => value >= 0 && value <= 1));
      const expected = (await bundled.ask(question)).matches.map(match => match.claim_id);
      assert.ok(expected.includes(matches[0].claim_id), question);
    }
    assert.match(stderr(), /the model has no retrieval\.json/);
    assert.ok(!existsSync(`${env.DATA_DIR}/models`));
  });

  it('finds nothing in punctuation alone', async t => {
    const { url } = await startServerProcess(t, env);
    const { matches } = await bodyOf(await fetch(`${url}/ask?q=%3F%3F%3F`));
    assert.ok(matches.every((match: { similarity: number }) => match.similarity < 0.2));
  });
});
