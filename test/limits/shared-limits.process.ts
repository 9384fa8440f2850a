import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Cluster, POSTGRES, startCluster } from '../support/stores.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { assertRefused, post, startApp } from '../support/support.ts';

async function startPostgres(t: TestContext): Promise<Cluster & { readonly address: string }> {
  const cluster = await startCluster();
  t.after(() => cluster.stop());
  cluster.run('createdb', 'aval');
  return { ...cluster, address: cluster.url('aval') };
}

/** A server that counts in Postgres. */
async function startInstance(t: TestContext, DATABASE_URL: string, env: Record<string, string> = {}) {
  const app = await startApp(t, { env: { DATABASE_URL, ...env } });
  return {
    ...app,
    ask: () => fetch(`${app.url}/ask?q=precio`),
    status: () => fetch(`${app.url}/api/v1/status`),
    limitLines: () => app.lines.filter(line => line.event === 'limits'),
  };
}

const quotaAndRest = ({ headers }: Response) =>
  ['ratelimit-limit', 'ratelimit-remaining'].map(name => Number(headers.get(name)));

describe('servers on one Postgres', { skip: POSTGRES.skip, timeout: 90_000 }, () => {
  it('share every limit by its clock, in parallel too, whatever their own clocks say', async t => {
    const { address } = await startPostgres(t);
    const limit = { LIMIT_DEFAULT: '5/60' };
    const [first, second] = [await startInstance(t, address, limit), await startInstance(t, address, limit)];
    first.clock.advance(-86_400);
    const asked = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? first : second).ask()));
    assert.equal(asked.filter(({ status }) => status === 200).length, 5);
    assert.deepEqual(quotaAndRest(await first.ask()), [5, 0]);
    const { hint } = await assertRefused(second.ask(), 'rate_limited', 429);
    assert.match(hint, /^Wait \d+ seconds/);
    assert.deepEqual(quotaAndRest(await second.status()), [5, 4]);
  });

  it('count each for itself while Postgres is stopped, answer the status, and share again when it is back', async t => {
    const postgres = await startPostgres(t);
    const { ask, status, limitLines } = await startInstance(t, postgres.address);
    await ask();
    await postgres.stop();
    for (const rest of [58, 57]) assert.deepEqual(quotaAndRest(await ask()), [60, rest]);
    assert.equal((await status()).status, 200);
    const [warning, ...others] = limitLines();
    assert.deepEqual([warning?.level, warning?.shared, others], ['warn', false, []]);
    await postgres.start();
    while (limitLines().length < 2) await new Promise(setImmediate);
    assert.deepEqual(limitLines()[1], { level: 'info', event: 'limits', shared: true });
    assert.deepEqual(quotaAndRest(await ask()), [60, 58]);
  });

  it('count forms together as soon as Postgres keeps them again, before they have looked whether it is back', async t => {
    const postgres = await startPostgres(t);
    const limit = { LIMIT_SUBMISSIONS: '1/3600' };
    const [first, second] = [
      await startInstance(t, postgres.address, limit),
      await startInstance(t, postgres.address, limit),
    ];
    await postgres.stop();
    await Promise.all([first.ask(), second.ask()]);
    assert.deepEqual([first.limitLines().length, second.limitLines().length], [1, 1]);
    await postgres.start();
    const send = (url: string) => post(`${url}/api/v1/contact`, DIAGNOSTIC);
    assert.equal((await send(first.url)).status, 200);
    assert.equal((await send(second.url)).status, 429);
  });

  it('wait for a frozen Postgres once, and then answer at once', async t => {
    const postgres = await startPostgres(t);
    const { ask, status, limitLines } = await startInstance(t, postgres.address);
    await ask();
    postgres.freeze();
    t.after(postgres.thaw);
    assert.equal((await ask()).status, 200);
    assert.match(String(limitLines()[0]?.cause), /no answer within 3 s/);
    for (let asked = 0; asked < 3; asked += 1) assert.equal((await status()).status, 200);
    postgres.thaw();
  });
});
