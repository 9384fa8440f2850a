import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Embedder } from '../brand/retrieval/embedder.ts';
import { type EmbeddingSettings, loadEmbedder } from '../brand/retrieval/load-embedder.ts';
import { createRetrieval } from '../brand/retrieval/retrieval.ts';
import { BUNDLED_MODEL, loadRetrievalModel } from '../brand/retrieval/retrieval-model.ts';
import { loadStaticEmbedder } from '../brand/retrieval/static-embedder.ts';
import { loadTransformer } from '../brand/retrieval/transformer.ts';
import type { Transformers } from '../brand/retrieval/transformers-package.ts';
import { dot, norm } from '../brand/retrieval/vector.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { serving, startHub } from './hub-double.ts';
import { writeOnnxModel } from './onnx-model.ts';
import { startServerProcess } from './server-process.ts';
import { bodyOf, exampleBrand } from './support.ts';

const PACKAGE: string = '@huggingface/transformers';
const skip =
  (await import(PACKAGE).then(
    () => false,
    () => true,
  )) &&
  `${PACKAGE} is not installed; npm run check:transformer installs it in a folder of its own and runs these tests`;

const model = writeOnnxModel(temporaryFolder());

/** Of a model that is used as it is. */
const settingsOf = (settings: Partial<EmbeddingSettings>): EmbeddingSettings => ({
  model,
  download: false,
  cacheDirectory: temporaryFolder(),
  dtype: undefined,
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
  const failing = (code: string, message: string) => () => Promise.reject(Object.assign(new Error(message), { code }));

  it('is refused with the command that installs it and both guards against a failing install', async () => {
    const missing = failing('ERR_MODULE_NOT_FOUND', `Cannot find package '${PACKAGE}' imported from x`);
    await assert.rejects(load({}, { load: missing }), ({ message }: Error) => {
      assert.match(
        message,
        /ONNXRUNTIME_NODE_INSTALL=skip npm install --save-prod @huggingface\/transformers@\^4\.3\.1/,
      );
      assert.match(message, /"allowScripts": \{ "onnxruntime-node": false \}/);
      return true;
    });
  });

  it('is refused with the reason where the package is there and broken', async () => {
    const broken = failing('ERR_DLOPEN_FAILED', 'libonnxruntime.so.1: cannot open shared object file');
    await assert.rejects(load({}, { load: broken }), /cannot be loaded: libonnxruntime/);
  });

  it('is refused before that where a file is missing', async () => {
    await assert.rejects(load({ model: temporaryFolder() }), /holds no config\.json/);
    await assert.rejects(load({ dtype: 'fp16' }), /holds no onnx\/model_fp16\.onnx$/);
    const incomplete = writeOnnxModel(temporaryFolder());
    rmSync(`${incomplete}/onnx/model_quantized.onnx`);
    await assert.rejects(load({ model: incomplete }), /holds no onnx\/model_quantized\.onnx, onnx\/model\.onnx/);
  });

  it('is not asked for at the hub either, and not at all without EMBEDDING_DOWNLOAD', async t => {
    const { hub, asked } = await startHub(t, serving(model));
    const missing = failing('ERR_MODULE_NOT_FOUND', `Cannot find package '${PACKAGE}' imported from x`);
    const wanted = { model: 'org/name' };
    await assert.rejects(load({ ...wanted, download: true }, { hub, load: missing }), /npm install/);
    await assert.rejects(load(wanted, { hub }), /as a model of http:.* it is fetched with EMBEDDING_DOWNLOAD=1/);
    assert.deepEqual(asked, []);
  });
});

/** In the place of the package: a network of two dimensions whose mean of a text is its length and `second`. */
const double =
  (second: (text: string) => number): (() => Promise<Transformers>) =>
  async () => ({
    env: { allowRemoteModels: true, logLevel: 0, fetch },
    LogLevel: { NONE: 50 },
    ModelRegistry: { get_file_metadata: async () => ({ exists: true }) },
    pipeline: async () => {
      const means = async (texts: readonly string[]) => ({
        data: Float32Array.from(texts.flatMap(text => [text.length, second(text)])),
      });
      return Object.assign(means, { tokenizer: () => {} });
    },
  });

describe('a network that fails', () => {
  it('is refused at start where it answers with what are no numbers', async () => {
    await assert.rejects(load({}, { load: double(() => Number.NaN) }), /does not answer with numbers/);
  });

  it('gives zeros for a text that it makes no numbers of', async () => {
    const { embed } = await load({}, { load: double(text => (text === 'odd' ? Infinity : 0)) });
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
    const retrieval = await createRetrieval({ ...model, texts: [{ head: 'claim', text: 'claim' }] });
    await retrieval.search('precio', 1);
    await retrieval.search('¿?', 1);
    assert.deepEqual(asked, [
      ['claim', undefined],
      ['precio', 'query'],
    ]);
  });
});

