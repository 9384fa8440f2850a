import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readConfig } from '../../server/config/config.ts';
import { openDatabase } from '../../server/outbox/database.ts';
import { DatabaseRefused, type Query } from '../../server/outbox/sql.ts';
import { createHealth } from '../../server/run/health.ts';
import { createMetrics } from '../../server/run/metrics.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { EXAMPLE } from '../support/support.ts';

const database = await openDatabase({ dataDirectory: temporaryFolder() });
const away: Query = () => Promise.reject(new Error('connect ECONNREFUSED'));

interface Instance {
  readonly query?: Query;
  readonly env?: Record<string, string>;
  /** `null`: none is loaded. */
  readonly expiresInDays?: number | null;
}

/** An instance of which all is well, but for what is given. */
function observed({ query = database.query, env, expiresInDays = 100 }: Instance) {
  const expiresMs = Date.now() + (expiresInDays ?? 0) * 86_400_000;
  const profile = { ...EXAMPLE, expires_at: new Date(expiresMs).toISOString() };
  return {
    config: readConfig({ DATA_DIR: ROOT, BASE_URL: 'https://acme.example', ...env }),
    database: { ...database, query },
    mode: 'dry-run' as const,
    profile: () => (expiresInDays === null ? undefined : profile),
  };
}

function examine(instance: Instance = {}) {
  const health = createHealth(observed(instance));
  health.started();
  return {
    follow: health.follow,
    /** Whether it is ready, and what is not well. */
    async report() {
      const { ready, parts } = await health.report();
      return [
        ready,
        parts.filter(({ state }) => state !== 'ok').map(({ name, state, message }) => [name, state, message]),
      ];
    },
  };
}

describe('/readyz', () => {
  it('is not ready where its own store fails, nor without a disk', async () => {
    const report = await examine({ query: away }).report();
    assert.deepEqual(report, [false, [['store', 'down', 'connect ECONNREFUSED']]]);
    const gone = await examine({ env: { DATA_DIR: join(ROOT, 'no such folder') } }).report();
    assert.match(JSON.stringify(gone), /^\[false,\[\["disk","down",/);
  });

  it('stays ready while its store is slow, or a proxy would take every loaded instance away', async t => {
    const alive = setInterval(() => {}, 1000); // the probe's own timer keeps no process running
    t.after(() => clearInterval(alive));
    const report = await examine({ query: () => new Promise(() => {}) }).report();
    assert.deepEqual(report, [true, [['store', 'degraded', 'no answer within 1 s']]]);
  });

  it('asks store and disk at once, so that both slow are no later than a proxy waits', async t => {
    const alive = setInterval(() => {}, 1000);
    t.after(() => clearInterval(alive));
    const instance = observed({});
    let isDiskAsked = () => {};
    const diskAsked = new Promise<void>(resolve => (isDiskAsked = resolve));
    const config = Object.defineProperty({ ...instance.config }, 'dataDirectory', {
      get() {
        isDiskAsked();
        return ROOT;
      },
    });
    const query: Query = statement => diskAsked.then(() => database.query(statement));
    const { parts } = await createHealth({ ...instance, config, database: { ...database, query } }).report();
    assert.deepEqual(
      parts.filter(({ name }) => name === 'store'),
      [{ name: 'store', state: 'ok' }],
    );
  });

  it('stays ready without the database of all instances, or all would be taken away at once', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1/aval' };
    const report = await examine({ query: away, env }).report();
    assert.deepEqual(report, [true, [['store', 'degraded', 'connect ECONNREFUSED']]]);
  });

  it('is not ready once the database of all is of a newer version, also after a submission was refused', async () => {
    const fault = 'The database was changed by a newer version of this program.';
    const query = () => Promise.reject(new DatabaseRefused('DATABASE_NEWER', fault));
    const { follow, report } = examine({ query, env: { DATABASE_URL: 'postgres://127.0.0.1/aval' } });
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual(await report(), [false, [['store', 'down', fault]]]);
      follow('error', 'submissions cannot be kept', { fault });
    }
  });

  it('stays ready without a profile, since its forms go on, and with one that expires or has expired', async () => {
    const profilePart = async (expiresInDays: number | null) =>
      (await examine({ expiresInDays }).report()).flat(2).slice(0, 3).join(' ');
    for (const expiresInDays of [null, 12, -1])
      assert.equal(await profilePart(expiresInDays), 'true profile degraded');
    assert.equal(await profilePart(32), 'true');
  });

  it('follows the log: it stays ready while mail is down, and not while submissions cannot be kept', async () => {
    const { follow, report } = examine();
    follow('error', 'mail is down', { alarm: true });
    assert.deepEqual(await report(), [true, [['mail', 'degraded', 'submissions are kept until it is back']]]);
    follow('info', 'mail is back');
    follow('error', 'submissions cannot be kept', { fault: 'aval.db: database or disk is full' });
    assert.deepEqual(await report(), [false, [['store', 'down', 'aval.db: database or disk is full']]]);
    follow('info', 'submissions can be kept again');
    assert.deepEqual(await report(), [true, []]);
  });
});

it('/metrics tells of a store that fails, and everything else as ever', async () => {
  const metrics = createMetrics(observed({ query: away }));
  metrics.follow('error', 'submission not kept', { kind: 'partner' });
  const lines = (await metrics.text()).split('\n');
  for (const line of [
    'aval_store_up{site="acme.example"} 0',
    'aval_submission_events_total{outcome="not-kept",kind="partner",site="acme.example"} 1',
    // `increase()` does not see a series that begins with its first count.
    'aval_submission_events_total{outcome="not-kept",kind="diagnostic",site="acme.example"} 0',
    'aval_mail_attempts_total{part="team",outcome="configuration",site="acme.example"} 0',
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
  assert.ok(lines.some(line => line.startsWith('aval_profile_expires_timestamp_seconds{')));
  assert.ok(!lines.some(line => line.startsWith('aval_submission_oldest_seconds{')));
});
