import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { BOUNDARY_SPEAKS } from '../../brand/retrieval/brand.ts';
import { type Int8Rows, int8Rows } from '../../brand/retrieval/int8-rows.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { questionsIn } from '../../brand/retrieval/question.ts';
import { cautious, type Scored } from '../../brand/retrieval/ranking.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import { type SearchText, searchText } from '../../brand/retrieval/search-text.ts';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import { createVectorIndex } from '../../brand/retrieval/vector-index.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import { seeded } from '../profile/any-text.ts';
import { brandWith, MODEL as model, PROFILE as profile } from './example-model.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);
const claimTexts = profile.claims.map(searchText);
const questions = (await readFile(new URL('questions.jsonl', EXAMPLES), 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line): string => JSON.parse(line).query);
/** The reference reads a question as a whole. */
const isOne = ({ query }: { readonly query: string }) => questionsIn(query).length === 1;
const backgroundTexts: string[] = JSON.parse(await readFile(join(BUNDLED_MODEL, 'background.json'), 'utf8'));

type Part = 'dense' | 'expansion' | 'late' | 'lexical' | 'score';
type Whole = 'level' | 'rivals' | 'length';
interface Reference {
  gate: number;
  claims: (SearchText & { expansion?: number[] })[];
  queries: ({ query: string } & Record<Part, number[]> & Record<Whole, number>)[];
}

describe('the scores of the reference implementation', async () => {
  const reference: Reference & {
    others: Reference[];
    tokens: { token: number; weight: number; values: number[] }[];
  } = JSON.parse(await readFile(join(BUNDLED_MODEL, 'reference.json'), 'utf8'));

  for (const { gate, claims, queries } of [reference, ...reference.others]) {
    test(`are met to a thousandth in every part on ${claims.length} texts, the gate at ${gate}`, async () => {
      const retrieval = await createRetrieval({ ...model, texts: claims });
      assertNear(retrieval.gate, gate, 'gate');
      const { dense, expansion } = model.parameters.weights;
      for (const expected of queries.filter(isOne)) {
        const { scored, ...whole } = await retrieval.search(expected.query, claims.length);
        for (const part of ['level', 'rivals', 'length'] as const)
          assertNear(whole[part], expected[part], part);
        assert.equal(scored.length, claims.length);
        for (const hit of scored) {
          const what = `of claim ${hit.index} for "${expected.query}"`;
          for (const part of ['late', 'lexical', 'score'] as const) {
            assertNear(hit[part], expected[part][hit.index]!, `${part} ${what}`);
          }
          const meaning = dense * expected.dense[hit.index]! + expansion * expected.expansion[hit.index]!;
          assertNear(hit.meaning, meaning, `meaning ${what}`);
        }
      }
    });
  }

  test('become the similarities of the reference, which add up to the chance that any claim answers', async () => {
    const file = await readFile(join(BUNDLED_MODEL, 'encoder', 'reference.json'), 'utf8');
    const { queries }: { queries: { query: string; similarityTableAlone: number[] }[] } = JSON.parse(file);
    const retrieval = await retrievalOf(reference.claims);
    for (const { query, similarityTableAlone } of queries.filter(isOne)) {
      const { scored, some } = await retrieval.search(query, reference.claims.length);
      for (const { index, similarity } of scored) {
        assertNear(similarity, similarityTableAlone[index]!, `claim ${index} for "${query}"`);
      }
      assertNear(
        scored.reduce((sum, { similarity }) => sum + similarity, 0),
        some,
        query,
      );
    }
  });
});

describe('a ranking', () => {
  test('puts the best first, and equal texts in their own order', async () => {
    const texts = ['margen bruto', 'precio fijo', 'margen bruto', 'entrega', 'margen bruto'];
    const retrieval = await bankless(texts);
    const { scored } = await retrieval.search('margen bruto', 2000);
    assert.deepEqual(indicesOf(scored).slice(0, 3), [0, 2, 4]);
    assertSorted(scored);
  });

  test('of more than 512 texts scores the nearest and the best worded, with the scores that all would have', async () => {
    const texts = combinedTexts(600);
    const same = [7, 302, 403, 599];
    for (const index of same) texts[index] = 'Nuestro código interno de expediente es XQ-48151623.';
    const retrieval = await bankless(texts);
    assert.equal((await retrieval.search('日本語', 2000)).scored.length, 24, 'none is well worded');
    const { scored } = await retrieval.search('expediente XQ-48151623', 2000);
    assert.deepEqual(indicesOf(scored).slice(0, 4), same);
    assert.ok(scored.length >= 24 && scored.length <= 48, `${scored.length} candidates`);
    assert.equal(new Set(indicesOf(scored)).size, scored.length);
    assertSorted(scored);
  });
});

