import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { loadProfile } from '../brand/profile/profile.ts';
import { buildBrand } from '../brand/retrieval/answers.ts';
import { type Encoder, EncoderBusy } from '../brand/retrieval/encoder.ts';
import { createFairQueue } from '../brand/retrieval/fair-queue.ts';
import { loadModel } from '../brand/retrieval/load-embedder.ts';
import { loadEncoder } from '../brand/retrieval/load-encoder.ts';
import { readClaims } from '../brand/retrieval/read-claims.ts';
import { createRetrieval } from '../brand/retrieval/retrieval.ts';
import { BUNDLED_MODEL } from '../brand/retrieval/retrieval-model.ts';
import { searchText } from '../brand/retrieval/search-text.ts';
import { bandOf } from '../brand/retrieval/similarity.ts';
import { openPool, RuntimeMissing } from '../brand/retrieval/thread-pool.ts';
import { openTokenIds } from '../brand/retrieval/token-ids.ts';
import { dot, norm } from '../brand/retrieval/vector.ts';
import { createKeptVectors } from '../server/brand/kept-vectors.ts';
import { readConfig } from '../server/config/config.ts';
import { openDatabase } from '../server/database/database.ts';
import { sql } from '../server/database/sql.ts';
import { temporaryFolder } from './folder.ts';
import { hostileTexts } from './hostile-texts.ts';
import { assertRefused, bodyOf, exampleBrand, post, ROOT, startApp } from './support.ts';

const DIRECTORY = join(BUNDLED_MODEL, 'encoder');
const { embedding } = readConfig({ ENCODER: 'auto', ENCODER_THREADS: '1' });
const model = await loadModel(embedding);
const part = model.encoder;
const skip = !part && `the encoder cannot run here: ${model.answeredBy}`;
const { profile, digest } = await loadProfile(`${ROOT}examples/brand.json`);
const texts = profile.claims.map(searchText);

interface Reference {
  readonly tokens: readonly { readonly text: string; readonly ids: readonly number[] }[];
  readonly vectors: readonly { readonly text: string; readonly vector: readonly number[] }[];
  readonly queries: readonly (Record<'cosine' | 'score' | 'similarity', number[]> &
    Record<'some' | 'level' | 'rivals' | 'length', number> & { readonly query: string })[];
}

describe('the encoder of the reference', { skip }, () => {
  const reference: Reference = JSON.parse(readFileSync(join(DIRECTORY, 'reference.json'), 'utf8'));

  test('reads texts as the same pieces', async () => {
    const idsOf = await openTokenIds(readFileSync(join(DIRECTORY, 'tokenizer.json')));
    for (const { text, ids } of reference.tokens) {
      const [, role, rest = ''] = /^(passage|query): (.*)$/s.exec(text) ?? [];
      assert.deepEqual([...idsOf(rest, role === 'query' ? 'question' : 'claim')].map(Number), ids, text);
    }
  });

  test('gives the same vectors', async () => {
    for (const { text, vector } of reference.vectors) {
      const read = await part!.encoder.ask(text.replace('query: ', ''), 'test');
      const expected = Float32Array.from(vector);
      assert.ok(dot(read, expected) / norm(expected) > 0.9999, text);
    }
  });

  test('gives the same cosines, scores, similarities and order', async () => {
    const retrieval = await createRetrieval({ ...model, texts });
    for (const expected of reference.queries) {
      const { scored, ...whole } = await retrieval.search(expected.query, texts.length);
      for (const name of ['some', 'level', 'rivals', 'length'] as const) near(whole[name], expected[name], 0.01, name);
      for (const hit of scored) {
        const what = `claim ${hit.index} for "${expected.query}"`;
        near(hit.cosine, expected.cosine[hit.index]!, 0.01, what);
        near(hit.score, expected.score[hit.index]!, 0.01, what);
        near(hit.similarity, expected.similarity[hit.index]!, 0.02, what);
      }
      const score = (place: number) => expected.score[scored[place]!.index]!;
      for (const place of [0, 1, 2]) assert.ok(score(place) > score(place + 1) - 0.01, `order for "${expected.query}"`);
    }
  });
});

