import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSqlLimiter } from '../../server/limits/sql-limiter.ts';
import { sql } from '../../server/outbox/sql.ts';
import { POLICIES } from '../../tools/policies.ts';
import { createBench, submission } from '../outbox/outbox-support.ts';
import { STORES } from '../support/stores.ts';
import { assertAgrees } from './limiter-history.ts';

for (const store of STORES) {
  describe(`the limits of an hour in ${store.name}`, { skip: store.skip }, () => {
    it('hold across a restart and for all processes: the eleventh form and the sixth action are refused', async t => {
      const bench = await createBench(t, store);
      const limiter = async () => {
        const database = await bench.connect();
        t.after(() => database.close());
        return createSqlLimiter({ database, policies: POLICIES, nowMs: bench.clock.now });
      };
      const [before, beside] = [await limiter(), await limiter()];
      for (let form = 0; form < 10; form += 1) {
        const { ok } = await (form % 2 ? before : beside).hit('ana', ['forms'], 1);
        assert.equal(ok, true, `form ${form + 1}`);
      }
      const actions = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          (n % 2 ? before : beside).hit('ana', ['actions', 'actions-service'], 1),
        ),
      );
      assert.equal(actions.filter(({ ok }) => ok).length, 5);

      const after = await limiter();
      const { ok, states } = await after.hit('ana', ['forms'], 1);
      assert.equal(ok, false);
      assert.equal(states[0]?.resetSeconds, 3600);
      assert.equal((await after.hit('eva', ['forms'], 1)).ok, true);
      bench.clock.advance(3_600_000);
      assert.equal((await after.hit('ana', ['forms'], 1)).ok, true);
    });

    it('give the verdicts of the limits in memory on the same history', async t => {
      const database = await (await createBench(t, store)).connect();
      t.after(() => database.close());
      await assertAgrees(async ({ policies, now }) => {
        const limiter = createSqlLimiter({ database, policies, nowMs: now });
        await limiter.hit('nobody', ['forms'], 0);
        await database.query(sql`DELETE FROM slots`);
        return limiter;
      }, 10);
    });

    it('count what was taken up to a minute ahead of a clock that was set back, and keep no slot past its window', async t => {
      const bench = await createBench(t, store);
      const database = await bench.connect();
      t.after(() => database.close());
      const limiter = createSqlLimiter({ database, policies: POLICIES, nowMs: bench.clock.now });
      const left = async () => (await limiter.hit('ana', ['forms'], 0)).states[0]?.remaining;
      await limiter.hit('ana', ['forms'], 1);
      bench.clock.set(-60_000);
      assert.equal(await left(), 9);
      bench.clock.set(-1);
      assert.equal(await left(), 10);
      bench.clock.set(60_001 + 3_600_000);
      await limiter.hit('eva', ['forms'], 1);
      const [row] = await database.query(sql`SELECT COUNT(*) AS kept FROM slots`);
      assert.equal(Number(row?.kept), 1);
    });

    it('are not asked for the replay of a known Idempotency-Key', async t => {
      const bench = await createBench(t, store);
      const outbox = await bench.open();
      const sent = submission({ idempotencyKey: 'k-1' });
      assert.equal(await outbox.isReplay(sent), false);
      await outbox.deliver(sent);
      assert.equal(await (await bench.open()).isReplay(sent), true);
      assert.equal(await outbox.isReplay(submission({ idempotencyKey: 'k-2' })), false);
    });
  });
}
