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

/** A question with a name, an address and a telephone number in it. */
const PERSONAL = 'Soy Ana Ruiz (ana@example.org, 600 123 456). ¿Hacéis campañas de televisión?';

/** Invented questions, in the order in which they are asked. */
const ASKED = [
  ...Array(5).fill('¿Cuánto cuesta el diagnóstico?'),
  ...Array(2).fill('¿cuanto cuesta un diagnostico?'),
  ...Array(3).fill('Do you work in Mexico?'),
  PERSONAL,
  ...Array(2).fill('Is there a podcast about gardening?'),
];

/** A server that has been asked over HTTP and MCP in turn, and `aval asked` on it. */
async function startAsked(t: TestContext, env: Record<string, string> = { ASK_LOG: 'on' }) {
  const app = await startApp(t, { env });
  for (const [index, query] of ASKED.entries()) {
    if (index % 2 === 0) await (await fetch(`${app.url}/ask?q=${encodeURIComponent(query)}`)).text();
    else await post(`${app.url}/mcp`, callTool('ask_brand', { query }));
  }
  // An answer does not wait for what is kept of its question.
  const count = async () => (await readAsked(app.outbox.database, 0)).length;
  while (env.ASK_LOG !== undefined && (await count()) < ASKED.length) await setTimeout(20);
  const list = async (json = false) => {
    const options = {
      brand: `${ROOT}examples/brand.json`,
      model: await exampleModel(),
      readAsked: (sinceMs: number) => readAskedOnce(app.config, sinceMs),
      sinceDays: 30,
      now: new Date(app.clock.now()),
      json,
    };
    return run(output => listAsked(options, output));
  };
  return { ...app, list };
}

describe('what was asked', { timeout: 600_000 }, () => {
  it('is not kept unless the operator says so', async t => {
    const { outbox, list } = await startAsked(t, {});
    assert.deepEqual(await readAsked(outbox.database, 0), []);
    const { code, stderr } = await list();
    assert.equal(code, 3);
    assert.match(stderr, /No question was kept in the last 30 days\. ASK_LOG=on keeps them/);
  });

  it('is kept as it came, with its time and nothing else', async t => {
    const { outbox } = await startAsked(t);
    const rows = await readAsked(outbox.database, 0);
    assert.deepEqual(rows.map(({ query }) => query).sort(), ASKED.toSorted());
    for (const row of rows) assert.deepEqual(Object.keys(row).sort(), ['askedAtMs', 'query']);
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
    const { code, stdout, stderr } = await list(true);
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