describe('a brand with an encoder', { skip }, async () => {
  const brand = part && (await buildBrand({ ...model, profile, digest }));
  const ask = (question: string) => brand!.ask(question);

  for (const [question, claim] of [
    ['¿Cuánto cuesta el diagnóstico?', 'clm-diagnostic-price'],
    ['Quanto custa o diagnóstico?', 'clm-diagnostic-price'],
    ['Combien coûte le diagnostic ?', 'clm-diagnostic-price'],
    ['how long until the first report?', 'clm-diagnostic-duration'],
    ['¿Qué pasa con nuestros ficheros cuando terminamos?', 'clm-data-confidentiality'],
  ] as const) {
    test(`answers "${question}"`, async () => {
      assert.equal((await ask(question)).matches[0]?.claim_id, claim);
    });
  }

  for (const question of [
    'gracias',
    'hola',
    'capital of France',
    "what's the weather tomorrow",
    'asdfgh qwerty',
    'de la',
    '',
  ]) {
    test(`has no match for "${question}"`, async () => {
      const answer = await ask(question);
      assert.deepEqual(answer.matches, []);
    });
  }

  test('calls no claim the answer to how long a project takes, since none says it', async () => {
    for (const { similarity } of (await ask('¿cuánto tarda un proyecto?')).matches) {
      assert.equal(bandOf(similarity), 'possible');
    }
  });

  test('answers any text whatever, the same text the same way', async () => {
    const again = await buildBrand({ ...model, profile, digest });
    for (const text of hostileTexts(64)) {
      const answer = await ask(text);
      for (const { similarity } of answer.matches) assert.ok(similarity > 0 && similarity <= 1);
      assert.deepEqual(await again.ask(text), answer);
    }
  });
});

describe('a practice of physiotherapy, a trade that no training has seen', { skip }, async () => {
  const claims = [
    [
      'session',
      'One session of 50 minutes costs 48 euros, paid on the day.',
      'Adults with an appointment. Home visits.',
    ],
    [
      'package',
      'A package of twenty sessions costs 780 euros and is valid for a year.',
      'Clients after a first session.',
    ],
    [
      'pregnancy',
      'We do not treat pregnant women after week 12; we refer them to a midwife.',
      'Pregnancies from week 13 on.',
    ],
    ['knee', 'After a knee operation 83 % walk without crutches after six weeks.', 'Meniscus and cruciate ligaments.'],
    ['wait', 'The first appointment is within three working days.', 'New clients. August.'],
    ['children', 'We treat children from six years on, with a parent in the room.', 'Sports injuries. Babies.'],
    [
      'cancel',
      'An appointment can be cancelled free of charge up to 24 hours before.',
      'All appointments. Group classes.',
    ],
  ] as const;
  const found = claims.map(([, head, bounds]) => ({ head, text: `${head} ${bounds}` }));
  const retrieval = part && (await createRetrieval({ ...model, texts: found }));
  const namesOf = async (question: string) =>
    (await retrieval!.search(question, 2)).scored.map(({ index }) => claims[index]?.[0]);

  for (const [question, name] of [
    ['price of a single visit', 'session'],
    ['I am pregnant, can I come?', 'pregnancy'],
    ['¿puedo ir si estoy embarazada?', 'pregnancy'],
    ['what if I cannot make it tomorrow?', 'cancel'],
    ['my son is eight, do you see him?', 'children'],
    ['how soon can I come?', 'wait'],
  ] as const) {
    test(`finds ${name} first for "${question}"`, async () => assert.equal((await namesOf(question))[0], name));
  }

  test('finds both prices for "how much is one session?"', async () => {
    assert.deepEqual((await namesOf('how much is one session?')).toSorted(), ['package', 'session']);
  });

  for (const question of ['do you treat fibromyalgia?', '¿tratáis la fibromialgia?', 'do you sell gift cards?']) {
    test(`calls nothing an answer to "${question}"`, async () => {
      const { scored } = await retrieval!.search(question, 5);
      for (const { similarity } of scored) assert.notEqual(bandOf(similarity), 'answers');
    });
  }
});

