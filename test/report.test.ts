import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readCsv } from '../owner/exchange/csv.ts';
import { createAskLog, readAsked } from '../server/admin/ask-log.ts';
import { languageOf } from '../tools/language/language-of.ts';
import { startAsked } from './report-support.ts';
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
      asked(await brand.ask(query), { channel: 'rest', clientHash: 'client', visitor: 'agent' });
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
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    const [html, csv, draft] = ['report.html', 'groups.csv', 'stubs.csv'].map(name => join(folder, name));
    const { code, stdout } = await run({ html: html!, csv: csv!, draft: draft! });
    assert.equal(code, 0);
    assert.match(stdout, /^13 questions \(agent 7, person 6; mcp 7, rest 6; es 8, en 5\)$/m);
    assert.match(stdout, /Most asked:\n +7 {2}[01]\.\d\d {2}¿Cuánto cuesta el diagnóstico\? {2}clm-diagnostic-price\n/);
    assert.match(stdout, /Weakly answered:\n(.*\n)*.*gardening/);
    assert.match(stdout, /Claims that were never the best match: clm-/);
    const page = readFileSync(html!, 'utf8');
    assert.doesNotMatch(page, /<script|https?:\/\/(?!www\.w3)|ana@example/);
    assert.match(readFileSync(csv!, 'utf8'), /¿Cuánto cuesta el diagnóstico\?,7,/);
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