describe('loading a profile of thousands of claims', () => {
  test('lets others be answered between claims, and tells how far it is', async () => {
    const texts = plain(combinedTexts(1000));
    const head = ({ values, dims }: Int8Rows) => int8Rows(values.subarray(0, 16 * dims), dims);
    const { claims, questions } = model.bank!;
    const bank = { claims: head(claims), questions: head(questions), digest: 'a part of it' };
    const told = new Map<string, number[]>();
    const progress = (step: string, ...far: number[]) => told.set(step, far);
    const turns = await turnsDuring(() => createRetrieval({ ...model, bank, texts, progress }));
    assert.ok(turns >= 1000, `${turns} turns of the event loop`);
    assert.deepEqual([...told], [['expanding', [1000, 1000]]]);
  });

  test('computes what the bank says of a claim once, where vectors are kept', async () => {
    const there = new Map<string, Float32Array>();
    const asked: number[] = [];
    const kept = {
      find: async () => there,
      async keep(made: ReadonlyMap<string, Float32Array>) {
        asked.push(made.size);
        for (const [key, vector] of made) there.set(key, vector);
      },
    };
    const texts = plain(combinedTexts(100));
    const [first, second] = [
      await createRetrieval({ ...model, texts, kept }),
      await createRetrieval({ ...model, texts, kept }),
    ];
    assert.deepEqual(asked, [64, 36]);
    assert.deepEqual(await second.search('precio', 5), await first.search('precio', 5));
    await createRetrieval({ ...model, texts: [...texts, ...plain(['Un taller de relojes.'])], kept });
    assert.deepEqual(asked, [64, 36, 1]);
  });
});

/** Where the optional package is not compiled, exact search stands in for it, which is tested everywhere. */
const { kind: INDEX } = await createVectorIndex([Float32Array.of(1)]);
const NO_HNSW = INDEX === 'exact' && 'hnswlib-node is not installed: no index to test, exact search answers';