describe('an encoder that cannot be used', { skip }, () => {
  /** What a start does with claims that no vectors are kept of. */
  const refused = async (directory: string) => {
    const encoder = await openPool(directory, { threads: 1, note: () => {} });
    return encoder.read(['a'], 'claim');
  };

  for (const file of ['model.onnx', 'tokenizer.json']) {
    test(`is refused at start, its file named, where ${file} is cut off`, async () => {
      const directory = copyOf(['model.onnx', 'tokenizer.json']);
      truncateSync(join(directory, file), 100_000);
      await assert.rejects(refused(directory), new RegExp(`^Error: ${join(directory, file)}: \\S`));
    });
  }

  test('is refused where its files are exchanged', async () => {
    const directory = copyOf(['tokenizer.json', 'model.onnx'], ['model.onnx', 'tokenizer.json']);
    await assert.rejects(refused(directory), /tokenizer\.json: /);
  });

  test('is refused where a file is missing', async () => {
    await assert.rejects(refused(copyOf(['tokenizer.json'])), /model\.onnx/);
  });
});

describe('without an encoder', () => {
  test('the table answers alone where it is off, or where the model has none', async () => {
    assert.deepEqual(await loadEncoder(BUNDLED_MODEL, { use: 'off' }), { absent: 'ENCODER=off' });
    const absent = 'the model has no folder encoder/';
    assert.deepEqual(await loadEncoder('/nonexistent', { use: 'auto' }), { absent });
    await assert.rejects(loadEncoder('/nonexistent', { use: 'on' }), /^Error: ENCODER=on, but the model has no folder/);
    const { answeredBy } = await loadModel({ ...embedding, encoder: { use: 'off' } });
    assert.equal(answeredBy, 'table alone (ENCODER=off)');
  });

  test('the table answers alone where the runtime cannot be loaded', async () => {
    const start = () => thread("parentPort.postMessage({ missing: 'no binary for this machine' })");
    await assert.rejects(openPool('', { threads: 1, note: () => {}, start }), RuntimeMissing);
  });

  test('a model that cannot be opened refuses the texts that wait for it, and says why', async () => {
    const start = () =>
      thread("parentPort.postMessage({ digest: 'd' }); parentPort.postMessage({ fault: 'no room' });");
    const encoder = await openPool('', { threads: 1, note: () => {}, start });
    await assert.rejects(encoder.read(['a'], 'claim'), /^Error: no room$/);
    await assert.rejects(encoder.ask('a', 'a'), /^Error: no room$/);
  });
});

