import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { type Encoder, openEncoder, RuntimeMissing, readClaims } from '../../brand/retrieval/encoder.ts';
import { openTokenIds } from '../../brand/retrieval/encoder-thread.js';
import { NoPlace } from '../../brand/retrieval/line.ts';
import { loadEncoder, loadModel } from '../../brand/retrieval/model.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { questionsIn } from '../../brand/retrieval/question.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import type { SearchText } from '../../brand/retrieval/search-text.ts';
import { dot, norm, unit } from '../../brand/retrieval/vector.ts';
import { readConfig } from '../../server/config/config.ts';
import { openDatabase } from '../../server/outbox/database.ts';
import { createKeptVectors } from '../../server/run/kept-vectors.ts';
import { temporaryFolder } from '../support/folder.ts';
import { exampleBrand, startApp } from '../support/support.ts';
import { brandWith as exampleWith } from './example-model.ts';

const DIRECTORY = join(BUNDLED_MODEL, 'encoder');
const { embedding } = readConfig({ ENCODER: 'auto', ENCODER_THREADS: '1' });
const model = await loadModel(embedding);
const part = model.encoder;
const skip = !part && `the encoder cannot run here: ${model.answeredBy}`;

interface Reference {
  readonly tokens: readonly { readonly text: string; readonly ids: readonly number[] }[];
  readonly vectors: readonly { readonly text: string; readonly vector: readonly number[] }[];
  readonly queries: readonly (Record<'cosine' | 'score' | 'similarity', number[]> &
    Record<'some' | 'level' | 'rivals' | 'length', number> & { readonly query: string })[];
}

describe('the encoder of the reference', { skip }, () => {
  const reference: Reference = JSON.parse(readFileSync(join(DIRECTORY, 'reference.json'), 'utf8'));
  const { claims }: { claims: SearchText[] } = JSON.parse(
    readFileSync(join(BUNDLED_MODEL, 'reference.json'), 'utf8'),
  );

  test('reads texts as the same pieces', async () => {
    const idsOf = await openTokenIds(readFileSync(join(DIRECTORY, 'tokenizer.json')));
    for (const { text, ids } of reference.tokens) {
      const [, role, rest = ''] = /^(passage|query): (.*)$/s.exec(text) ?? [];
      assert.deepEqual([...idsOf(rest, role === 'query' ? 'question' : 'claim')].map(Number), ids, text);
    }
  });

  test('gives the same vectors', async () => {
    for (const { text, vector } of reference.vectors) {
      const read = await part!.ask(text.replace('query: ', ''));
      const expected = Float32Array.from(vector);
      assert.ok(dot(read, expected) / norm(expected) > 0.997, text);
    }
  });

  test('gives the same cosines, scores, similarities and order', async () => {
    const retrieval = await createRetrieval({ ...model, texts: claims });
    // Another processor rounds otherwise: one number in a hundred may be off by up to twice as much.
    let [numbers, off] = [0, 0];
    const near = (value: number, expected: number, tolerance: number, what: string) => {
      const distance = Math.abs(value - expected);
      numbers += 1;
      off += Number(distance > tolerance);
      assert.ok(distance <= 2 * tolerance, `${what}: ${value}, not ${expected}`);
    };
    for (const expected of reference.queries) {
      if (questionsIn(expected.query).length > 1) continue; // the reference reads a question as a whole
      const { scored, ...whole } = await retrieval.search(expected.query, claims.length);
      near(whole.some, expected.some, 0.02, 'some');
      for (const name of ['level', 'rivals', 'length'] as const)
        near(whole[name], expected[name], 0.01, name);
      for (const hit of scored) {
        const what = `claim ${hit.index} for "${expected.query}"`;
        near(hit.cosine, expected.cosine[hit.index]!, 0.01, what);
        near(hit.score, expected.score[hit.index]!, 0.01, what);
        near(hit.similarity, expected.similarity[hit.index]!, 0.02, what);
      }
      const score = (place: number) => expected.score[scored[place]!.index]!;
      for (const place of [0, 1, 2])
        assert.ok(score(place) > score(place + 1) - 0.02, `order for "${expected.query}"`);
    }
    assert.ok(off < numbers / 100, `${off} of ${numbers}`);
  });
});

describe('a brand with an encoder', { skip }, async () => {
  const brand = part && (await exampleWith(model));
  const ask = (question: string) => brand!.ask(question);

  test('answers in the languages that people ask in', async () => {
    for (const [question, claim] of [
      ['¿Cuánto cuesta el diagnóstico?', 'clm-diagnostic-price'],
      ['Combien coûte le diagnostic ?', 'clm-diagnostic-price'],
      ['how long until the first report?', 'clm-diagnostic-duration'],
      ['¿Qué pasa con nuestros ficheros cuando terminamos?', 'clm-data-confidentiality'],
    ] as const)
      assert.equal((await ask(question)).matches[0]?.claim_id, claim, question);
  });

  test('has no match for what nobody claims', async () => {
    for (const question of [
      ...['gracias', 'capital of France', "what's the weather tomorrow", 'asdfgh qwerty', 'de la', ''],
    ])
      assert.deepEqual((await ask(question)).matches, [], question);
  });
});

