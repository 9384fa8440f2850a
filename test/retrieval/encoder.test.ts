import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { buildBrand } from '../../brand/retrieval/ask.ts';
import { type Asker, QueueFull } from '../../brand/retrieval/brand.ts';
import { claimTexts } from '../../brand/retrieval/claim-texts.ts';
import { readClaims } from '../../brand/retrieval/claim-vectors.ts';
import { loadRuntime, open, openIds } from '../../brand/retrieval/encoder-thread.js';
import { Queue } from '../../brand/retrieval/queue.ts';
import { BUNDLED_MODEL, readParameters, shareChance } from '../../brand/retrieval/similarity.ts';
import { createVectorIndex, innerProduct } from '../../brand/retrieval/vector-index.ts';
import { exampleModel } from '../support/example.ts';
import { folderWith, ROOT } from '../support/folder.ts';

/** Data of the reference implementation (model/training/retrieval.py), for an example of 24 claims. */
const reference = JSON.parse(readFileSync(`${BUNDLED_MODEL}/reference.json`, 'utf8'));
const tokenizer = readFileSync(`${BUNDLED_MODEL}/tokenizer.json`);
const opening = exampleModel();

/** The reference's claims are not part of the package. */
const EXAMPLE = `${ROOT}../shared/example`;
const skip = !existsSync(EXAMPLE) && 'the example of 24 claims is not on this machine';

const cosine = (a: Float32Array, b: Float32Array) =>
  innerProduct(a, b) / Math.sqrt(innerProduct(a, a) * innerProduct(b, b));

describe('the bundled encoder', () => {
  it('cuts texts into the ids of the reference', async () => {
    const idsOf = await openIds(tokenizer);
    for (const { text, ids } of reference.tokens) {
      const role = text.startsWith('query: ') ? 'question' : 'claim';
      const read = idsOf(text.replace(/^(?:query|passage): /, ''), role);
      assert.deepEqual(Array.from(read, Number), ids, text);
    }
  });

  it('gives questions the vectors of the reference', async () => {
    const { embedder } = await opening;
    for (const { text, vector } of reference.vectors) {
      const read = await embedder.embedQuestion(text.replace('query: ', ''));
      assert.ok(cosine(read, Float32Array.from(vector)) > 0.997, text);
    }
  });

  it('names a file that is damaged, and opens in the same thread once it is whole', async () => {
    const path = folderWith({ 'tokenizer.json': '{}' });
    const source = { directory: path('.') };
    await assert.rejects(open(source), /tokenizer\.json: no tokenizer of the type Unigram/);
    for (const name of ['tokenizer.json', 'model.onnx']) copyFileSync(`${BUNDLED_MODEL}/${name}`, path(name));
    assert.equal((await open(source)).digest, (await opening).embedder.digest);
  });

  it('shares the chance out as the reference does', () => {
    const parameters = readParameters();
    for (const { query, score, some, similarity } of reference.queries) {
      const nearest = Array.from(score as number[], (value, index) => ({ index, score: value }));
      nearest.sort((a, b) => b.score - a.score);
      const shared = shareChance(nearest, query, parameters);
      assert.ok(Math.abs(shared.chance - some) < 1e-3, query);
      for (const [place, { index }] of nearest.entries())
        assert.ok(Math.abs(shared.similarities[place]! - similarity[index]) < 1e-3, query);
    }
  });

  it('reads claims with their questions, and answers, as the reference does', { skip }, async () => {
    const lines = readFileSync(`${EXAMPLE}/claim-questions.jsonl`, 'utf8').trimEnd().split('\n');
    const document = JSON.parse(readFileSync(`${EXAMPLE}/brand.json`, 'utf8'));
    const profile = { ...document, questions: lines.map(line => JSON.parse(line)) };
    const texts = claimTexts(profile);
    assert.deepEqual(
      texts.slice(0, reference.texts.length).map(({ stated }) => stated),
      reference.texts,
    );
    const model = await opening;
    const vectors = await readClaims(texts, model.embedder, {});
    for (const [place, { vector }] of reference.claims.entries())
      assert.ok(cosine(vectors[place]!, Float32Array.from(vector)) > 0.997);
    const brand = await buildBrand({ profile, digest: '', model });
    const ids = profile.claims.map(({ claim_id }: { claim_id: string }) => claim_id);
    for (const { query, matches, score } of reference.queries) {
      const answer = (await brand.ask(query)).matches;
      const [first = [-1, 0], second = [-1, 0]] = matches;
      assert.equal(answer.length, matches.length, query);
      if (matches.length === 0) continue;
      assert.ok(Math.abs(answer[0]!.similarity - first[1]) < 0.02, query);
      const isClear = score[first[0]] - (score[second[0]] ?? 0) > 0.01;
      if (isClear) assert.equal(answer[0]!.claim_id, ids[first[0]], query);
    }
  });

  it('runs on onnxruntime-web where onnxruntime-node cannot be loaded, and says what to install where neither can', async () => {
    const without =
      (...missing: string[]) =>
      (name: string) =>
        missing.includes(name) ? Promise.reject(new Error(`no ${name}`)) : Promise.resolve({ loaded: name });
    assert.equal((await loadRuntime(without())).name, 'onnxruntime-node');
    assert.equal((await loadRuntime(without('onnxruntime-node'))).name, 'onnxruntime-web');
    await assert.rejects(
      loadRuntime(without('onnxruntime-node', 'onnxruntime-web')),
      /^Error: onnxruntime-node cannot be loaded \(no onnxruntime-node\): run .*npm install/,
    );
  });
});