describe('a transformer model', { skip }, () => {
  const texts = ['¿Cuánto cuesta un proyecto?', 'We cut cloud costs for banks', 'auditoría', 'precio '.repeat(600)];

  it('gives the unit vectors that its network and mean pooling define', async () => {
    const [transformer, oracle] = [await load(), await loadStaticEmbedder(BUNDLED_MODEL)];
    const [seen, expected] = [await transformer.embed(texts), await oracle.embed(texts)];
    assert.equal(transformer.dims, oracle.dims);
    seen.forEach((vector, index) => {
      assert.equal(norm(vector).toFixed(5), '1.00000');
      assert.equal(dot(vector, expected[index]!).toFixed(4), '1.0000', texts[index]?.slice(0, 30));
    });
  });

  it('gives a text the same vector alone and among others', async () => {
    const { embed } = await load();
    const many = Array.from({ length: 40 }, (_, index) => texts[index % texts.length]!);
    const together = await embed(many);
    for (const index of [0, 1, 17, 39]) {
      const [alone] = await embed([many[index]!]);
      assert.equal(dot(alone!, together[index]!).toFixed(4), '1.0000');
    }
  });

  it('is given no more than 512 tokens of a text', async () => {
    const { embed } = await load();
    const [short, long] = await embed(['precio '.repeat(512), `${'precio '.repeat(512)}${'nube '.repeat(1000)}`]);
    assert.equal(dot(short!, long!).toFixed(3), '1.000');
  });

  it('is never looked for in the network', async () => {
    await load();
    const { env } = await import(PACKAGE);
    assert.equal(env.allowRemoteModels, false);
  });

  it('gives zeros, and never NaN, for a text without words', async () => {
    const { embed, dims } = await load({ queryPrefix: 'query:' });
    for (const role of ['query', 'text'] as const) {
      const vectors = await embed(['', ' \n\t', 'precio', '\u0000\u0001'], role);
      assert.deepEqual(vectors.map(norm).map(Math.round), role === 'text' ? [0, 0, 1, 0] : [0, 0, 1, 1]);
      assert.deepEqual(new Set(vectors.map(vector => vector.length)), new Set([dims]));
    }
    assert.deepEqual(await embed([]), []);
  });

  it('puts its prefixes before questions and texts', async () => {
    const plain = await load();
    const prefixed = await load({ queryPrefix: 'pregunta:', textPrefix: 'pasaje:' });
    assert.deepEqual(await prefixed.embed(['precio'], 'query'), await plain.embed(['pregunta: precio']));
    assert.deepEqual(await prefixed.embed(['precio']), await plain.embed(['pasaje: precio']));
  });

  it('is refused at start where its file is unfinished', async () => {
    const unfinished = writeOnnxModel(temporaryFolder());
    truncateSync(`${unfinished}/onnx/model_quantized.onnx`, 5000);
    await assert.rejects(load({ model: unfinished }), /unfinished or damaged must be fetched again/);
  });

  it('says nothing of a text that it fails on', async t => {
    const { embed } = await load({ model: writeOnnxModel(temporaryFolder(), 100) });
    const printed = (['error', 'warn', 'log'] as const).map(name => t.mock.method(console, name, () => {}));
    await assert.rejects(embed(['confidencial']), { message: 'the embedding model failed on a text' });
    assert.deepEqual(
      printed.map(({ mock }) => mock.callCount()),
      [0, 0, 0],
    );
  });
});

