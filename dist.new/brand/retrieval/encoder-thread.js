import { createRequire as requireFrom } from 'node:module';

const require = requireFrom(import.meta.url);

// brand/retrieval/encoder-thread.js
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

// brand/retrieval/unigram.js
var SPACE = '\u2581';
var WORD = /▁[^▁]*/g;
var WORDS_KEPT = 4e3;
function openUnigram(file) {
  const { model } = JSON.parse(new TextDecoder().decode(file));
  if (model?.type !== 'Unigram') throw new Error('no tokenizer of the type Unigram');
  const { vocab, unk_id: unknown } = model;
  const ids = new Map(vocab.map(([piece], id) => [piece, id]));
  const scores = Float64Array.from(vocab, ([, score]) => score);
  scores[unknown] = scores.reduce((least, score) => Math.min(least, score), 0) - 10;
  const longest = vocab.reduce((most, [piece]) => Math.max(most, piece.length), 0);
  const cut = word => {
    const ways = [{ from: 0, id: unknown, sum: 0 }];
    for (let from = 0, size = 1; from < word.length; from += size) {
      size = (word.codePointAt(from) ?? 0) > 65535 ? 2 : 1;
      for (let to = from + size; to <= Math.min(from + longest, word.length); to += 1) {
        const id = ids.get(word.slice(from, to)) ?? (to === from + size ? unknown : void 0);
        if (id === void 0) continue;
        const sum = (ways[from]?.sum ?? 0) + (scores[id] ?? 0);
        if (sum > (ways[to]?.sum ?? Number.NEGATIVE_INFINITY)) ways[to] = { from, id, sum };
      }
    }
    const found = [];
    for (let at = word.length; at > 0; at = ways[at]?.from ?? 0) found.push(ways[at]?.id ?? unknown);
    return found.reverse().filter((id, at) => id !== unknown || found[at - 1] !== unknown);
  };
  const known = /* @__PURE__ */ new Map();
  return text => {
    const plain = text.normalize('NFKC').replace(/ {2,}/g, ' ').trimEnd().replaceAll(' ', SPACE);
    const words = (plain.startsWith(SPACE) ? plain : SPACE + plain).match(WORD) ?? [];
    return words.flatMap(word => {
      const kept = known.get(word) ?? cut(word);
      if (known.size === WORDS_KEPT) known.clear();
      known.set(word, kept);
      return kept;
    });
  };
}

// brand/retrieval/encoder-thread.js
var RUNTIME = 'onnxruntime-node';
var OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' };
var [MOST_PIECES, START, END] = [94, 0, 2];
var PREFIX = { claim: 'passage: ', question: 'query: ' };
var opened;
async function open(directory) {
  try {
    await import(RUNTIME);
  } catch (error) {
    return { missing: `${RUNTIME} cannot be loaded: ${firstLine(error)}` };
  }
  opened ??= openModel(directory);
  return { digest: (await opened).digest };
}
async function encode({ directory, text, role }) {
  opened ??= openModel(directory);
  const { run } = await opened;
  return run(text, role).catch(() => {
    throw new Error('the encoder failed on a text');
  });
}
async function openModel(directory) {
  const runtime = await import(RUNTIME);
  const [words, model] = [join(directory, 'tokenizer.json'), join(directory, 'model.onnx')];
  const idsOf = await readFile(words).then(openTokenIds).catch(inFile(words));
  const session = await runtime.InferenceSession.create(model, OPTIONS).catch(inFile(model));
  const run = async (text, role) => {
    const ids = idsOf(text, role);
    const tensor = values => new runtime.Tensor('int64', values, [1, values.length]);
    const { vector } = await session.run({ ids: tensor(ids), mask: tensor(ids.map(() => 1n)) });
    const numbers = vector?.data;
    if (numbers instanceof Float32Array && Math.abs(Math.hypot(...numbers) - 1) < 0.01) return numbers;
    throw new Error('it does not answer with a vector of length 1');
  };
  await run('a', 'question').catch(inFile(model));
  const hash = createHash('sha256');
  for (const file of [words, model]) for await (const part of createReadStream(file)) hash.update(part);
  return { run, digest: hash.digest('hex') };
}
async function openTokenIds(file) {
  const piecesOf = openUnigram(file);
  return (text, role) =>
    BigInt64Array.from([START, ...piecesOf(PREFIX[role] + text).slice(0, MOST_PIECES), END], BigInt);
}
function inFile(file) {
  return error => {
    throw new Error(`${file}: ${firstLine(error)}`);
  };
}
function firstLine(error) {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}

export { encode as default, open, openTokenIds };