/** A queue with one place, whose tasks end when they are told to. */
function blockedQueue() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const queue = new Queue<string, void>(1, task => {
    started.push(task);
    return new Promise(resolve => ends.push(resolve));
  });
  const finish = async () => {
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
  };
  /** How many of 300 questions get a place. */
  const places = async (askerOf: (index: number) => Asker | undefined) => {
    let taken = 300;
    for (let index = 0; index < 300; index += 1)
      queue.addQuestion(`${index}`, askerOf(index)).catch(error => {
        assert.ok(error instanceof QueueFull);
        taken -= 1;
      });
    await new Promise(setImmediate);
    return taken;
  };
  void queue.addQuestion('first');
  return { queue, started, finish, places };
}

describe('the queue of questions', () => {
  it('holds 200 questions, 60 of one client and 120 of one IPv6 /48, and those that the service asks for its documents', async () => {
    assert.equal(await blockedQueue().places(index => ({ client: `${index}` })), 200);
    assert.equal(await blockedQueue().places(() => ({ client: 'one' })), 60);
    assert.equal(await blockedQueue().places(index => ({ client: `${index % 30}`, network: 'one' })), 120);
    assert.equal(await blockedQueue().places(() => undefined), 300);
  });

  it('lets questions go before the claims of a reload, each in its order', async () => {
    const { queue, started, finish } = blockedQueue();
    void queue.addClaim('claim');
    void queue.addQuestion('second');
    void queue.addQuestion('third');
    await finish();
    assert.deepEqual(started, ['first', 'second', 'third', 'claim']);
  });

  it('refuses what waits once it is closed and whatever comes later, and closes when nothing runs', async () => {
    const { queue, started, finish } = blockedQueue();
    const refusals = ['question', 'claim'].map(kind => {
      const task = kind === 'claim' ? queue.addClaim(kind) : queue.addQuestion(kind);
      return assert.rejects(task, /closed/);
    });
    const closing = queue.close();
    refusals.push(assert.rejects(queue.addQuestion('late'), /closed/));
    await Promise.all(refusals);
    await finish();
    await closing;
    assert.deepEqual(started, ['first']);
  });
});

describe('the index of vectors', () => {
  const isBuilt = existsSync(`${ROOT}node_modules/hnswlib-node/build/Release/addon.node`);
  const skip = !isBuilt && 'hnswlib-node is not installed: it compiles at install';

  /** Unit vectors that are the same at each run. */
  const vectorsOf = (count: number) =>
    Array.from({ length: count }, (_, row) =>
      Float32Array.from({ length: 384 }, (_, column) => Math.sin(row * 12.9898 + column * 78.233) / 14),
    );

  it('gives the same nearest by hnswlib-node and by exact search, with one line about the stand-in', {
    skip,
  }, async () => {
    const vectors = vectorsOf(300);
    const notes: string[] = [];
    const note = (message: string) => notes.push(message);
    const graph = await createVectorIndex(vectors, note);
    const exact = await createVectorIndex(vectors, note, () => Promise.reject(new Error('not built\nstack')));
    assert.deepEqual(notes, ['hnswlib-node cannot be loaded, exact search answers (not built)']);
    for (const vector of vectorsOf(330).slice(300))
      assert.deepEqual(graph.nearest(vector, 5), exact.nearest(vector, 5));
  });

  it('refuses a number that is not finite, which would abort the process', async () => {
    const index = await createVectorIndex([Float32Array.of(1, 0)]);
    assert.throws(() => index.nearest(Float32Array.of(Number.NaN, 1), 1), RangeError);
    assert.throws(() => index.nearest(Float32Array.of(1), 1), RangeError);
    await assert.rejects(createVectorIndex([Float32Array.of(Number.POSITIVE_INFINITY)]), RangeError);
  });
});