describe('threads', () => {
  const ECHO = `parentPort.postMessage({ digest: 'd' });
    parentPort.postMessage({ opened: true });
    parentPort.on('message', ({ text }) => {
      if (text.startsWith('die')) process.exit();
      const ms = Number(/^(\\d+) ms/.exec(text)?.[1] ?? 1);
      parentPort.postMessage(text === 'fail' ? { ms } : { ms, vector: new Float32Array([text.length]) });
    });`;
  const open = (options: { threads?: number; mostWaiting?: number } = {}) => {
    const notes: string[] = [];
    let started = 0;
    const start = () => {
      started += 1;
      return thread(ECHO);
    };
    const pool = openPool('', { threads: 1, note: note => notes.push(note), start, ...options });
    return { pool, notes, started: () => started };
  };

  test('that end are started again, and their question is asked again once', async () => {
    const { pool, notes, started } = open();
    const encoder = await pool;
    await assert.rejects(encoder.ask('die', 'a'), /ended twice over a text/);
    assert.deepEqual([...(await encoder.ask('four', 'a'))], [4]);
    assert.equal(started(), 3);
    assert.equal(notes.length, 2);
  });

  test('answer the other questions of one that ends them', async () => {
    const encoder = await open().pool;
    const [died, ...others] = await Promise.allSettled(['die', 'a', 'bb', 'ccc'].map(text => encoder.ask(text, text)));
    assert.equal(died?.status, 'rejected');
    assert.deepEqual(
      others.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled'],
    );
  });

  test('refuse a text that the model fails on, without its words', async () => {
    const encoder = await open().pool;
    await assert.rejects(encoder.ask('fail', 'a'), /^Error: the encoder failed on a text$/);
    await assert.rejects(encoder.read(['fail'], 'claim'), /failed on a text/);
  });

  test('start only where work waits', async () => {
    const { pool, started } = open({ threads: 3 });
    const encoder = await pool;
    await encoder.ask('a', 'a');
    assert.equal(started(), 1);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map(text => encoder.ask(text, text)));
    assert.ok(started() > 1);
  });

  test('read questions before claims', async () => {
    const encoder = await open().pool;
    await encoder.ask('a', 'a');
    const order: string[] = [];
    const claims = encoder.read(['1', '22', '333'], 'claim', () => order.push('claim'));
    await encoder.ask('q', 'a').then(() => order.push('question'));
    await claims;
    assert.deepEqual(order, ['claim', 'question', 'claim', 'claim']);
  });

  test('let a client with long questions rest while others ask, and answer it all the same', async () => {
    const encoder = await open().pool;
    const order: string[] = [];
    const ask = (text: string, client: string) => encoder.ask(text, client).then(() => order.push(text));
    await Promise.all([ask('short', 'visitor'), ask('500 ms', 'heavy')]);
    const heavy = [ask('50 ms, first', 'heavy'), ask('50 ms, last', 'heavy')];
    await heavy[0];
    await ask('later', 'visitor');
    await Promise.all(heavy);
    assert.deepEqual(order, ['short', '500 ms', '50 ms, first', 'later', '50 ms, last']);
  });

  test('read what several clients ask once, at the turn of whoever comes first', async () => {
    const counting = `let read = 0;
      parentPort.postMessage({ digest: 'd' });
      parentPort.postMessage({ opened: true });
      parentPort.on('message', () => parentPort.postMessage({ ms: 1, vector: new Float32Array([(read += 1)]) }));`;
    const encoder = await openPool('', { threads: 1, note: () => {}, start: () => thread(counting) });
    const flood = ['1', '2', '3', '4', 'same'].map(text => encoder.ask(text, 'flood'));
    const [visitor] = await encoder.ask('same', 'visitor');
    assert.ok(visitor !== undefined && visitor < 4, 'before the flood');
    assert.equal((await Promise.all(flood)).at(-1)?.[0], visitor);
    assert.deepEqual([...(await encoder.ask('other', 'visitor'))], [6]);
  });

  test('refuse questions beyond the bound with a wait, of the client with most of them', async () => {
    const encoder = await open({ mostWaiting: 3 }).pool;
    await encoder.ask('a', 'a');
    const ask = (client: string) =>
      encoder.ask('a', client).then(
        () => client,
        error => error,
      );
    const [first, ...rest] = await Promise.all(['flood', 'flood', 'flood', 'flood', 'visitor'].map(ask));
    assert.equal(first, 'flood');
    assert.equal(rest.filter(one => one === 'flood').length, 2);
    const refused = rest.find(one => one instanceof EncoderBusy);
    assert.equal(Object(refused).waitSeconds, 1);
    assert.equal(rest.at(-1), 'visitor');
  });
});

