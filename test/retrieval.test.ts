import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Embedder, TokenTable } from '../brand/embedding/embedder.ts';
import { loadStaticEmbedder } from '../brand/embedding/static-embedder.ts';
import { loadProfile } from '../brand/profile/profile.ts';
import { buildBrand, claimText } from '../brand/retrieval/build-brand.ts';
import { createVectorIndex, exactSearch } from '../brand/retrieval/hnsw.ts';
import { createLateInteraction } from '../brand/retrieval/late-interaction.ts';
import { createLexicalIndex } from '../brand/retrieval/lexical.ts';
import { BUNDLED_MODEL, loadRetrievalModel } from '../brand/retrieval/parameters.ts';
import { createRetrieval, type Scored } from '../brand/retrieval/retrieval.ts';

const EXAMPLES = new URL('../examples/', import.meta.url);
const embedder = await loadStaticEmbedder(BUNDLED_MODEL);
const model = await loadRetrievalModel(BUNDLED_MODEL);
const { profile, digest } = await loadProfile(new URL('brand.json', EXAMPLES).pathname);
const claimTexts = profile.claims.map(claimText);
const questions = (await readFile(new URL('questions.jsonl', EXAMPLES), 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line): string => JSON.parse(line).query);

interface Reference {
  claims: { claim_id: string; text: string }[];
  queries: ({ query: string; level: number[] } & Record<Part, number[]>)[];
}
type Part = (typeof PARTS)[number];
const PARTS = ['dense', 'late', 'lexical', 'score', 'similarity'] as const;

describe('the scores of the reference implementation', async () => {
  const reference: Reference = JSON.parse(await readFile(join(BUNDLED_MODEL, 'reference.json'), 'utf8'));
  const retrieval = await createRetrieval({ ...model, embedder, texts: claimTexts });

  test('are given for the same claim texts', () => {
    assert.deepEqual(
      claimTexts,
      reference.claims.map(({ text }) => text),
    );
  });

  for (const expected of reference.queries) {
    test(`are met to a thousandth in every part for "${expected.query}"`, async () => {
      const { scored, level } = await retrieval.search(expected.query);
      assertNear(level, expected.level[0]!, 'level');
      assert.equal(scored.length, claimTexts.length);
      for (const hit of scored) {
        for (const part of PARTS) assertNear(hit[part], expected[part][hit.index]!, `${part} of claim ${hit.index}`);
      }
    });
  }

  test('do not depend on what was asked before', async () => {
    const again = await createRetrieval({ ...model, embedder, texts: claimTexts });
    for (const question of questions.slice(0, 20).reverse()) {
      assert.deepEqual(await again.search(question), await retrieval.search(question));
    }
  });
});