describe('an encoder that cannot be used', { skip }, () => {
  const refused = (directory: string) => openEncoder(directory, { threads: 1 });

  for (const file of ['model.onnx', 'tokenizer.json']) {
    test(`is refused at start, its file named, where ${file} is cut off`, async () => {
      const directory = temporaryFolder();
      for (const name of ['model.onnx', 'tokenizer.json'])
        copyFileSync(join(DIRECTORY, name), join(directory, name));
      truncateSync(join(directory, file), 100_000);
      await assert.rejects(refused(directory), new RegExp(`^Error: ${join(directory, file)}: \\S`));
    });
  }
});

describe('without an encoder', () => {
  test('the table answers alone where it is off, or where the model has none', async () => {
    assert.equal(await loadEncoder(BUNDLED_MODEL, { use: 'off' }), 'ENCODER=off');
    assert.equal(await loadEncoder('/nonexistent', { use: 'auto' }), 'the model has no folder encoder/');
    await assert.rejects(
      loadEncoder('/nonexistent', { use: 'on' }),
      /^Error: ENCODER=on, but the model has no folder/,
    );
    const { answeredBy } = await loadModel({ ...embedding, encoder: { use: 'off' } });
    assert.equal(answeredBy, 'table alone (ENCODER=off)');
  });

  test('the table answers alone where the runtime cannot be loaded', async () => {
    const thread = threadOf(
      "export const open = () => ({ missing: 'no binary for this machine' }); export default open;",
    );
    await assert.rejects(openEncoder('', { threads: 1, thread }), RuntimeMissing);
  });
});

describe('the line before the encoder', () => {
  /** Reads a text when a file of its name is there: the test says when. */
  const opened = async () => {
    const folder = temporaryFolder();
    const thread = threadOf(`
      import { appendFileSync, existsSync } from 'node:fs';
      const folder = ${JSON.stringify(folder)};
      export const open = () => ({ digest: 'd' });
      const one = async ({ text, role }) => {
        if (text === 'fail') throw new Error('the encoder failed on a text');
        while (!existsSync(folder + '/go')) await new Promise(resolve => setTimeout(resolve, 1));
        appendFileSync(folder + '/read', role + ' ' + text + '\\n');
        return new Float32Array([text.length]);
      };
      let before = Promise.resolve();
      export default task => {
        const reading = before.then(() => one(task));
        before = reading.catch(() => {});
        return reading;
      };`);
    const encoder = await openEncoder('', { threads: 1, thread });
    const read = () => readFileSync(`${folder}/read`, 'utf8').trim().split('\n');
    return { encoder, read, go: () => writeFileSync(`${folder}/go`, '') };
  };

  test('serves first come, first served, and questions before claims', async () => {
    const { encoder, read, go } = await opened();
    const claims = ['one', 'two', 'three'].map(text => encoder.read(text));
    const waiting = [...claims, encoder.ask('a'), encoder.ask('b')];
    go();
    await Promise.all(waiting);
    assert.deepEqual(read(), ['claim one', 'claim two', 'question a', 'question b', 'claim three']);
  });

  test('has sixteen places for one network, and others for the rest', async () => {
    const { encoder, go } = await opened();
    const begun = ['begun', 'next'].map(text => encoder.ask(text, { network: 'flood' }));
    const flood = Array.from({ length: 16 }, (_, nth) => encoder.ask(`flood ${nth}`, { network: 'flood' }));
    const refused = assert.rejects(encoder.ask('one more', { network: 'flood' }), NoPlace);
    const other = encoder.ask('other', { network: 'other' });
    go();
    await Promise.all([...begun, ...flood, refused, other]);
  });

  test('gives a long question the places of several, so that it holds up nobody for long', async () => {
    const { encoder, go } = await opened();
    const long = (nth: number) => encoder.ask(`${nth}`.padEnd(1000), { network: 'flood' });
    const begun = [long(1), long(2), long(3)];
    const refused = assert.rejects(long(4), NoPlace);
    const short = encoder.ask('short', { network: 'flood' });
    go();
    await Promise.all([...begun, refused, short]);
  });

  test('drops the questions of clients who have hung up', async () => {
    const { encoder, read, go } = await opened();
    const gone = new AbortController();
    const begun = ['begun', 'next'].map(text => encoder.ask(text));
    const dropped = encoder.ask('dropped', { network: 'a', signal: gone.signal });
    gone.abort(new Error('hung up'));
    await assert.rejects(dropped, /hung up/);
    await assert.rejects(encoder.ask('late', { network: 'a', signal: gone.signal }), /hung up/);
    const last = encoder.ask('last');
    go();
    await Promise.all([...begun, last]);
    assert.deepEqual(read(), ['question begun', 'question next', 'question last']);
  });

  test('goes on after a text that the model fails on', async () => {
    const { encoder, go } = await opened();
    go();
    await assert.rejects(encoder.ask('fail'), /^Error: the encoder failed on a text$/);
    assert.deepEqual([...(await encoder.ask('four'))], [4]);
  });
});