describe('the queue', () => {
  const queueAt = () => {
    const clock = { ms: 0 };
    return { clock, queue: createFairQueue<string>(10, () => clock.ms) };
  };

  test('gives the turn to whoever has had the least, and forgets that with time', () => {
    const { clock, queue } = queueAt();
    for (const job of ['a1', 'a2', 'b1']) queue.add(job.charAt(0), job);
    const taken = [queue.next()];
    queue.charge('a', 10);
    taken.push(queue.next());
    queue.charge('b', 5);
    queue.add('b', 'b2');
    taken.push(queue.next(), queue.next());
    assert.deepEqual(taken, ['a1', 'b1', 'b2', 'a2']);
    clock.ms += 1000;
    queue.charge('a', 1);
    queue.charge('b', 2);
    for (const job of ['b3', 'a3']) queue.add(job.charAt(0), job);
    assert.deepEqual([queue.next(), queue.next(), queue.next()], ['a3', 'b3', undefined]);
  });

  test('lets a client that has had much rest for twice its turn, while others ask', () => {
    const { clock, queue } = queueAt();
    queue.charge('b', 1);
    for (const job of ['a1', 'a2']) queue.add('a', job);
    queue.charge('a', 500);
    assert.equal(queue.next(), 'a1', 'what a client may have at once');
    queue.charge('a', 40);
    assert.equal(queue.next(), undefined);
    assert.equal(queue.restMs(), 80);
    queue.add('b', 'b1');
    assert.equal(queue.next(), 'b1');
    clock.ms += 80;
    assert.equal(queue.next(), 'a2');
  });

  test('lets nobody rest who asks alone, or who has had little for some time', () => {
    const { clock, queue } = queueAt();
    for (const job of ['a1', 'a2']) queue.add('a', job);
    queue.charge('a', 5000);
    assert.equal(queue.next(), 'a1', 'alone');
    clock.ms += 50_000;
    queue.charge('b', 1);
    queue.charge('a', 40);
    assert.equal(queue.next(), 'a2', 'forgotten');
  });

  test('beyond its bound drops the newest of the client with the most', () => {
    const queue = createFairQueue<string>(2);
    assert.deepEqual([queue.add('a', 'a1'), queue.add('a', 'a2')], [undefined, undefined]);
    assert.equal(queue.add('b', 'b1'), 'a2');
    assert.equal(queue.add('a', 'a3'), 'a3');
    assert.equal(queue.waiting, 2);
  });
});

describe('vectors of claims', () => {
  const counting = (digest = 'd') => {
    const read: string[] = [];
    const encoder: Encoder = {
      digest,
      ask: async () => new Float32Array([1]),
      async read(some) {
        read.push(...some);
        return some.map(text => new Float32Array([text.length, 0.5]));
      },
    };
    return { encoder, read };
  };

  test('are kept, so that only new claims are read, whatever process reads them', async t => {
    const database = await openDatabase({ dataDirectory: temporaryFolder() });
    t.after(() => database.close());
    const kept = createKeptVectors(database);
    const { encoder, read } = counting();
    const first = await readClaims(encoder, ['one', 'three', 'one'], { kept });
    assert.deepEqual(
      first.map(vector => [...vector]),
      [
        [3, 0.5],
        [5, 0.5],
        [3, 0.5],
      ],
    );
    assert.deepEqual(read, ['one', 'three']);
    const again = await readClaims(encoder, ['three', 'fourth'], { kept: createKeptVectors(database) });
    assert.deepEqual(
      again.map(vector => [...vector]),
      [
        [5, 0.5],
        [6, 0.5],
      ],
    );
    assert.deepEqual(read, ['one', 'three', 'fourth']);
    const other = counting('other model');
    await readClaims(other.encoder, ['one'], { kept });
    assert.deepEqual(other.read, ['one']);
  });

  test('are forgotten when no profile has used them for 90 days', async t => {
    const database = await openDatabase({ dataDirectory: temporaryFolder() });
    t.after(() => database.close());
    let now = Date.UTC(2026, 0, 1);
    const kept = createKeptVectors(database, () => now);
    await kept.keep(
      new Map([
        ['old', new Float32Array([1])],
        ['used', new Float32Array([2])],
      ]),
    );
    now += 60 * 86_400_000;
    await kept.find(['used']);
    now += 60 * 86_400_000;
    await kept.find(['used']);
    const rows = await database.query(sql`SELECT key FROM vectors`);
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['used'],
    );
  });

  test('are read anew where they cannot be kept, which is said', async () => {
    const fail = () => Promise.reject(new Error('disk is full'));
    const { encoder } = counting();
    const notes: string[] = [];
    const vectors = await readClaims(encoder, ['one'], {
      kept: { find: fail, keep: fail },
      note: note => notes.push(note),
    });
    assert.deepEqual(
      vectors.map(vector => [...vector]),
      [[3, 0.5]],
    );
    assert.match(notes[0] ?? '', /cannot be kept.*disk is full/);
  });

  test('of many claims are kept as they come', async t => {
    const database = await openDatabase({ dataDirectory: temporaryFolder() });
    t.after(() => database.close());
    const kept = createKeptVectors(database);
    const many = Array.from({ length: 900 }, (_, nth) => `claim ${nth}`);
    const { encoder, read } = counting();
    const failing: Encoder = {
      ...encoder,
      read: async (...given) => (read.length > 300 ? Promise.reject(new Error('killed')) : encoder.read(...given)),
    };
    await assert.rejects(readClaims(failing, many, { kept }));
    read.length = 0;
    const seen: number[] = [];
    await readClaims(encoder, many, { kept, progress: done => seen.push(done) });
    assert.equal(read.length, 500);
    await readClaims(encoder, many, { kept });
    assert.equal(read.length, 500);
  });
});

