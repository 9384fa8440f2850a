import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadModel } from '../brand/retrieval/load-embedder.ts';
import { readCsv } from '../owner/exchange/csv.ts';
import { createReport } from '../owner/measure/report.ts';
import { createAskLog, readAsked } from '../server/admin/ask-log.ts';
import { readConfig } from '../server/config/config.ts';
import type { AskedQuestion } from '../tools/language/asked-question.ts';
import { languageOf } from '../tools/language/language-of.ts';
import { temporaryFolder } from './folder.ts';
import { startAsked } from './report-support.ts';
import { CLAIM } from './studio-support.ts';
import { exampleBrand, startApp } from './support.ts';

describe('what was asked', { timeout: 120_000 }, () => {
  it('is not kept unless the operator says so', async t => {
    const { url, outbox, run } = await startAsked(t, {});
    await fetch(`${url}/ask?q=precio`);
    assert.deepEqual(await readAsked(outbox.database, 0), []);
    const { code, stderr } = await run();
    assert.equal(code, 3);
    assert.match(stderr, /No question was kept in the last 30 days\. ASK_LOG=redacted keeps them/);
  });

  it('is kept without what tells who asked, with claim, similarity, language, channel, and agent or person', async t => {
    const { outbox } = await startAsked(t);
    const kept = await readAsked(outbox.database, 0);
    assert.equal(kept.length, 13);
    const { at: _, similarity, ...first } = kept[0]!;
    const channel = { channel: 'rest', visitor: 'person' };
    assert.deepEqual(first, {
      query: '¿Cuánto cuesta el diagnóstico?',
      language: 'es',
      claimId: 'clm-diagnostic-price',
      ...channel,
    });
    assert.ok(similarity > 0.6);
    const personal = kept.find(({ query }) => query.includes('televisión'));
    assert.equal(personal?.query, 'Hola, soy [name] ([email], [number]). ¿Hacéis campañas de televisión?');
    assert.deepEqual([...new Set(kept.map(one => `${one.channel} ${one.visitor}`))], ['rest person', 'mcp agent']);
    assert.deepEqual(
      Object.keys(kept[0]!).filter(name => /client|key|address/.test(name)),
      [],
    );
  });

  it('is kept as it came only where the operator asks for that', async t => {
    const { outbox } = await startAsked(t, { ASK_LOG: 'full' });
    assert.ok((await readAsked(outbox.database, 0)).some(({ query }) => query.includes('ana@example.org')));
  });

  it('is dropped after its days, and an answer does not fail when it cannot be kept', async t => {
    const { outbox } = await startApp(t);
    const brand = await exampleBrand();
    let now = 0;
    const { database } = outbox;
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => logged.push(line);
    const asked = createAskLog({ database, keep: 'full', days: 30, now: () => now, log });
    const ask = async (query: string) =>
      asked?.(await brand.ask(query), { channel: 'rest', clientHash: 'client', visitor: 'agent' });
    await ask('precio');
    while ((await readAsked(database, 0)).length < 1) await new Promise(setImmediate);
    now = 31 * 86_400_000;
    await ask('plazo');
    while ((await readAsked(database, 0))[0]?.query !== 'plazo') await new Promise(setImmediate);
    await database.close();
    await ask('precio');
    while (logged.length === 0) await new Promise(setImmediate);
    assert.match(JSON.stringify(logged), /questions are not kept/);
  });
});

