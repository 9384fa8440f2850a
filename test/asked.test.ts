import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDatabase } from '../server/outbox/database.ts';
import { createAskLog, readAsked } from '../server/run/ask-log.ts';
import { startAsked } from './asked-support.ts';
import { temporaryFolder } from './folder.ts';
import { STORES } from './stores.ts';
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
    assert.equal(personal?.query, 'Soy [name] ([email], [number]). ¿Hacéis campañas de televisión?');
    assert.deepEqual([...new Set(kept.map(one => `${one.channel} ${one.visitor}`))], ['rest person', 'mcp agent']);
    assert.deepEqual(
      Object.keys(kept[0]!).filter(name => /client|key|address/.test(name)),
      [],
    );
  });

  for (const store of STORES) {
    it(`is kept in ${store.name} without control characters, which a database may refuse`, async t => {
      const database = await openDatabase(await store.settings(t, temporaryFolder()));
      t.after(() => database.close());
      const asked = createAskLog({ database, keep: 'full', days: 30, now: () => 0, log: () => {} });
      const answer = await (await exampleBrand()).ask('precio');
      asked?.({ ...answer, query: 'precio\0 y\x9bplazo' }, { channel: 'rest', clientHash: 'client', visitor: 'agent' });
      asked?.(answer, { channel: 'rest', clientHash: 'client', visitor: 'agent' });
      // Postgres may keep them in either order.
      let kept = await readAsked(database, 0);
      for (; kept.length < 2; kept = await readAsked(database, 0)) await new Promise(setImmediate);
      assert.deepEqual(kept.map(({ query }) => query).sort(), ['precio', 'precio  y plazo']);
    });
  }

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

describe('aval asked', { timeout: 120_000 }, () => {
  it('lists questions without a good answer first, counts equal ones, and puts the most asked first', async t => {
    const { run } = await startAsked(t);
    const { code, stdout, stderr } = await run();
    assert.equal(code, 0);
    const [heading, ...lines] = stdout.trimEnd().split('\n');
    assert.match(heading ?? '', /^state +times +best +question, claim$/);
    const states = lines.map(line => line.split(' ')[0]);
    assert.deepEqual(states, states.toSorted().toReversed(), 'open before answered');
    assert.match(lines[0] ?? '', /^open +3 {2}0\.\d\d {2}Do you work in Mexico\?/);
    assert.match(stdout, /^open +2 {2}0\.\d\d {2}Is there a podcast about gardening\?/m);
    assert.match(stdout, /^answered +5 {2}0\.\d\d {2}¿Cuánto cuesta el diagnóstico\? {2}clm-diagnostic-price$/m);
    assert.match(stderr, /^5 questions in 30 days, \d without a good answer\n$/);
    assert.doesNotMatch(stdout, /ana@example/);
  });
});
