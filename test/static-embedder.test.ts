import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { BUNDLED_MODEL } from '../brand/retrieval/retrieval-model.ts';
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
const WEIGHTED = NUMBERS.map((row, token) => row.map(value => value * WEIGHTS[token]!));

describe('a Model2Vec directory', () => {
  const layouts: [name: string, tensors: TensorInput[]][] = [
    ['int8 with weights', [embeddings('I8', NUMBERS), weights(WEIGHTS)]],
    ['int8 without weights', [embeddings('I8', WEIGHTED)]],
    ['float16 with weights', [embeddings('F16', NUMBERS), weights(WEIGHTS)]],
    ['float16 without weights', [embeddings('F16', WEIGHTED)]],
    ['float32 with weights', [embeddings('F32', NUMBERS), weights(WEIGHTS)]],
    ['float32 without weights', [embeddings('F32', WEIGHTED)]],
  ];
  for (const [name, tensors] of layouts) {
    test(`in ${name} gives the rows and vectors of its numbers`, async () => {
      const embedder = await loadStaticEmbedder(await writeModel({ tensors }));
      assert.deepEqual(embedder.tokens.tokenize('Altos, BAJO'), [2, 5, 3]);
      assertClose(embedder.tokens.sum([2]), [6, -120, 34], 0.5);
      assertClose([embedder.tokens.norm(2)], [Math.hypot(6, 120, 34)], 0.5);
      const sum = [6 + 24 - 5, -120 + 14 + 40, 34 - 66 + 1];
      const expected = sum.map(value => value / Math.hypot(...sum));
      assertClose(await vectorOf(embedder, 'Altos, BAJO'), expected, 1e-2);
    });
  }

  test('in float16 reads fractions, subnormal numbers and signs', async () => {
    const rows = WORDS.map(() => [2 ** -24, -(2 ** -23), 3 * 2 ** -24]);
    const embedder = await loadStaticEmbedder(await writeModel({ tensors: [embeddings('F16', rows)] }));
    assertClose(embedder.tokens.sum([2]), rows[2]!, 2 ** -30);
  });

  test('tokens of norm 0, of no finite number, of padding and of unknown words say nothing', async () => {
    const rows = NUMBERS.map((row, token) => (token === 3 ? [1, Number.POSITIVE_INFINITY, 1] : row));
    const embedder = await loadStaticEmbedder(await writeModel({ tensors: [embeddings('F32', rows)] }));
    assert.deepEqual(embedder.tokens.tokenize('nada bajo quijote [PAD] alto'), [2]);
  });

  test('padding and unknown are found by the names the tokenizer gives them', async () => {
    const words = ['alto', 'bajo', '<relleno>', '<otro>', 'nada', '##s'];
    const tensors = [
      embeddings(
        'I8',
        WORDS.map(() => [1, 2, 3]),
      ),
    ];
    const names = { padding: { pad_token: '<relleno>' }, unknown: '<otro>', added: ['<relleno>'] };
    const embedder = await loadStaticEmbedder(await writeModel({ tensors, words, ...names }));
    assert.deepEqual(embedder.tokens.tokenize('alto <relleno> quijote bajo'), [0, 1]);
  });

  test('an added token beyond the table is left out', async () => {
    const directory = await writeModel({ tensors: [embeddings('I8', NUMBERS)], added: ['<extra>'] });
    const embedder = await loadStaticEmbedder(directory);
    assert.deepEqual(embedder.tokens.tokenize('alto <extra> bajo'), [2, 3]);
    assert.equal(embedder.tokens.norm(6), 0);
  });
});