describe('aval report', { timeout: 120_000 }, () => {
  it('groups by meaning, names what is weakly answered and what never came, and writes page, table and stubs', async t => {
    const { run } = await startAsked(t);
    const folder = temporaryFolder();
    const [html, csv, draft] = ['report.html', 'groups.csv', 'stubs.csv'].map(name => join(folder, name));
    const { code, stdout } = await run({ html: html!, csv: csv!, draft: draft! });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^13 preguntas del 2026-10-22 al 2026-11-21 \(agente 7, persona 6; mcp 7, rest 6; español 8, inglés 5\)$/m,
    );
    assert.match(
      stdout,
      /Lo más preguntado:\n +7 {2}[01]\.\d\d {2}¿Cuánto cuesta el diagnóstico\? {2}clm-diagnostic-price\n/,
    );
    assert.match(stdout, /Con respuesta débil:\n(.*\n)*.*gardening/);
    assert.match(stdout, /Afirmaciones que nunca salieron primero: clm-/);
    const page = readFileSync(html!, 'utf8');
    assert.doesNotMatch(page, /<script|https?:\/\/(?!www\.w3)|ana@example/);
    assert.match(readFileSync(csv!, 'utf8'), /¿Cuánto cuesta el diagnóstico\?;7;/);
    const stubs = readFileSync(draft!);
    assert.match(stubs.toString(), /gardening/);
    assert.deepEqual(readCsv(stubs).claims, [], 'nothing is invented: the rows are empty');
    await assert.rejects(run({ html: html! }), /is there already; --force replaces it/);
  });
});

describe('the language of a question', () => {
  for (const [text, language] of [
    ['¿precio?', 'es'],
    ['cuanto cuesta el diagnostico', 'es'],
    ['what do you charge', 'en'],
    ['pricing B2B', '?'],
  ] as const) {
    it(`is ${language}: ${text}`, () => assert.equal(languageOf(text), language));
  }
});

describe('what seems answered', { timeout: 60_000 }, () => {
  const claim = (id: string, statement: string) => ({ ...CLAIM, claim_id: id, statement });
  const claims = [
    claim('clm-dolor', 'Tratamos el dolor de espalda crónico en 10 sesiones.'),
    claim('clm-bono', 'El bono de diez sesiones cuesta 380 euros.'),
    claim('clm-horario', 'Abrimos de lunes a viernes de 9 a 20 horas.'),
  ];
  const asked = (query: string, at: number, similarity: number, claimId: string): AskedQuestion => ({
    ...{ query, at, similarity, claimId },
    ...{ language: 'es', channel: 'rest', visitor: 'person' },
  });
  const reportOf = async (questions: readonly AskedQuestion[]) => {
    const model = await loadModel({ ...readConfig({}).embedding, encoder: { use: 'off' } });
    return createReport({ asked: questions, claims, model, since: new Date(0), until: new Date(86_400_000) });
  };

  it('and is asked again and again without certainty is to be looked at, though no single answer was weak', async () => {
    const { weak, doubtful } = await reportOf(
      Array.from({ length: 7 }, (_, at) => asked('¿tratáis la fibromialgia?', at * 3_600_000, 0.61, 'clm-dolor')),
    );
    assert.deepEqual(weak, []);
    assert.deepEqual(
      doubtful.map(({ query, times, doubts }) => [query, times, doubts.includes('unsure')]),
      [['¿tratáis la fibromialgia?', 7, true]],
    );
  });

  it('and is followed at once by the same in other words is to be looked at; an hour later it is not', async () => {
    const again = (ms: number) => [
      asked('¿Cuánto cuesta el bono?', 0, 0.95, 'clm-bono'),
      asked('¿Cuánto cuesta un bono de sesiones?', ms, 0.95, 'clm-bono'),
    ];
    const doubtsOf = async (ms: number) =>
      (await reportOf(again(ms))).groups.find(({ query, others }) =>
        [query, ...others].includes('¿Cuánto cuesta el bono?'),
      )?.doubts;
    assert.ok((await doubtsOf(20_000))?.includes('again'));
    assert.ok(!(await doubtsOf(3_600_000))?.includes('again'));
  });

  it('and has a claim that is nearly as likely is to be looked at', async () => {
    const twin = [...claims, claim('clm-bono-2', 'El bono de diez sesiones cuesta 350 euros para familias.')];
    const model = await loadModel({ ...readConfig({}).embedding, encoder: { use: 'off' } });
    const { doubtful } = await createReport({
      ...{ asked: [asked('¿Cuánto cuesta el bono de diez sesiones?', 0, 0.9, 'clm-bono')], claims: twin, model },
      ...{ since: new Date(0), until: new Date(1) },
    });
    assert.deepEqual(doubtful[0]?.doubts, ['rival']);
  });
});
