import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fetchHubModel, type HubOptions } from '../brand/embedding/hub-model.ts';
import { type EmbeddingSettings, loadEmbedder } from '../brand/embedding/load-embedder.ts';
import { BUNDLED_MODEL } from '../brand/embedding/retrieval-model.ts';
import { freePort } from './free-port.ts';
import { serving, startHub } from './hub-double.ts';
import { temporaryDirectory } from './server-process.ts';

/** A directory of these files, each with its own name as its text. */
function directoryOf(...files: string[]): string {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'onnx'));
  for (const file of files) writeFileSync(join(directory, file), file);
  return directory;
}

const SMALL = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

async function start(t: TestContext, answer: RequestListener) {
  const { hub, asked } = await startHub(t, answer);
  const cacheDirectory = temporaryDirectory();
  const notes: string[] = [];
  const patience = { stallMs: 200, totalMs: 1000, noteMs: 10 };
  const fetchModel = (model: string, options: Partial<HubOptions> = {}) =>
    fetchHubModel(model, {
      cacheDirectory,
      download: true,
      hub,
      times: patience,
      note: note => notes.push(note),
      ...options,
    });
  return { fetchModel, asked, notes, cacheDirectory, hub };
}

/** Whatever became of a download, only whole models stand in the cache. */
const assertNothingLeft = (cacheDirectory: string) => assert.deepEqual(readdirSync(join(cacheDirectory, 'org')), []);

describe('a model of the hub', { timeout: 20_000 }, () => {
  it('is downloaded once, in its quantized form where there is one, and used without a request from then on', async t => {
    const files = [...SMALL, 'onnx/model_quantized.onnx', 'onnx/model.onnx'];
    const { fetchModel, asked, notes, hub } = await start(t, serving(directoryOf(...files)));
    const directory = await fetchModel('org/name');
    assert.equal(readFileSync(join(directory, 'onnx/model_quantized.onnx'), 'utf8'), 'onnx/model_quantized.onnx');
    assert.deepEqual(readdirSync(directory).sort(), ['config.json', 'onnx', ...SMALL.slice(1)]);
    assert.deepEqual(readdirSync(join(directory, 'onnx')), ['model_quantized.onnx']);
    assert.equal(notes[0], `downloading the model org/name from ${hub}`);
    const before = asked.length;
    assert.equal(await fetchModel('org/name', { download: false }), directory);
    assert.equal(asked.length, before);
  });

  it('is taken in the precision asked for, at the revision asked for, with the weights beside a large model', async t => {
    const files = [...SMALL, 'onnx/model_fp16.onnx', 'onnx/model_fp16.onnx_data', 'onnx/model_quantized.onnx'];
    const { fetchModel, asked } = await start(t, serving(directoryOf(...files)));
    const directory = await fetchModel('org/name@v1.0', { dtype: 'fp16' });
    assert.deepEqual(readdirSync(join(directory, 'onnx')), ['model_fp16.onnx', 'model_fp16.onnx_data']);
    assert.ok(asked.every(path => path.startsWith('/org/name/resolve/v1.0/')));
  });

  it('is not asked for at all without EMBEDDING_DOWNLOAD', async t => {
    const { fetchModel, asked, cacheDirectory } = await start(t, serving(directoryOf()));
    await assert.rejects(fetchModel('org/name', { download: false }), /EMBEDDING_DOWNLOAD=1/);
    assert.deepEqual([asked, readdirSync(cacheDirectory)], [[], []]);
  });

  it('is refused by the name of what is not there', async t => {
    const nothing = await start(t, serving(directoryOf()));
    await assert.rejects(nothing.fetchModel('org/name'), /org\/name cannot be downloaded: the hub has no config\.json/);
    const noOnnx = await start(t, serving(directoryOf(...SMALL)));
    await assert.rejects(noOnnx.fetchModel('org/name'), /has none of onnx\/model_quantized\.onnx, onnx\/model\.onnx/);
    const unknown = await start(t, (_, response) => response.writeHead(401).end());
    await assert.rejects(unknown.fetchModel('org/name'), /HTTP 401: it does not exist, or it is not public/);
    const broken = await start(t, (_, response) => response.writeHead(503).end());
    await assert.rejects(broken.fetchModel('org/name'), /config\.json: HTTP 503/);
    for (const { cacheDirectory } of [nothing, noOnnx, unknown, broken]) assertNothingLeft(cacheDirectory);
  });

  it('is given up at once where nobody listens', async t => {
    const { fetchModel, cacheDirectory } = await start(t, serving(directoryOf()));
    const hub = `http://127.0.0.1:${await freePort()}`;
    await assert.rejects(fetchModel('org/name', { hub }), /ECONNREFUSED/);
    assertNothingLeft(cacheDirectory);
  });

  const small: RequestListener = serving(directoryOf(...SMALL));
  const bodies: readonly [what: string, send: RequestListener, expected: RegExp][] = [
    ['never answers', () => {}, /nothing came for 0\.2 s/],
    ['stops in the middle', (_, response) => response.writeHead(200).write('half'), /nothing came for 0\.2 s/],
    ['drips', (_, response) => setInterval(() => response.write('a'), 50).unref(), /timeout/],
    [
      'hangs up in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy());
      },
      /terminated|closed/,
    ],
  ];
  for (const [what, send, expected] of bodies) {
    it(`is given up soon when the hub ${what}`, async t => {
      const { fetchModel, cacheDirectory } = await start(t, (request, response) =>
        request.url?.endsWith('.onnx') ? send(request, response) : small(request, response),
      );
      const started = performance.now();
      await assert.rejects(fetchModel('org/name'), expected);
      assert.ok(performance.now() - started < 3000);
      assertNothingLeft(cacheDirectory);
    });
  }

  it('tells how far a long download is', async t => {
    const { fetchModel, notes } = await start(t, (request, response) => {
      if (!request.url?.endsWith('quantized.onnx')) return small(request, response);
      response.writeHead(200, { 'content-length': 2_000_000 }).write(Buffer.alloc(1_000_000));
      setTimeout(() => response.end(Buffer.alloc(1_000_000)), 50);
    });
    await fetchModel('org/name');
    assert.match(notes.at(-1) ?? '', /model_quantized\.onnx: [12]\.\d of 2\.0 MB$/);
  });

  it('is whole for both of two processes that fetch it at one time', async t => {
    const { fetchModel, cacheDirectory } = await start(t, serving(directoryOf(...SMALL, 'onnx/model.onnx')));
    const [first, second] = await Promise.all([fetchModel('org/name'), fetchModel('org/name')]);
    assert.equal(first, second);
    assert.deepEqual(readdirSync(join(cacheDirectory, 'org')), ['name@main']);
  });
});