describe('a ranking', () => {
  test('puts the best first, and equal texts in their own order', async () => {
    const texts = ['margen bruto', 'precio fijo', 'margen bruto', 'entrega', 'margen bruto'];
    const retrieval = await createRetrieval({ ...model, embedder, texts });
    const { scored } = await retrieval.search('margen bruto');
    assert.deepEqual(indicesOf(scored).slice(0, 3), [0, 2, 4]);
    assertSorted(scored);
  });

  for (const query of ['', '\0', '\ud83d', '日本語', '😀', '[CLS] [PAD] [UNK]', 'ﷺ', '\u0301', 'x'.repeat(3000)]) {
    test(`of the odd text ${JSON.stringify(query.slice(0, 20))} is complete and finite`, async () => {
      const retrieval = await createRetrieval({ ...model, embedder, texts: claimTexts });
      const { scored, level } = await retrieval.search(query);
      assert.equal(scored.length, claimTexts.length);
      for (const hit of scored) assert.ok(PARTS.every(part => Number.isFinite(hit[part])));
      assert.ok(Number.isFinite(level));
    });
  }

  test('of a text without known words and shared characters keeps the order of the claims, all equally unlike', async () => {
    const retrieval = await createRetrieval({ ...model, embedder, texts: claimTexts });
    const { scored } = await retrieval.search('日本語');
    assert.deepEqual(indicesOf(scored), [...claimTexts.keys()]);
    assert.deepEqual(new Set(scored.map(({ score }) => score)), new Set([0]));
  });

  test('takes texts without known words, no text at all, and less background than it averages', async () => {
    const some = await createRetrieval({ ...model, embedder, texts: ['日本語', 'precio'] });
    const { scored } = await some.search('precio');
    assert.deepEqual(indicesOf(scored), [1, 0]);
    assert.deepEqual([scored[1]?.dense, scored[1]?.late, scored[1]?.lexical], [0, 0, 0]);
    const none = await createRetrieval({ ...model, embedder, texts: [] });
    assert.deepEqual((await none.search('precio')).scored, []);
    const bare = await createRetrieval({ ...model, background: ['precio fijo'], embedder, texts: ['precio'] });
    assertNear((await bare.search('precio fijo')).level, 1, 'level');
  });

  test('of an embedder without token rows gives the weight of late interaction to the vectors', async () => {
    const { id, dims, embed } = embedder;
    const retrieval = await createRetrieval({ ...model, embedder: { id, dims, embed }, texts: claimTexts });
    const whole = await createRetrieval({ ...model, embedder, texts: claimTexts });
    const { weights } = model.parameters;
    for (const question of questions.slice(0, 10)) {
      const { scored, level } = await retrieval.search(question);
      assertNear(level, (await whole.search(question)).level, 'level');
      assertSorted(scored);
      for (const { late, dense, lexical, score } of scored) {
        assert.equal(late, 0);
        assertNear(score, (weights.dense + weights.late) * dense + weights.lexical * lexical, 'score');
      }
    }
  });

  test('of more than 512 texts scores the nearest and the best worded, with the scores that all would have', async () => {
    const texts = [...combinedTexts(1200), 'Nuestro código interno de expediente es XQ-48151623.'];
    const { scored } = await (await createRetrieval({ ...model, embedder, texts })).search('expediente XQ-48151623');
    assert.equal(scored[0]?.index, texts.length - 1);
    assert.ok(scored.length >= 64 && scored.length <= 128, `${scored.length} candidates`);
    assert.equal(new Set(indicesOf(scored)).size, scored.length);
    assertSorted(scored);
  });

  test('of 513 texts agrees with the ranking of 512 wherever both have a text', async () => {
    const texts = combinedTexts(512);
    const all = await createRetrieval({ ...model, embedder, texts });
    const some = await createRetrieval({ ...model, embedder, texts: [...texts, '日本語'] });
    for (const question of questions.slice(0, 20)) {
      const best = indicesOf((await all.search(question)).scored).slice(0, 5);
      assert.deepEqual(indicesOf((await some.search(question)).scored).slice(0, 5), best);
    }
  });
});

describe('the lexical index', () => {
  const parameters = { n: 4, k1: 1.2, b: 0.75, scale: 1 };
  const lexical = createLexicalIndex(['Ñandú: 12,5 %', 'el código', 'nada', ''], parameters);

  test('folds case, accents and compatibility forms', () => {
    const scores = ['nandu', 'ÑANDÚ', 'ｎａｎｄｕ'].map(query => lexical.search(query)[0]);
    assert.ok(scores[0]! > 0);
    assert.deepEqual(new Set(scores).size, 1);
  });

  test('takes words shorter than a gram whole', () => {
    assert.ok(lexical.search('el')[1]! > 0);
    assert.equal(lexical.search('ele')[1], 0);
  });

  test('is zero for texts that share nothing and for an empty question', () => {
    assert.deepEqual([...lexical.search('xyzw')], [0, 0, 0, 0]);
    assert.deepEqual([...lexical.search('')], [0, 0, 0, 0]);
  });
});