describe('a model of the hub', { skip, timeout: 60_000 }, () => {
  let models = 0;

  /** A hub, and what fetches from it a model of a name of its own: the package remembers what it once looked up. */
  async function start(t: TestContext, answer: RequestListener) {
    const { hub, asked } = await startHub(t, answer);
    const cacheDirectory = temporaryFolder();
    const notes: string[] = [];
    models += 1;
    const name = `org/name-${models}`;
    const fetchModel = (settings: Partial<EmbeddingSettings> = {}, outside: { hub?: string; stallMs?: number } = {}) =>
      loadTransformer(settingsOf({ model: name, cacheDirectory, download: true, ...settings }), {
        ...{ hub, ...outside },
        note: note => notes.push(note),
      });
    return { fetchModel, asked, notes, cacheDirectory, hub, name };
  }

  /** The files of the model, each under another name where `named` says so. */
  function copyOf(named: Readonly<Record<string, string>> = {}): string {
    const directory = writeOnnxModel(temporaryFolder());
    for (const [from, to] of Object.entries(named)) renameSync(join(directory, from), join(directory, to));
    return directory;
  }

  it('gives the vectors of the same directory, is downloaded once and used without a request from then on', async t => {
    const { fetchModel, asked, notes, cacheDirectory, hub, name } = await start(t, serving(model));
    const fetched = await fetchModel();
    assert.equal(fetched.directory, join(cacheDirectory, 'main', name));
    assert.deepEqual(await fetched.embedder.embed(['precio']), await (await load()).embed(['precio']));
    assert.equal(notes[0], `downloading the model ${name} from ${hub}`);
    assert.match(notes.at(-1) ?? '', /^org\/name-\d+: \d+\.\d of \d+\.\d MB$/);
    assert.ok(notes.length <= 12, notes.join('\n'));
    const before = asked.length;
    await fetchModel({ download: false });
    assert.equal(asked.length, before);
    const { env } = await import(PACKAGE);
    assert.equal(env.allowRemoteModels, false);
  });

  it('is taken in the precision and at the revision asked for, with the weights beside a large model', async t => {
    const files = copyOf({ 'onnx/model_quantized.onnx': 'onnx/model_fp16.onnx' });
    writeFileSync(join(files, 'onnx/model_fp16.onnx_data'), 'weights');
    const { fetchModel, asked, name } = await start(t, serving(files));
    const { directory } = await fetchModel({ model: `${name}@v1.0`, dtype: 'fp16' });
    assert.deepEqual(readdirSync(join(directory, 'onnx')), ['model_fp16.onnx', 'model_fp16.onnx_data']);
    assert.ok(asked.length > 0 && asked.every(path => path.startsWith(`/${name}/resolve/v1.0/`)), asked.join('\n'));
  });

  it('is refused by the name of what is not there', async t => {
    const nothing = await start(t, (_, response) => response.writeHead(404).end());
    await assert.rejects(nothing.fetchModel(), /cannot be downloaded: the hub has none of onnx\/model_quantized\.onnx/);
    const config = copyOf();
    rmSync(join(config, 'config.json'));
    const noConfig = await start(t, serving(config));
    await assert.rejects(noConfig.fetchModel(), /config\.json: it does not exist, or it is not public/);
    const tokenizer = copyOf();
    rmSync(join(tokenizer, 'tokenizer_config.json'));
    const noTokenizer = await start(t, serving(tokenizer));
    await assert.rejects(noTokenizer.fetchModel(), /the hub has no tokenizer.* of it/);
    const unknown = await start(t, (_, response) => response.writeHead(401).end());
    await assert.rejects(unknown.fetchModel(), /model_quantized\.onnx: it does not exist, or it is not public/);
    const broken = await start(t, (_, response) => response.writeHead(503).end());
    await assert.rejects(broken.fetchModel(), /Service unavailable.*model_quantized\.onnx/);
  });

  it('is given up at once where nobody listens', async t => {
    const { fetchModel } = await start(t, serving(model));
    await assert.rejects(fetchModel({}, { hub: `http://127.0.0.1:${await freePort()}` }), /ECONNREFUSED/);
  });

  const endings: readonly [what: string, send: RequestListener, expected: RegExp][] = [
    ['never answers', () => {}, /nothing came for 0\.3 s/],
    [
      'stops in the middle',
      (_, response) => response.writeHead(200, { 'content-length': 9 }).write('half'),
      /nothing came for 0\.3 s/,
    ],
    [
      'hangs up in the middle',
      (_, response) => response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy()),
      /terminated|closed/,
    ],
  ];
  for (const [what, send, expected] of endings) {
    it(`is given up soon when the hub ${what}, and nothing unfinished is taken for it later`, async t => {
      let isWell = false;
      const whole = serving(model);
      const { fetchModel, cacheDirectory, name } = await start(t, (request, response) =>
        isWell || request.headers.range || !request.url?.endsWith('.onnx')
          ? whole(request, response)
          : send(request, response),
      );
      await assert.rejects(fetchModel({}, { stallMs: 300 }), expected);
      assert.ok(!existsSync(join(cacheDirectory, 'main', name, 'onnx/model_quantized.onnx')));
      isWell = true;
      await fetchModel();
    });
  }
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

  it('is static where the directory has model.safetensors', async () => {
    const { embedder, directory } = await kindOf(BUNDLED_MODEL);
    assert.ok(embedder.tokens);
    assert.equal(directory, BUNDLED_MODEL);
    await assert.rejects(kindOf(directoryOf('config.json', 'tokenizer.json')), /holds no tokenizer_config\.json/);
  });

  it('is what config.json says where the directory has the files of both', async () => {
    const both = directoryOf('model.safetensors', 'tokenizer.json');
    writeFileSync(join(both, 'config.json'), '{"model_type":"bert"}');
    await assert.rejects(kindOf(both), /holds no tokenizer_config\.json/);
    writeFileSync(join(both, 'config.json'), '{"model_type":"model2vec"}');
    await assert.rejects(kindOf(both), /model\.safetensors: bad header/);
  });

  it('is refused where it is neither', async () => {
    await assert.rejects(kindOf(temporaryFolder()), /holds neither model\.safetensors .* nor onnx\//);
    for (const model of ['/no/such/directory', '../org/name', 'name', 'org/../name']) {
      await assert.rejects(kindOf(model), /no such directory, and no model of the hub/);
    }
    await assert.rejects(kindOf('org/name'), /no such directory; as a model of https:\/\/huggingface\.co/);
  });
});

describe('a server with a transformer model', { skip, timeout: 60_000 }, () => {
  const env = { EMBEDDING_MODEL: model, DATA_DIR: temporaryFolder(), NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' };

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
