import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MailError } from '../../server/mail/mailer.ts';
import { createRounds } from '../../server/outbox/background.ts';
import { leaseDue, markDelivered, nextDueAtMs } from '../../server/outbox/deliveries.ts';
import { eraseRecipient, purge } from '../../server/outbox/erasure.ts';
import { recipientOf } from '../../server/outbox/receive.ts';
import { sql } from '../../server/outbox/sql.ts';
import {
  background,
  bytesOnDisk,
  createBench,
  createFakeClock,
  DAY,
  MINUTE,
  storeOf,
  submission,
} from './outbox-support.ts';

const EMAIL = 'ana@client.example';

/** A delivered submission whose confirmation is not sent yet. */
async function withWaitingConfirmation(t: TestContext) {
  const bench = await createBench(t);
  const outbox = await bench.open();
  // Its first round has ended: the next begins when the clock moves.
  await outbox.sendDue(MINUTE);
  await outbox.deliver(submission());
  return { bench, outbox, store: storeOf(outbox.database) };
}

describe('a mail server that is down', () => {
  it('is not concluded from mails that are refused for good: the fault is theirs', async t => {
    const bench = await createBench(t);
    const refusing = {
      name: 'smtp' as const,
      verify: async () => {},
      send: () => Promise.reject(new MailError('permanent', 'smtp-550')),
    };
    const outbox = await bench.open({ mailer: refusing });
    for (let mail = 0; mail < 7; mail += 1) {
      const context = `La solicitud número ${mail}.`;
      assert.equal((await outbox.deliver(submission({}, { context }))).outcome, 'kept');
    }
    const events = bench.log.map(({ event }) => event);
    assert.ok(!events.includes('mail is down'));
    assert.equal(events.filter(event => event === 'mail').length, 7, 'every mail is tried');
  });
});

describe('a confirmation', () => {
  it('of production is left to production: a dry run of the same database sends none, however long it is due', async t => {
    const { bench, outbox, store } = await withWaitingConfirmation(t);
    const dry = storeOf(outbox.database, 'dry-run');
    const nowMs = bench.clock.now() + DAY;
    assert.equal(await leaseDue(dry, ['confirm'], nowMs), undefined);
    assert.equal((await leaseDue(store, ['confirm'], nowMs))?.part, 'confirm');
  });

  it('that waits is not sent once its person is erased, and nothing stays due', async t => {
    const { bench, outbox, store } = await withWaitingConfirmation(t);
    assert.notEqual(await nextDueAtMs(store, ['team', 'confirm']), undefined);
    await eraseRecipient(outbox.database, recipientOf(EMAIL));
    assert.equal(await nextDueAtMs(store, ['team', 'confirm']), undefined);
    assert.deepEqual(await bench.stored(), []);
  });

  it('is decided once: a second process that sent the same mail changes nothing', async t => {
    const { bench, outbox } = await withWaitingConfirmation(t);
    const [record] = await bench.stored();
    assert.ok(record);
    const { query } = outbox.database;
    const wasOwed = await markDelivered(query, record.id, 'team', { reply: 'another', nowMs: 1 });
    assert.equal(wasOwed, false);
    assert.deepEqual(await bench.stored(), [record]);
  });
});

describe('what is purged', () => {
  it('are kept questions too, by the clock, also where ASK_LOG is off by now', async t => {
    const bench = await createBench(t);
    const database = await bench.connect();
    await bench.open({ retentionDays: 2 });
    const insert = (query: string, atMs: number) =>
      database.query(sql`INSERT INTO asked (at, query) VALUES (${atMs}, ${query})`);
    await insert('old', bench.clock.now() - DAY);
    await insert('new', bench.clock.now() + DAY);
    const kept = async () => (await database.query(sql`SELECT query FROM asked`)).map(({ query }) => query);
    bench.clock.advance(DAY + 3_600_000);
    await background(bench, async () => (await kept()).length === 1);
    assert.deepEqual(await kept(), ['new']);
  });

  it('is gone from the file of the database and from its log', async t => {
    const { bench, outbox } = await withWaitingConfirmation(t);
    assert.match(await bytesOnDisk(bench), /ana@client/);
    await bench.open();
    await background(bench, async () =>
      (await bench.stored()).every(({ confirmation }) => confirmation === 'delivered'),
    );
    assert.equal(await purge(outbox.database, bench.clock.now() + 1), 1);
    assert.doesNotMatch(await bytesOnDisk(bench), /ana@client/);
  });
});

it('rounds of sending never run two at once, and what asks for one meanwhile gets another', async () => {
  const clock = createFakeClock();
  const ends: (() => void)[] = [];
  const rounds = createRounds(clock);
  rounds.start(() => new Promise(resolve => ends.push(() => resolve(DAY))));
  rounds.beginIn(0);
  clock.advance(0);
  assert.equal(ends.length, 1);
  ends[0]?.();
  await turn();
  clock.advance(0);
  assert.equal(ends.length, 2);
  ends[1]?.();
  await rounds.stop();
});