describe('late interaction', () => {
  test('computes a token once while the cache has room, and again where it has none', async () => {
    const { table, rowsRead } = countingTable();
    const input = { table, dims: 2, texts: [[5], [6]], background: [] };
    const roomy = createLateInteraction(input);
    await roomy.sum([1, 2, 1]);
    const before = rowsRead();
    assert.deepEqual(await roomy.sum([2, 1]), await roomy.sum([1, 2]));
    assert.equal(rowsRead(), before);
    const cramped = createLateInteraction({ ...input, cacheBytes: 1 });
    await cramped.sum([1]);
    const once = rowsRead();
    await cramped.sum([1]);
    assert.equal(rowsRead(), once + 1);
  });

  test('sums any number of tokens, those beyond a group of four included', async () => {
    const { table } = countingTable();
    const late = createLateInteraction({ table, dims: 2, texts: [[5]], background: [Float32Array.of(1, 0)] });
    for (const tokens of [[], [1], [1, 2], [1, 2, 3, 4], [1, 2, 3, 4, 5, 6, 7]]) {
      const sum = tokens.reduce((total, token) => total + token, 0);
      const { rows, background } = await late.sum(tokens);
      assert.deepEqual([...rows], [sum, 2 * sum]);
      assert.deepEqual([...background], [sum]);
    }
  });

  test('counts the 64 heaviest different tokens of a question, repetitions included, and computes no more', async () => {
    const { table, rowsRead } = countingTable();
    const late = createLateInteraction({ table, dims: 2, texts: [[5]], background: [] });
    const before = rowsRead();
    const { rows } = await late.sum([...Array(99).keys(), 98]);
    assert.equal(rowsRead() - before, 64);
    const heaviest = [...Array(64).keys()].map(step => 98 - step);
    assert.deepEqual(rows, (await late.sum([98, ...heaviest])).rows);
  });

  test('lets timers fire and requests in between the pieces of a long question, of several at once too', async () => {
    const { texts, table } = heavyProfile();
    const late = createLateInteraction({ table, dims: 256, texts, background: [] });
    let turns = 0;
    let running = true;
    const count = () => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([1, 2, 3].map(nth => late.sum(Array.from({ length: 64 }, (_, at) => nth * 64 + at))));
    running = false;
    assert.ok(turns >= 6, `${turns} turns of the event loop`);
  });

  test('is warmed from the lowest ids on without keeping the process alive, until stopped', async () => {
    const { table, rowsRead } = countingTable(1_000_000);
    const late = createLateInteraction({ table, dims: 2, texts: [[5]], background: [] });
    const atStart = rowsRead();
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const before = timers();
    const stop = late.warm(1_000_000);
    assert.equal(timers(), before);
    assert.equal(rowsRead(), atStart);
    while (rowsRead() < atStart + 10) await nextTurn();
    stop();
    const stopped = rowsRead();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    assert.equal(rowsRead(), stopped);
    await late.sum([0, 1, 2, 3]);
    assert.equal(rowsRead(), stopped);
  });

  test('stops warming when the cache is full, and keeps what it had', async () => {
    const { table, rowsRead } = countingTable(1000);
    const columnBytes = 4 * 4 + 200;
    const input = { table, dims: 2, texts: [[5]], background: [] };
    const late = createLateInteraction({ ...input, cacheBytes: 5 * columnBytes });
    const atStart = rowsRead();
    await late.sum([999]);
    late.warm(1000);
    while (rowsRead() < atStart + 5) await nextTurn();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    assert.equal(rowsRead(), atStart + 5);
    await late.sum([999]);
    assert.equal(rowsRead(), atStart + 5);
  });
});