describe('a directory that cannot be used is refused by file and reason:', () => {
  const good = embeddings('I8', NUMBERS);
  const cases: [title: string, model: ModelInput, message: RegExp][] = [
    [
      'a table of an unknown type',
      { tensors: [{ ...good, dtype: 'BF16' }] },
      /model\.safetensors: "embeddings" has dtype BF16/,
    ],
    ['a file without the table', { tensors: [weights(WEIGHTS)] }, /model\.safetensors: no tensor "embeddings"/],
    [
      'a table of one dimension',
      { tensors: [{ ...good, shape: [18] }] },
      /model\.safetensors: "embeddings" has shape \[18\]/,
    ],
    [
      'a table shorter than its shape',
      { tensors: [{ ...good, shape: [6, 4] }] },
      /model\.safetensors: "embeddings" holds 18 numbers, expected 24/,
    ],
    [
      'weights of another length',
      { tensors: [good, weights([1, 2])] },
      /model\.safetensors: "weights" holds 2 numbers, expected 6/,
    ],
    ['shared rows', { tensors: [good, { ...weights(WEIGHTS), name: 'mapping' }] }, /model\.safetensors: "mapping"/],
    [
      'a tokenizer with more words',
      { tensors: [good], words: [...WORDS, 'otra'] },
      /tokenizer\.json: does not fit .*: 7 tokens, but 6 rows/,
    ],
    [
      'a tokenizer with fewer words',
      { tensors: [good], words: WORDS.slice(0, 4) },
      /tokenizer\.json: does not fit .*: 4 tokens, but 6 rows/,
    ],
  ];
  for (const [title, model, message] of cases) {
    test(title, async () => {
      await assert.rejects(loadStaticEmbedder(await writeModel(model)), { name: 'Error', message });
    });
  }

  for (const file of ['model.safetensors', 'tokenizer.json']) {
    test(`${file} missing`, async () => {
      const directory = await writeModel({ tensors: [good] });
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
    [
      'a tensor outside the file',
      'model.safetensors',
      safetensors([good]).subarray(0, -1),
      /"embeddings" lies outside the file/,
    ],
    ['a tokenizer that is no JSON', 'tokenizer.json', Buffer.from('{'), /tokenizer\.json: /],
    ['a tokenizer without words', 'tokenizer.json', Buffer.from('{}'), /tokenizer\.json: not a tokenizer/],
  ];
  for (const [title, file, content, message] of spoilt) {
    test(title, async () => {
      const directory = await writeModel({ tensors: [good] });
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
  tensors: TensorInput[];
  words?: string[];
  added?: string[];
  unknown?: string;
  padding?: object;
}

async function writeModel({
  tensors,
  words = WORDS,
  added = [],
  unknown = '[UNK]',
  padding,
}: ModelInput): Promise<string> {
  const directory = temporaryFolder();
  const ids = new Map(words.map((word, id) => [word, id]));
  const tokenizer = {
    version: '1.0',
    padding: padding ?? null,
    added_tokens: added.map((content, index) => ({
      id: ids.get(content) ?? words.length + index,
      content,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: { type: 'WordPiece', unk_token: unknown, continuing_subword_prefix: '##', vocab: Object.fromEntries(ids) },
  };
  await writeFile(join(directory, 'tokenizer.json'), JSON.stringify(tokenizer));
  await writeFile(join(directory, 'model.safetensors'), safetensors(tensors));
  return directory;
}

function safetensors(tensors: TensorInput[]): Buffer {
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

function embeddings(dtype: 'I8' | 'F16' | 'F32', rows: number[][]): TensorInput {
  const numbers = rows.flat();
  const encode = {
    I8: () => Int8Array.from(numbers),
    F16: () => Uint16Array.from(numbers, toFloat16),
    F32: () => Float32Array.from(numbers),
  };
  return { name: 'embeddings', dtype, shape: [rows.length, rows[0]!.length], bytes: bytesOf(encode[dtype]()) };
}

function weights(numbers: number[]): TensorInput {
  return { name: 'weights', dtype: 'F32', shape: [numbers.length], bytes: bytesOf(Float32Array.from(numbers)) };
}

function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Exact for the numbers used here: those that float16 can hold. */
function toFloat16(value: number): number {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size < 2 ** -14) return sign | (size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024);
}