describe('the kind of a model', () => {
  const load = (model: string) => {
    const settings: EmbeddingSettings = {
      model,
      download: false,
      cacheDirectory: temporaryDirectory(),
      dtype: undefined,
      queryPrefix: '',
      textPrefix: '',
    };
    return loadEmbedder(settings);
  };

  it('is static where the directory has model.safetensors', async () => {
    const { embedder, directory } = await load(BUNDLED_MODEL);
    assert.ok(embedder.tokens);
    assert.equal(directory, BUNDLED_MODEL);
    await assert.rejects(load(directoryOf('config.json', 'tokenizer.json')), /onnx: holds none of/);
  });

  it('is what config.json says where the directory has the files of both', async () => {
    const both = directoryOf('model.safetensors', 'tokenizer.json');
    writeFileSync(join(both, 'config.json'), '{"model_type":"bert"}');
    await assert.rejects(load(both), /onnx: holds none of/);
    writeFileSync(join(both, 'config.json'), '{"model_type":"model2vec"}');
    await assert.rejects(load(both), /model\.safetensors: bad header/);
  });

  it('is refused where it is neither', async () => {
    await assert.rejects(load(temporaryDirectory()), /holds neither model\.safetensors .* nor onnx\//);
    for (const model of ['/no/such/directory', '../org/name', 'name', 'org/../name']) {
      await assert.rejects(load(model), /no such directory, and no model of the hub/);
    }
    await assert.rejects(load('org/name'), /no such directory; as a model of https:\/\/huggingface\.co/);
  });
});