describe('the vector index', () => {
  const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(0.6, 0.8)];
  for (const kind of ['hnsw', 'exact'] as const) {
    const options = kind === 'exact' ? { load: () => Promise.reject(new Error('not built')) } : {};
    const skip = kind === 'hnsw' && NO_HNSW;

    test(`(${kind}) gives the nearest first, and all where more are asked for`, { skip }, async () => {
      const index = await createVectorIndex(vectors, options);
      assert.equal(index.kind, kind);
      assert.deepEqual(index.search(Float32Array.of(1, 0), 2), [0, 2]);
      assert.deepEqual(index.search(Float32Array.of(0, 1), 50), [1, 2, 0]);
      assert.deepEqual(index.search(Float32Array.of(0, 1), 0), []);
    });

    test(`(${kind}) refuses in JavaScript whatever would abort the process`, async () => {
      const index = await createVectorIndex(vectors, options);
      for (const numbers of [[Number.NaN, 0], [Number.POSITIVE_INFINITY, 0], [1], [1, 2, 3], []])
        assert.throws(() => index.search(Float32Array.from(numbers), 1), RangeError);
      for (const noVector of [['a', 'b'], [1, 0], null, { length: 2 }, 'ab', 7]) {
        assert.throws(() => index.search(Object(noVector), 1), TypeError);
        await assert.rejects(createVectorIndex([Object(noVector)], options), TypeError);
      }
      for (const k of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        assert.throws(() => index.search(Float32Array.of(1, 0), k), RangeError);
      for (const faulty of [[Float32Array.of(1, 0), Float32Array.of(1)], [Float32Array.of(Number.NaN)]])
        await assert.rejects(createVectorIndex(faulty, options), RangeError);
    });
  }

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
  const brand = await brandWith({ progress: refuseNote });

  test('needs more to answer a question for a price, since other things have prices too', async () => {
    const retrieval = await retrievalOf(claimTexts);
    const bestOf = async (question: string) => {
      const [raw] = (await retrieval.search(question, 5)).scored;
      const [shown] = (await brand.ask(question)).matches;
      return [raw?.similarity ?? 0, shown?.similarity ?? 0] as const;
    };
    const [raw, shown] = await bestOf('¿Cuánto cuesta el diagnóstico?');
    assert.ok(shown < raw - 0.01 && shown >= 0.8, `${raw} ${shown}`);
    const [same, kept] = await bestOf('¿Cuánto dura el diagnóstico?');
    assert.ok(Math.abs(same - kept) < 0.0001, `${same} ${kept}`);
  });

  test('leaves out what is below the floor, and nothing where the floor is 0', async () => {
    const none = await brandWith({ floors: { match: 0 } });
    const edge = (await none.ask(questions[0]!)).matches[1]?.similarity ?? 0;
    const some = await brandWith({ floors: { match: edge, some: 0 } });
    const retrieval = await retrievalOf(claimTexts);
    for (const question of questions.slice(0, 40)) {
      const whole = (await none.ask(question)).matches;
      assert.equal(whole.length, 5);
      const { scored } = cautious(question, await retrieval.search(question, 5), model.parameters);
      for (const [at, { similarity }] of scored.entries()) {
        assert.ok(Math.abs(similarity - (whole[at]?.similarity ?? 0)) <= 0.00005, 'to four decimals');
      }
      for (const [asked, floor] of [[some, edge] as const, [brand, 0.02] as const]) {
        const { matches } = await asked.ask(question);
        if (asked === brand && matches.length === 0) continue;
        assert.deepEqual(
          matches,
          whole.filter(({ similarity }) => similarity >= floor),
        );
      }
    }
    const uncalibrated = await brandWith({ bank: undefined, calibrated: false });
    for (const asked of [none, uncalibrated]) assert.equal((await asked.ask('de')).matches.length, 5);
  });

  test('has no match where no claim is likely to answer, and says so in a note; a good answer has none', async () => {
    const whole = await brandWith({ floors: { some: 0 } });
    const retrieval = await retrievalOf(claimTexts);
    const answers = await Promise.all(questions.map(question => brand.ask(question)));
    for (const answer of answers) {
      const { some } = await retrieval.search(answer.query, 5);
      const all = await whole.ask(answer.query);
      assert.deepEqual(answer.matches, some < 0.15 ? [] : all.matches);
      const isGood = bandOf(answer.matches[0]?.similarity ?? 0) === 'answers' && !answer[BOUNDARY_SPEAKS];
      assert.equal(answer.note === undefined, isGood);
    }
    assert.ok(answers.some(({ matches }) => matches.length === 0));
    for (const answer of answers) assert.equal(brand.json(answer), JSON.stringify(answer));
    assert.match((await brand.ask('...')).note ?? '', /^No claim answers this\./);
  });

  test('says that the boundary speaks where the question is about what the first claim excludes', async () => {
    const [{ statement, boundary } = assert.fail()] = profile.claims;
    const [inside, outside] = await Promise.all([
      brand.ask(statement),
      brand.ask(boundary.not_applicable_for),
    ]);
    assert.equal(inside[BOUNDARY_SPEAKS], undefined);
    assert.equal(outside[BOUNDARY_SPEAKS], true);
    const named = await brand.ask('¿Trabajáis en Brasil?'); // a name that only the boundary has
    assert.equal(named[BOUNDARY_SPEAKS], true);
    assert.match(outside.note ?? '', /not_applicable_for/);
    assert.deepEqual(Object.keys(askBrand().body(outside)), ['brand', 'query', 'matches', 'note']);
  });

  for (const [kind, texts] of Object.entries({
    'function words': ['de', 'the', 'a', '¿y por qué no?', 'what is the', 'How?'],
    punctuation: ['...', '¿?', '!!', '—', '😀'],
    'one letter or digit': ['x', 'e', 'ñ', '1', '24'],
    'keyboard noise': ['asdfgh qwerty', 'zxcvbnm', 'sdkfjh skdjfh', 'asdf jkl ñlkj'],
    'other scripts': ['日本語', 'привет мир', 'مرحبا', 'ﷺ'],
    'odd characters': ['', '\0', '\ud83d', '\u0301'],
    "the brand's own name": ['Norte Claro', '¿norte claro?'],
  })) {
    test(`finds nothing for ${kind} alone`, async () => {
      for (const text of texts) assert.deepEqual((await brand.ask(text)).matches, [], text);
    });
  }

  for (const text of [
    ...['receta de paella valenciana', 'how do I bake bread', 'the weather tomorrow', 'McKinsey', 'Deloitte'],
  ]) {
    test(`calls nothing an answer to "${text}"`, async () => {
      for (const { similarity } of (await brand.ask(text)).matches)
        assert.notEqual(bandOf(similarity), 'answers', `${similarity}`);
    });
  }
});

/** Texts that resemble each other as claims of one firm do: three sentences drawn from those of the background texts. */
function combinedTexts(count: number): string[] {
  const random = seeded(20_261_121);
  const sentences = backgroundTexts.flatMap(text => text.split(/(?<=\.) /));
  const draw = () => sentences[Math.floor(random() * sentences.length)];
  return Array.from({ length: count }, () => `${draw()} ${draw()} ${draw()}`);
}

function retrievalOf(texts: readonly SearchText[]) {
  return createRetrieval({ ...model, texts });
}

/** Many texts, without the time that the bank takes. */
function bankless(texts: readonly string[]) {
  return createRetrieval({ ...model, bank: undefined, texts: plain(texts) });
}

/** Texts that are all head. */
function plain(texts: readonly string[]): SearchText[] {
  return texts.map(text => ({ head: text, text }));
}

/** How often the event loop comes round while something is done. */
async function turnsDuring(act: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let timer: NodeJS.Immediate;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  timer = setImmediate(count);
  await act();
  clearImmediate(timer);
  return turns;
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
