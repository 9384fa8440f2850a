import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { asked as listAsked } from '../../server/cli/asked.ts';
import { openDatabase } from '../../server/outbox/database.ts';
import type { Database } from '../../server/outbox/sql.ts';
import { createAskLog, readAsked, readAskedOnce } from '../../server/run/ask-log.ts';
import { run } from '../cli/command.ts';
import { callTool } from '../mcp/mcp-messages.ts';
import { exampleModel } from '../support/example.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { STORES } from '../support/stores.ts';
import { post, startApp } from '../support/support.ts';

interface Asked {
  readonly query: string;
  readonly times: number;
  readonly by: 'person' | 'agent';
}

/** Invented questions, by how often each is asked and by whom. */
const ASKED: readonly Asked[] = [
  { query: '¿Cuánto cuesta el diagnóstico?', times: 5, by: 'person' },
  { query: '¿cuanto cuesta un diagnostico?', times: 2, by: 'agent' },
  { query: 'Do you work in Mexico?', times: 3, by: 'agent' },
  {
    query: 'Soy Ana Ruiz (ana@example.org, 600 123 456). ¿Hacéis campañas de televisión?',
    times: 1,
    by: 'person',
  },
  { query: 'Is there a podcast about gardening?', times: 2, by: 'agent' },
];

/** A server that has been asked, and `aval asked` on it. */
async function startAsked(t: TestContext, env: Record<string, string> = { ASK_LOG: 'on' }) {
  const app = await startApp(t, { env });
  for (const { query, times, by } of ASKED) {
    for (let time = 0; time < times; time += 1) {
      if (by === 'agent') {
        await post(`${app.url}/mcp`, callTool('ask_brand', { query }));
      } else {
        await fetch(`${app.url}/ask?q=${encodeURIComponent(query)}`, {
          headers: { 'sec-fetch-site': 'none' },
        });
      }
    }
  }
  const now = new Date(app.clock.now());
  const all = ASKED.reduce((sum, { times }) => sum + times, 0);
  // An answer does not wait for what is kept of its question.
  const kept = async () => (await readAsked(app.outbox.database, 0)).length;
  while (env.ASK_LOG !== undefined && (await kept()) < all) await setTimeout(20);
  const list = async (options: { json?: boolean; csv?: string } = {}) => {
    const readAsked = (sinceMs: number) => readAskedOnce(app.config, sinceMs);
    const model = await exampleModel();
    return run(output =>
      listAsked(
        { brand: `${ROOT}examples/brand.json`, model, readAsked, sinceDays: 30, now, ...options },
        output,
      ),
    );
  };
  return { ...app, list };
}

describe('what was asked', { timeout: 600_000 }, () => {
  it('is not kept unless the operator says so', async t => {
    const { url, outbox, list } = await startAsked(t, {});
    await fetch(`${url}/ask?q=precio`);
    assert.deepEqual(await readAsked(outbox.database, 0), []);
    const { code, stderr } = await list();
    assert.equal(code, 3);
    assert.match(stderr, /No question was kept in the last 30 days\. ASK_LOG=on keeps them/);
  });

  it('is kept as it came, with its time and nothing else', async t => {
    const { outbox } = await startAsked(t);
    const kept = await readAsked(outbox.database, 0);
    assert.equal(kept.length, 13);
    const { askedAtMs: _, ...first } = kept[0]!;
    assert.deepEqual(first, { query: '¿Cuánto cuesta el diagnóstico?' });
    const personal = kept.find(({ query }) => query.includes('televisión'));
    assert.equal(personal?.query, ASKED[3]?.query);
  });

  for (const store of STORES) {
    it(`is kept in ${store.name} without control characters, which a database may refuse`, async t => {
      const database = await openDatabase(await store.settings(t, temporaryFolder()));
      t.after(() => database.close());
      const asked = createAskLog({ database, keep: true, now: () => 0, log: () => {} });
      asked?.('precio\0 y\x9bplazo');
      asked?.('precio');
      // Postgres may keep them in either order.
      let kept = await readAsked(database, 0);
      for (; kept.length < 2; kept = await readAsked(database, 0)) await new Promise(setImmediate);
      assert.deepEqual(kept.map(({ query }) => query).sort(), ['precio', 'precio  y plazo']);
    });
  }

  it('says in the log that it is kept, and fails no answer where it cannot be', async t => {
    const { outbox } = await startApp(t);
    const { database } = outbox;
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => logged.push(line);
    const asked = createAskLog({ database, keep: true, now: () => 0, log });
    asked?.('precio');
    while ((await readAsked(database, 0)).length < 1) await new Promise(setImmediate);
    await database.close();
    asked?.('precio');
    while (logged.length < 2) await new Promise(setImmediate);
    assert.match(JSON.stringify(logged[0]), /ASK_LOG=on keeps questions as they come/);
    assert.match(JSON.stringify(logged[1]), /questions are not kept/);
  });

  it('waits for a database that does not answer up to 1,000 times; the log says that more is lost', async () => {
    let statements = 0;
    const never = new Promise<never>(() => {});
    const query = () => {
      statements += 1;
      return never;
    };
    const database: Database = { dialect: 'sqlite', query, exclusively: () => never, close: async () => {} };
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => logged.push(line);
    const asked = createAskLog({ database, keep: true, now: () => 0, log });
    for (let time = 0; time < 1001; time += 1) asked?.('precio');
    await new Promise(setImmediate);
    assert.equal(statements, 1000);
    assert.match(JSON.stringify(logged[1]), /DATABASE_BUSY.*questions are not kept/);
  });
});

describe('aval asked', { timeout: 600_000 }, () => {
  it('groups like questions with the claims nearest to each, uncertain answers first', async t => {
    const { list } = await startAsked(t);
    const { code, stdout, stderr } = await list({ json: true });
    assert.equal(code, 0);
    const groups = JSON.parse(stdout);
    const price = groups.find(({ query }: { query: string }) => query === '¿Cuánto cuesta el diagnóstico?');
    assert.deepEqual(
      [price.count, price.nearest[0].claimId],
      [7, 'clm-diagnostic-price'],
      'near words are one group',
    );
    assert.ok(groups.every(({ nearest }: { nearest: unknown[] }) => nearest.length <= 3));
    const urgency = groups.map(({ nearest: [best] }: { nearest: { similarity: number }[] }) =>
      best === undefined ? 1 : best.similarity >= 0.2 && best.similarity < 0.8 ? 0 : 2,
    );
    assert.deepEqual(urgency, urgency.toSorted());
    assert.match(stderr, /^13 questions in 30 days, \d groups, \d that nothing answers\n$/);
    const lines = (await list()).stdout.split('\n');
    assert.match(lines[0] ?? '', /^times +best +last +question, nearest claims$/);
    assert.ok(lines.some(line => line.includes('¿Cuánto cuesta el diagnóstico?  (clm-diagnostic-price, ')));
  });
});
