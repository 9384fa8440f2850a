import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createHealth, type Probes } from '../../server/run/health.ts';
import { ROOT } from '../support/folder.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const inDays = (days: number) => NOW.getTime() + days * 86_400_000;

/** All is well, but for what is given. */
function examine(probes: Partial<Probes> = {}) {
  const health = createHealth({
    store: async () => {},
    profileExpiresMs: () => inDays(100),
    dataDirectory: ROOT,
    now: () => NOW.getTime(),
    ...probes,
  });
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

const away = () => Promise.reject(new Error('connect ECONNREFUSED'));

describe('/readyz', () => {
  it('is not ready where its own store fails, nor without a disk', async () => {
    assert.deepEqual(await examine({ store: away }).report(), [
      false,
      [['store', 'down', 'connect ECONNREFUSED']],
    ]);
    const gone = await examine({ dataDirectory: join(ROOT, 'no such folder') }).report();
    assert.match(JSON.stringify(gone), /^\[false,\[\["disk","down",/);
  });

  it('stays ready while its store is slow, or a proxy would take every loaded instance away', async t => {
    const alive = setInterval(() => {}, 1000); // the probe's own timer keeps no process running
    t.after(() => clearInterval(alive));
    const report = await examine({ store: () => new Promise(() => {}) }).report();
    assert.deepEqual(report, [true, [['store', 'degraded', 'no answer within 1 s']]]);
  });

  it('stays ready without the database of all instances, or all would be taken away at once', async () => {
    const { report } = examine({ store: away, dataDirectory: undefined });
    assert.deepEqual(await report(), [true, [['store', 'degraded', 'connect ECONNREFUSED']]]);
  });

  it('stays ready without a profile, since its forms go on, and with one that expires or has expired', async () => {
    const profilePart = async (expiresMs: number | undefined) =>
      (await examine({ profileExpiresMs: () => expiresMs }).report()).flat(2).slice(0, 3).join(' ');
    assert.equal(await profilePart(undefined), 'true profile degraded');
    assert.equal(await profilePart(inDays(12)), 'true profile degraded');
    assert.equal(await profilePart(inDays(-1)), 'true profile degraded');
    assert.equal(await profilePart(inDays(31)), 'true');
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
