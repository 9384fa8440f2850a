import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
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

const WORDS = ['[PAD]', '[UNK]', 'alto', 'bajo', 'nada', '##s'];
const NUMBERS = [
  [9, 9, 9],
  [8, 8, 8],
  [3, -60, 17],
  [-5, 40, 1],
  [0, 0, 0],
  [12, 7, -33],
];
const WEIGHTS = [1, 1, 2, 1, 1, 2];

describe('a table of tokens', () => {
  test('gives the rows and vectors of its numbers', async () => {
    const embedder = await loadStaticEmbedder(await writeModel({ tensors: [embeddings(NUMBERS), weights(WEIGHTS)] }));
    assert.deepEqual(embedder.tokens.tokenize('Altos, BAJO'), [2, 5, 3]);
    assertClose(embedder.tokens.sum([2]), [6, -120, 34], 0.5);
    assertClose([embedder.tokens.norm(2)], [Math.hypot(6, 120, 34)], 0.5);
    const sum = [6 + 24 - 5, -120 + 14 + 40, 34 - 66 + 1];
    const expected = sum.map(value => value / Math.hypot(...sum));
    assertClose(await vectorOf(embedder, 'Altos, BAJO'), expected, 1e-2);
  });

  test('says nothing of tokens of norm 0, of padding and of unknown words', async () => {
    const embedder = await loadStaticEmbedder(await writeModel({ tensors: [embeddings(NUMBERS), weights(WEIGHTS)] }));
    assert.deepEqual(embedder.tokens.tokenize('nada quijote [PAD] alto'), [2]);
  });
});

describe('a directory that cannot be used is refused by file and reason:', () => {
  const good = [embeddings(NUMBERS), weights(WEIGHTS)] as const;
  const none = /model\.safetensors: no tensor "embeddings" of int8 \[rows, dims\]/;
  const cases: [title: string, model: ModelInput, message: RegExp][] = [
    ['a table of another type', { tensors: [{ ...good[0], dtype: 'F32' }, good[1]] }, none],
    ['a file without the table', { tensors: [good[1]] }, none],
    ['a table of one dimension', { tensors: [{ ...good[0], shape: [18] }, good[1]] }, none],
    ['a table shorter than its shape', { tensors: [{ ...good[0], shape: [6, 4] }, good[1]] }, none],
    [
      'weights of another length',
      { tensors: [good[0], weights([1, 2])] },
      /model\.safetensors: no tensor "weights" of float32 \[6\]/,
    ],
    [
      'a tokenizer with more words',
      { tensors: good, words: [...WORDS, 'otra'] },
      /tokenizer\.txt: does not fit .*: 7 tokens, but 6 rows/,
    ],
    [
      'a tokenizer with fewer words',
      { tensors: good, words: WORDS.slice(0, 4) },
      /tokenizer\.txt: does not fit .*: 4 tokens, but 6 rows/,
    ],
  ];
  for (const [title, model, message] of cases) {
    test(title, async () => {
      await assert.rejects(loadStaticEmbedder(await writeModel(model)), { name: 'Error', message });
    });
  }

  for (const file of ['model.safetensors', 'tokenizer.txt']) {
    test(`${file} missing`, async () => {
      const directory = await writeModel({ tensors: good });
      await rm(join(directory, file));
      await assert.rejects(loadStaticEmbedder(directory), new RegExp(`${file}: cannot be read: ENOENT`));
    });
  }

  const spoilt: [title: string, file: string, content: Uint8Array, message: RegExp][] = [
    ['an empty table file', 'model.safetensors', new Uint8Array(), /model\.safetensors: bad header: shorter/],
    [
      'a header longer than the file',
      'model.safetensors',
      new Uint8Array(16).fill(255),
      /model\.safetensors: bad header: longer/,
    ],
    [
      'a header that is no JSON',
      'model.safetensors',
      Buffer.from('\x02\0\0\0\0\0\0\0{{'),
      /model\.safetensors: bad header: not a JSON/,
    ],
    ['a tensor outside the file', 'model.safetensors', safetensors(good).subarray(0, -1), /lies outside the file/],
    ['a list of words that is none', 'tokenizer.txt', Buffer.from('{'), /tokenizer\.txt: no list of words/],
  ];
  for (const [title, file, content, message] of spoilt) {
    test(title, async () => {
      const directory = await writeModel({ tensors: good });
      await writeFile(join(directory, file), content);
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

interface TensorInput {
  name: string;
  dtype: string;
  shape: number[];
  bytes: Uint8Array;
}

interface ModelInput {
  tensors: readonly TensorInput[];
  words?: readonly string[];
}

async function writeModel({ tensors, words = WORDS }: ModelInput): Promise<string> {
  const directory = temporaryFolder();
  const [first] = readFileSync(join(BUNDLED_MODEL, 'tokenizer.txt'), 'utf8').split('\n', 1);
  await writeFile(join(directory, 'tokenizer.txt'), [first, ...words].join('\n'));
  await writeFile(join(directory, 'model.safetensors'), safetensors(tensors));
  return directory;
}

function safetensors(tensors: readonly TensorInput[]): Buffer {
  let offset = 0;
  const entries = tensors.map(({ name, dtype, shape, bytes }) => {
    const start = offset;
    offset += bytes.length;
    return [name, { dtype, shape, data_offsets: [start, offset] }];
  });
  const header = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(entries) }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...tensors.map(({ bytes }) => bytes)]);
}

function embeddings(rows: number[][]): TensorInput {
  const bytes = bytesOf(Int8Array.from(rows.flat()));
  return { name: 'embeddings', dtype: 'I8', shape: [rows.length, rows[0]!.length], bytes };
}

function weights(numbers: number[]): TensorInput {
  return { name: 'weights', dtype: 'F32', shape: [numbers.length], bytes: bytesOf(Float32Array.from(numbers)) };
}

function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