describe('the vector index', () => {
  test('finds what exact search finds among the example claims', async () => {
    const vectors = await embedder.embed(claimTexts);
    const index = await createVectorIndex(vectors, { note: refuseNote });
    assert.equal(index.kind, 'hnsw');
    assert.equal(await recall(index, vectors, 10), 1);
  });

  test('finds at least 99 in 100 of the ten nearest among 10,000 claims', async () => {
    const vectors = await embedder.embed(combinedTexts(10_000));
    const found = await recall(await createVectorIndex(vectors), vectors, 10);
    assert.ok(found >= 0.99, `recall ${found}`);
  });

  const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(0.6, 0.8)];
  for (const kind of ['hnsw', 'exact'] as const) {
    const options = kind === 'exact' ? { load: () => Promise.reject(new Error('not built')) } : {};

    test(`(${kind}) gives the nearest first, and all where more are asked for`, async () => {
      const index = await createVectorIndex(vectors, options);
      assert.equal(index.kind, kind);
      assert.deepEqual(index.search(Float32Array.of(1, 0), 2), [0, 2]);
      assert.deepEqual(index.search(Float32Array.of(0, 1), 50), [1, 2, 0]);
      assert.deepEqual(index.search(Float32Array.of(0, 1), 0), []);
    });

    test(`(${kind}) refuses in JavaScript whatever would abort the process`, async () => {
      const index = await createVectorIndex(vectors, options);
      for (const numbers of [[Number.NaN, 0], [Number.POSITIVE_INFINITY, 0], [1], [1, 2, 3], []]) {
        assert.throws(() => index.search(Float32Array.from(numbers), 1), RangeError);
      }
      for (const text of ['["a", "b"]', '[1, 0]', 'null', '{"length": 2}', '"ab"', '7']) {
        const noVector: Float32Array = JSON.parse(text);
        assert.throws(() => index.search(noVector, 1), TypeError);
        await assert.rejects(createVectorIndex([noVector], options), TypeError);
      }
      for (const k of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        assert.throws(() => index.search(Float32Array.of(1, 0), k), RangeError);
      }
      await assert.rejects(createVectorIndex([Float32Array.of(1, 0), Float32Array.of(1)], options), RangeError);
      await assert.rejects(createVectorIndex([Float32Array.of(Number.NaN)], options), RangeError);
    });

    test(`(${kind}) of no vectors finds none`, async () => {
      assert.deepEqual((await createVectorIndex([], options)).search(Float32Array.of(1), 3), []);
    });
  }

  test('(exact) takes equal vectors in their own order', () => {
    const [same, far] = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    assert.deepEqual(exactSearch([far, same, same, same, far], same, 2), [1, 2]);
    assert.deepEqual(exactSearch([far, same, same, same, far], same, 5), [1, 2, 3, 0, 4]);
  });

  test('says once, in one line, that exact search stands in for a package that cannot be loaded', async () => {
    const notes: string[] = [];
    const load = () => Promise.reject(new Error('Could not locate the bindings file.\nTried:\n/secret'));
    const index = await createVectorIndex(vectors, { note: message => notes.push(message), load });
    index.search(Float32Array.of(1, 0), 1);
    assert.equal(notes.length, 1);
    assert.match(notes[0]!, /^vector index: .*exact search.*Could not locate the bindings file\.\)$/);
  });
});

describe('a brand that is asked', async () => {
  const brand = await buildBrand({ ...model, profile, digest, embedder });

  test('names itself, and gives its profile and digest as they came', () => {
    assert.equal(brand.name, 'Norte Claro');
    assert.equal(brand.profile, profile);
    assert.equal(brand.digest, digest);
  });

  test('answers with the five best claims, verbatim, their proofs in the order of proof_ids', async () => {
    for (const question of questions) {
      const { matches, ...rest } = await brand.ask(question);
      assert.deepEqual(rest, { brand: 'Norte Claro', query: question });
      assert.equal(matches.length, 5);
      for (const { similarity, proofs, ...served } of matches) {
        const { proof_ids, ...claim } = profile.claims.find(({ claim_id }) => claim_id === served.claim_id)!;
        assert.deepEqual(served, claim);
        assert.deepEqual(
          proofs,
          proof_ids.map(id => profile.proofs.find(({ proof_id }) => proof_id === id)),
        );
        assert.equal(similarity, Number(similarity.toFixed(4)));
      }
      const similarities = matches.map(({ similarity }) => similarity);
      assert.deepEqual(
        similarities,
        [...similarities].sort((a, b) => b - a),
      );
    }
  });

  test('leaves metric out where the claim has none', async () => {
    const bare = profile.claims.find(({ metric }) => metric === undefined)!;
    const { matches } = await brand.ask(bare.statement);
    assert.equal(matches[0]?.claim_id, bare.claim_id);
    assert.ok(!Object.hasOwn(matches[0], 'metric'));
  });

  test('gives the same frozen object for the same question, at once or later, blanks around it or not', async () => {
    const [one, other] = await Promise.all([brand.ask('¿Qué cobráis?'), brand.ask('  ¿Qué cobráis?\n')]);
    assert.equal(one, other);
    assert.equal(await brand.ask('¿Qué cobráis?'), one);
    assertDeepFrozen(one);
  });

  test('answers in words that others can read where the question has half a character', async () => {
    const { query } = await brand.ask('precio \ud83d');
    assert.equal(query, 'precio \ufffd');
  });

  test('keeps at most a thousand answers', async () => {
    const first = await brand.ask('pregunta primera');
    for (let i = 0; i < 1000; i += 1) await brand.ask(`pregunta ${i}`);
    assert.notEqual(await brand.ask('pregunta primera'), first);
  });

  test('keeps no failure: the question can be asked again', async () => {
    let failing = false;
    const { id, dims } = embedder;
    const embed: Embedder['embed'] = async texts => {
      if (failing) throw new Error('model is out');
      return embedder.embed(texts);
    };
    const shaky = await buildBrand({ ...model, profile, digest, embedder: { id, dims, embed } });
    failing = true;
    await assert.rejects(shaky.ask('precio'), /model is out/);
    failing = false;
    assert.equal((await shaky.ask('precio')).matches.length, 5);
  });

  test('leaves the profile as it was, free to be changed by its owner', () => {
    assert.ok(!Object.isFrozen(profile.claims[0]) && !Object.isFrozen(profile.claims[0]?.boundary));
  });

  test('refuses a profile whose claim names a proof that is not there', async () => {
    const [claim] = profile.claims;
    const broken = { ...profile, claims: [{ ...claim!, proof_ids: ['prf-none'] }] };
    await assert.rejects(buildBrand({ ...model, profile: broken, digest, embedder }), /claims\[0\]\.proof_ids\[0\]/);
  });
});