describe('questions', () => {
  test('that one client asks twice at one time are read once, and nobody waits for the same of another', async () => {
    const askers: string[] = [];
    const vector = new Float32Array([1, 0]);
    const encoder: Encoder = {
      digest: 'd',
      ask: (_, asker) => {
        askers.push(asker);
        return asker === 'flood' ? new Promise(() => {}) : Promise.resolve(vector);
      },
      read: async some => some.map(() => vector),
    };
    const calibration = model.parameters.calibration;
    const brand = await buildBrand({ ...model, encoder: { encoder, weight: 1, calibration }, profile, digest });
    const question = '¿Cuánto cuesta el diagnóstico?';
    for (let times = 0; times < 3; times += 1) void brand.ask(question, 'flood');
    const [one, other] = await Promise.all([brand.ask(question, 'visitor'), brand.ask(question, 'visitor')]);
    assert.equal(one, other);
    assert.deepEqual(askers, ['flood', 'visitor']);
    await brand.ask('...', 'visitor');
    assert.equal(askers.length, 2, 'a question without content is not read');
  });

  test('beyond what the encoder can take get 503 with a wait, on every surface', async t => {
    const example = await exampleBrand();
    const ask = () => Promise.reject(new EncoderBusy(3));
    const { url } = await startApp(t, { brand: { ...example, ask } });
    const refused = post(`${url}/ask`, { query: 'precio' });
    await assertRefused(refused, 'not_configured', 503);
    assert.equal((await refused).headers.get('retry-after'), '3');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask_brand', arguments: { query: 'precio' } },
    };
    const { result } = await bodyOf(await post(`${url}/mcp`, call));
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /Wait 3 s/);
  });
});

function near(value: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(value - expected) <= tolerance, `${what}: ${value}, not ${expected}`);
}

/** A folder with files of the encoder, perhaps under other names. */
function copyOf(files: readonly string[], names = files): string {
  const directory = temporaryFolder();
  files.forEach((file, at) => {
    copyFileSync(join(DIRECTORY, file), join(directory, names[at]!));
  });
  return directory;
}

/** A thread that runs this code. */
const thread = (code: string) =>
  new Worker(`const { parentPort } = require('node:worker_threads'); ${code}`, { eval: true });