describe('vectors of claims', () => {
  const numbersOf = (vectors: readonly Float32Array[]) => vectors.flatMap(vector => [...vector]);
  const counting = (digest = 'd') => {
    const read: string[] = [];
    const encoder: Encoder = {
      digest,
      ask: async () => new Float32Array([1]),
      async read(text) {
        read.push(text);
        return new Float32Array([text.length, 0.5]);
      },
      close: async () => {},
    };
    return { encoder, read };
  };

  test('are kept, so that only new claims are read, whatever process reads them', async t => {
    const database = await openDatabase({ dataDirectory: temporaryFolder() });
    t.after(() => database.close());
    const kept = createKeptVectors(database);
    const { encoder, read } = counting();
    const first = await readClaims(encoder, ['one', 'three', 'one'], { kept });
    assert.deepEqual(numbersOf(first), [3, 0.5, 5, 0.5, 3, 0.5]);
    assert.deepEqual(read, ['one', 'three']);
    const again = await readClaims(encoder, ['three', 'fourth'], { kept: createKeptVectors(database) });
    assert.deepEqual(numbersOf(again), [5, 0.5, 6, 0.5]);
    assert.deepEqual(read, ['one', 'three', 'fourth']);
    const other = counting('other model');
    await readClaims(other.encoder, ['one'], { kept });
    assert.deepEqual(other.read, ['one']);
  });
});

describe('questions', () => {
  const vector = unit(Float32Array.from({ length: 384 }, (_, at) => at + 1));
  const brandWith = (ask: Encoder['ask']) =>
    exampleWith({ ...model, encoder: { digest: 'd', ask, read: async () => vector, close: async () => {} } });
  const question = '¿Cuánto cuesta el diagnóstico?';

  test('that find no place are answered by the table alone at once, which is counted and not kept', async () => {
    let hasPlace = false;
    const brand = await brandWith(async () => {
      if (!hasPlace) throw new NoPlace();
      return vector;
    });
    const alone = await exampleWith({ ...model, encoder: undefined });
    assert.deepEqual(await brand.ask(question), await alone.ask(question));
    assert.equal(brand.alone(), 1);
    hasPlace = true;
    assert.notDeepEqual(await brand.ask(question), await alone.ask(question));
    assert.equal(brand.alone(), 1);
  });

  test('are given up when all who asked have hung up, and not before', async () => {
    let given: AbortSignal | undefined;
    const brand = await brandWith((_, asker) => {
      given = asker?.signal;
      return new Promise((_, reject) => given?.addEventListener('abort', () => reject(given?.reason)));
    });
    const [one, other] = [new AbortController(), new AbortController()];
    const answers = [one, other].map(({ signal }) => brand.ask(question, { network: 'a', signal }));
    const settled = Promise.allSettled(answers);
    one.abort();
    assert.equal(given?.aborted, false);
    other.abort();
    assert.deepEqual(
      (await settled).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(given?.aborted, true);
  });

  test('of a client who closes the connection are given up', async t => {
    let tell = (_: AbortSignal | undefined) => {};
    const asked = new Promise<AbortSignal | undefined>(resolve => {
      tell = resolve;
    });
    const ask: Brand['ask'] = (_, asker) => {
      tell(asker?.signal);
      return new Promise((_, reject) =>
        asker?.signal?.addEventListener('abort', () => reject(asker.signal?.reason)),
      );
    };
    const { url } = await startApp(t, { brand: { ...(await exampleBrand()), ask } });
    const client = new AbortController();
    const answer = fetch(`${url}/ask?q=precio`, { signal: client.signal });
    const signal = await asked;
    assert.equal(signal?.aborted, false);
    const gone = new Promise(resolve => signal?.addEventListener('abort', resolve));
    client.abort();
    await Promise.all([assert.rejects(answer), gone]);
  });
});

/** A module for threads. */
function threadOf(code: string): string {
  const file = join(temporaryFolder(), 'thread.mjs');
  writeFileSync(file, code);
  return file;
}