describe('the retrieval parameters of a model directory', () => {
  test('are those of the bundled model where the directory has none', async () => {
    assert.deepEqual(await loadRetrievalModel('/nonexistent'), model);
    assert.deepEqual(model.parameters.weights, { dense: 0.4, late: 0.4, lexical: 0.2 });
    assert.equal(model.background.length, 392);
  });
});

/** Texts that resemble each other as claims of one firm do: three sentences drawn from those of the background texts. */
function combinedTexts(count: number): string[] {
  const random = seeded(20_261_121);
  const sentences = model.background.flatMap(text => text.split(/(?<=\.) /));
  const draw = () => sentences[Math.floor(random() * sentences.length)];
  return Array.from({ length: count }, () => `${draw()} ${draw()} ${draw()}`);
}

/** Mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Share of the `k` nearest by exact search that the index finds, over all example questions. */
async function recall(
  index: { search(vector: Float32Array, k: number): number[] },
  vectors: readonly Float32Array[],
  k: number,
): Promise<number> {
  const asked = await embedder.embed(questions);
  const shares = asked.map(vector => {
    const nearest = new Set(exactSearch(vectors, vector, k));
    return index.search(vector, k).filter(candidate => nearest.has(candidate)).length / k;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** A table whose row of token t is [t, 2t], and that counts how often rows are read. */
function countingTable(size = 100): { table: TokenTable; rowsRead: () => number } {
  let reads = 0;
  const row = (token: number) => {
    reads += 1;
    return Float32Array.of(token, 2 * token);
  };
  const norm = (token: number) => (token === 0 ? 1 : Math.sqrt(5) * token);
  return { table: { size, tokenize: () => [], row, norm }, rowsRead: () => reads };
}

/** Texts of 4,000 different tokens, so that each new column costs about a million multiplications. */
function heavyProfile() {
  const row = (token: number) => new Float32Array(256).fill(token + 1);
  const table: TokenTable = { size: 4000, tokenize: () => [], row, norm: token => 16 * (token + 1) };
  return { table, texts: [[...Array(4000).keys()]] };
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve));
}

function refuseNote(message: string): never {
  throw new Error(message);
}

function indicesOf(scored: readonly Scored[]): number[] {
  return scored.map(({ index }) => index);
}

function assertSorted(scored: readonly Scored[]): void {
  const sorted = [...scored].sort((a, b) => b.score - a.score || a.index - b.index);
  assert.deepEqual(indicesOf(scored), indicesOf(sorted));
}

function assertNear(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= 1e-3, `${what} is ${actual}, expected ${expected}`);
}

function assertDeepFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  assert.ok(Object.isFrozen(value), JSON.stringify(value).slice(0, 80));
  for (const member of Object.values(value)) assertDeepFrozen(member);
}
