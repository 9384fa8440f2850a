import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eraseRecipient } from '../../server/outbox/erasure.ts';
import { recipientOf } from '../../server/outbox/receive.ts';
import type { DeliverOutcome, Submission } from '../../tools/deliver.ts';
import { POLICIES } from '../../tools/policies.ts';
import { STORES } from '../support/stores.ts';
import { countText } from '../support/support.ts';
import { createBench, ended, HOUR, partner, submission, until } from './outbox-support.ts';

const outcomes = (results: readonly DeliverOutcome[]) => countText(results.map(({ outcome }) => outcome));

const action = (clientHash: string) => partner({ channel: 'mcp', clientHash });

/** What is left of each limit, and the seconds until there is more. */
const left = ({ limits }: DeliverOutcome) =>
  limits?.states.map(({ policy, remaining, resetSeconds }) => [policy, remaining, resetSeconds]);

/** What is left of each limit. */
const remaining = (outcome: DeliverOutcome) => left(outcome)?.map(([policy, count]) => [policy, count]);

for (const store of STORES) {
  describe(`the limits of an hour in ${store.name}`, { skip: store.skip }, () => {
    it('are exact for two processes at once: ten forms, five actions of a client, twenty of all', async t => {
      const bench = await createBench(t, store);
      const outboxes = [await bench.open({ policies: POLICIES }), await bench.open({ policies: POLICIES })];
      const send = (submissions: readonly Submission[]) =>
        Promise.all(submissions.map((one, index) => outboxes[index % 2]!.deliver(one)));
      const many = (count: number, one: (index: number) => Submission) =>
        Array.from({ length: count }, (_, index) => one(index));
      assert.deepEqual(outcomes(await send(many(25, () => partner()))), { delivered: 10, limited: 15 });
      assert.deepEqual(outcomes(await send(many(12, () => action('ana')))), { delivered: 5, limited: 7 });
      const all = await send(many(40, index => action(`client-${index}`)));
      assert.deepEqual(outcomes(all), { delivered: 15, limited: 25 });
      assert.equal((await bench.stored()).length, 30);
    });

    it('free slot by slot, an hour after each was accepted, and hold across a restart', async t => {
      const bench = await createBench(t, store);
      const first = await bench.open({ policies: POLICIES });
      assert.deepEqual(left(await first.deliver(partner())), [['submissions', 9, 3600]]);
      bench.clock.advance(1000);
      for (let count = 0; count < 9; count += 1) await first.deliver(partner());
      await first.close();
      const second = await bench.open({ policies: POLICIES });
      bench.clock.advance(HOUR - 2500);
      assert.deepEqual(left(await second.deliver(partner())), [['submissions', 0, 2]]);
      bench.clock.advance(1499);
      assert.equal((await second.deliver(partner())).outcome, 'delivered');
      assert.equal((await second.deliver(partner())).outcome, 'limited');
      assert.equal((await second.deliver(partner({ clientHash: 'eva' }))).outcome, 'delivered');
    });

    it('count a repeat of an Idempotency-Key once, in parallel too', async t => {
      const bench = await createBench(t, store);
      const outboxes = [await bench.open({ policies: POLICIES }), await bench.open({ policies: POLICIES })];
      const repeats = Array.from({ length: 12 }, (_, index) =>
        outboxes[index % 2]!.deliver(partner({ idempotencyKey: 'k' })),
      );
      const results = await ended(bench, Promise.all(repeats));
      for (const result of results) assert.deepEqual(remaining(result), [['submissions', 9]]);
      assert.equal((await bench.stored()).length, 1);
      for (let count = 0; count < 9; count += 1) await outboxes[0]!.deliver(partner());
      assert.equal((await outboxes[0]!.deliver(partner())).outcome, 'limited');
      assert.equal((await outboxes[0]!.deliver(partner({ idempotencyKey: 'k' }))).outcome, 'replayed');
    });

    it('are free of what a clock wrote that was ahead by more than a day', async t => {
      const bench = await createBench(t, store);
      const outbox = await bench.open({ policies: POLICIES });
      bench.clock.set(365 * 24 * HOUR);
      for (let count = 0; count < 10; count += 1) await outbox.deliver(partner());
      assert.equal((await outbox.deliver(partner())).outcome, 'limited');
      bench.clock.set(-365 * 24 * HOUR);
      assert.deepEqual(left(await outbox.deliver(partner())), [['submissions', 9, 3600]]);
    });

    it('free nothing when the clock is set back, and count nothing that could not be kept', async t => {
      const bench = await createBench(t, store);
      const outbox = await bench.open({ policies: POLICIES });
      await outbox.deliver(partner());
      bench.clock.set(-24 * HOUR);
      assert.deepEqual(remaining(await outbox.deliver(partner())), [['submissions', 8]]);
      const failing = await bench.open({
        policies: POLICIES,
        database: {
          ...(await bench.connect()),
          exclusively: () => Promise.reject(new Error('the disk is full')),
        },
      });
      assert.equal((await failing.deliver(partner())).outcome, 'not-kept');
      assert.deepEqual(remaining(await outbox.deliver(partner())), [['submissions', 7]]);
    });

    const locked = store.name === 'Postgres' ? {} : { skip: 'SQLite has one connection' };
    it('let others in while all requests of one network wait for its lock', locked, async t => {
      const bench = await createBench(t, store);
      const outbox = await bench.open();
      const locking = await bench.connect();
      let isTaken = false;
      let release = () => {};
      const lock = locking.exclusively(['submissions-network network-2'], () => {
        isTaken = true;
        return new Promise<void>(resolve => {
          release = resolve;
        });
      });
      await until(() => isTaken);
      const from = { networkHash: 'network-2', isIpv6: true };
      const waiting = Array.from({ length: 16 }, () => outbox.deliver(partner(from)));
      const { outcome } = await outbox.deliver(partner());
      release();
      assert.equal(outcome, 'delivered');
      assert.deepEqual(outcomes(await Promise.all(waiting)), { delivered: 16 });
      await lock;
    });

    it('bound the forms of an IPv6 /48 beside those of its clients, and let an erased person go', async t => {
      const bench = await createBench(t, store);
      const outbox = await bench.open({ policies: POLICIES });
      const from = (clientHash: string) => partner({ clientHash, networkHash: 'network', isIpv6: true });
      for (let client = 0; client < 10; client += 1)
        for (let count = 0; count < 10; count += 1) await outbox.deliver(from(`client-${client}`));
      const refused = await outbox.deliver(from('another'));
      assert.equal(refused.outcome, 'limited');
      assert.deepEqual(remaining(refused), [
        ['submissions', 10],
        ['submissions-network', 0],
      ]);
      const email = submission().fields.email ?? '';
      await eraseRecipient(outbox.database, recipientOf(email));
      bench.clock.advance(1000);
      assert.equal((await outbox.deliver(from('another'))).outcome, 'delivered');
    });
  });
}
