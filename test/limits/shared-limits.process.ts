import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Client } from 'pg';
import { type Cluster, POSTGRES, startCluster } from '../support/stores.ts';
import { DIAGNOSTIC, five } from '../support/submission-support.ts';
import { bodyOf, countText, post, startApp } from '../support/support.ts';

async function startPostgres(t: TestContext): Promise<Cluster & { readonly env: Record<string, string> }> {
  const cluster = await startCluster();
  t.after(() => cluster.stop());
  cluster.run('createdb', 'aval');
  return { ...cluster, env: { DATABASE_URL: cluster.url('aval'), TRUSTED_HOPS: '1' } };
}

const contact = (url: string, address: string) =>
  post(`${url}/api/v1/contact`, DIAGNOSTIC, { 'x-forwarded-for': address });

const statuses = async (requests: readonly Promise<Response>[]) =>
  countText((await Promise.all(requests)).map(({ status }) => status));

describe('a server on Postgres', { skip: POSTGRES.skip, timeout: 600_000 }, () => {
  it('keeps connections for others while the forms of one client wait for each other', async t => {
    const { env } = await startPostgres(t);
    const { url } = await startApp(t, { env });
    assert.equal((await contact(url, '192.0.2.1')).status, 200);
    const holder = new Client({ connectionString: env.DATABASE_URL });
    await holder.connect();
    await holder.query(`SELECT pg_advisory_lock(0, hashtext('submissions ' || client_key)) FROM submissions`);
    let answered = 0;
    const waiting = Array.from({ length: 40 }, () => contact(url, '192.0.2.1').then(() => (answered += 1)));
    assert.equal((await contact(url, '192.0.2.2')).status, 200);
    assert.equal(answered, 0, 'nobody waits for the forms of another client');
    await holder.end();
    await Promise.all(waiting);
  });

  it('refuses forms while Postgres is stopped or frozen, answers the rest, and takes forms again by themselves', async t => {
    const postgres = await startPostgres(t);
    const { url } = await startApp(t, { env: postgres.env });
    assert.equal((await contact(url, '192.0.2.1')).status, 200);
    await postgres.stop();
    const refused = await contact(url, '192.0.2.2');
    assert.deepEqual([refused.status, (await bodyOf(refused)).code], [500, 'delivery_failed']);
    assert.equal(five(refused)[1], '"submissions";r=10;t=0');
    assert.equal((await fetch(`${url}/ask?q=precio`)).status, 200);
    await postgres.start();
    assert.equal((await contact(url, '192.0.2.3')).status, 200);
    postgres.freeze();
    t.after(postgres.thaw);
    const begunMs = performance.now();
    const all = await statuses(Array.from({ length: 5 }, () => contact(url, '192.0.2.4')));
    assert.deepEqual(all, { 500: 5 });
    assert.ok(performance.now() - begunMs < 20_000, 'nobody waits for all before him');
    assert.equal((await fetch(`${url}/api/v1/status`)).status, 200);
    postgres.thaw();
  });
});
