import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MailError } from '../../server/mail/mailer.ts';
import { createRounds } from '../../server/outbox/background.ts';
import { retryNow } from '../../server/outbox/deliveries.ts';
import { DatabaseFault, sql } from '../../server/outbox/sql.ts';
import type { Stored } from '../../server/outbox/stored-submission.ts';
import type { Behaviour } from '../support/mailgun-double.ts';
import { STORES } from '../support/stores.ts';
import {
  type Bench,
  background,
  confirmations,
  createBench as createBenchOn,
  createFakeClock,
  createHanging,
  DAY,
  ended,
  HOUR,
  inSteps,
  MINUTE,
  mailerThat,
  partner,
  submission,
  teamMails,
  until,
} from './outbox-support.ts';

/** What the log says of confirmations that nobody gets, or gets later. */
const reasonsHeld = ({ log }: Bench) =>
  log
    .filter(({ event }) => /^confirmation (skipped|waits)$/.test(event))
    .map(({ event, reason }) => `${event.split(' ')[1]}: ${reason}`);

/** After a jump of the clock it goes on: a round that was under way in the jump looks again some seconds later. */
const afterJump = (bench: Bench, ready: () => boolean | Promise<boolean>) => inSteps(bench, 100, ready);

/** Nothing of it is due now. A confirmation that waits without a reason has not been decided on yet. */
const isSettled = ({ state, confirmation, confirmation_note }: Stored) =>
  state !== 'pending' &&
  confirmation !== 'pending' &&
  !(confirmation === 'waiting' && confirmation_note === null);

/** Lets everything go out that is due at this moment, confirmations too. */
async function allDone(bench: Bench): Promise<void> {
  await background(bench, async () => {
    const records = await bench.stored();
    return records.length > 0 && records.every(isSettled);
  });
}

/** The same for every mail, whatever is in it. */
const LOGIN_REFUSED: Behaviour = { kind: 'status', status: 401, body: 'Forbidden', type: 'text/plain' };

for (const store of STORES) {
  describe(`submissions in ${store.name}`, { skip: store.skip }, () => {
    const createBench = (t: TestContext) => createBenchOn(t, store);

    it('a submission is on disk before its mail leaves', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      let committed: Promise<Stored[]> | undefined;
      bench.double.behave(() => {
        committed ??= bench.stored();
        return { kind: 'accept', delayMs: 50 };
      });
      const result = await outbox.deliver(submission());
      assert.equal(result.outcome, 'delivered');
      const [record] = (await committed) ?? [];
      assert.deepEqual(
        [record?.state, record?.fields?.context],
        ['pending', 'Queremos medir lo que aporta la marca.'],
      );
    });

    it('a fault of the mail server is tried again within the request if it may pass, and else later', async t => {
      for (const { fault, tries } of [
        { fault: LOGIN_REFUSED, tries: 1 },
        { fault: { kind: 'status', status: 500 }, tries: 3 },
      ] as const) {
        const bench = await createBench(t);
        const outbox = await bench.open();
        bench.double.behave([fault]);
        assert.equal((await outbox.deliver(partner())).outcome, 'kept');
        assert.equal(bench.double.requests.count, tries);
        bench.double.behave([fault, { kind: 'accept' }]);
        bench.clock.advance(5000);
        assert.equal((await outbox.deliver(partner())).outcome, tries === 1 ? 'kept' : 'delivered');
        bench.clock.advance(MINUTE);
        await background(bench, async () => (await bench.pending()).length === 0);
        assert.equal(bench.double.mails.length, 2);
      }
    });

    it('a mail whose answer was lost is tried a minute later, with the same Message-Id', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      bench.double.behave([{ kind: 'lost-answer' }, { kind: 'accept' }]);
      assert.equal((await outbox.deliver(partner())).outcome, 'kept');
      assert.equal(bench.double.mails.length, 1);
      bench.clock.advance(MINUTE);
      await background(bench, async () => (await bench.pending()).length === 0);
      const ids = bench.double.mails.map(mail => mail['h:Message-Id']);
      assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
    });

    it('a pending submission is tried after 1, 5, 15 and 60 minutes, then hourly for 48 hours, then raises the alarm', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open({
        schedule: { inlinePausesMs: [], probeEveryMs: 0, pollEveryMs: HOUR },
      });
      bench.double.behave([{ kind: 'status', status: 500 }]);
      await outbox.deliver(submission());
      const startMs = bench.clock.now();
      const dueAtMs = async () => (await bench.pending())[0]?.due_at;
      const triedAtMinutes: number[] = [];
      for (let atMs = await dueAtMs(); atMs; atMs = await dueAtMs()) {
        triedAtMinutes.push((atMs - startMs) / MINUTE);
        bench.clock.advance(atMs - bench.clock.now());
        await background(bench, async () => (await dueAtMs()) !== atMs);
      }
      assert.deepEqual(triedAtMinutes.slice(0, 6), [1, 6, 21, 81, 141, 201]);
      assert.deepEqual([triedAtMinutes.length, triedAtMinutes.slice(-2)], [51, [2841, 48 * 60]]);
      assert.equal(bench.double.requests.count, 1 + triedAtMinutes.length);
      const overdue = () => bench.log.find(({ event }) => event === 'submission overdue');
      bench.clock.advance(HOUR);
      await background(bench, () => overdue() !== undefined);
      const alarm = overdue();
      assert.deepEqual([alarm?.level, alarm?.alarm], ['error', true]);

      const [record] = await bench.pending();
      bench.double.behave([{ kind: 'accept' }]);
      assert.deepEqual(await retryNow(outbox.database, bench.clock.now(), record?.id), [record?.reference]);
      await inSteps(bench, MINUTE, async () => (await bench.pending()).length === 0);
      assert.deepEqual(await retryNow(outbox.database, bench.clock.now(), record?.id), []);
    });

    it('what comes while a start looks through the store is tried when it was planned, not at once', async t => {
      const bench = await createBench(t);
      const database = await bench.connect();
      let goOn = () => {};
      const isAsked = new Promise<void>(resolve => {
        goOn = resolve;
      });
      const query: typeof database.query = async statement => {
        if (statement.text.includes('SET due_at = ?')) await isAsked;
        return database.query(statement);
      };
      const outbox = await bench.open({ database: { ...database, query }, schedule: { inlinePausesMs: [] } });
      bench.double.behave([{ kind: 'status', status: 500 }]);
      await outbox.deliver(submission());
      goOn();
      await outbox.sendDue(MINUTE);
      assert.equal(bench.double.requests.count, 1);
      assert.equal((await bench.pending())[0]?.due_at, bench.clock.now() + MINUTE);
    });

    it('after a try that failed requests are answered at once for five seconds, then each tries again', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      const tries = async (count: number) => {
        const before = bench.double.requests.count;
        for (let sent = 0; sent < count; sent += 1) await outbox.deliver(submission());
        return bench.double.requests.count - before;
      };
      bench.double.behave([LOGIN_REFUSED]);
      assert.equal(await tries(3), 1);
      bench.clock.advance(4999);
      assert.equal(await tries(2), 0);
      bench.double.behave([{ kind: 'accept' }]);
      bench.clock.advance(1);
      assert.equal((await outbox.deliver(submission())).outcome, 'delivered');
      assert.equal((await outbox.deliver(submission())).outcome, 'delivered');
    });

    it('mail that failed five times in a row is down: the log says it once with what to change, and once that it is back; then all that waited goes', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      bench.double.behave([LOGIN_REFUSED]);
      for (let sent = 0; sent < 7; sent += 1) {
        await outbox.deliver(submission());
        bench.clock.advance(5000);
      }
      const next = await bench.open();
      bench.double.behave([{ kind: 'accept' }]);
      await next.deliver(submission());
      await outbox.deliver(submission());
      await background(bench, async () => (await bench.pending()).length === 0);
      const states = bench.log.filter(({ event }) => /^mail is/.test(event));
      assert.deepEqual(
        states.map(({ level, event, alarm }) => `${level} ${event} ${alarm}`),
        ['error mail is down true', 'info mail is back true'],
      );
      const [firstFailure] = bench.log.filter(({ event }) => event === 'mail failed');
      for (const line of [firstFailure, states[0]]) assert.match(String(line?.fix), /MAILGUN_API_KEY/);
    });

    it('fields that cannot be read keep no other mail waiting: an alarm has their reference, and they stay', async t => {
      const bench = await createBench(t);
      bench.double.behave([LOGIN_REFUSED]);
      const first = await bench.open();
      await first.deliver(submission());
      await first.database.query(sql`UPDATE submissions SET fields = '{'`);
      await first.deliver(submission());
      bench.double.behave([{ kind: 'accept' }]);
      const failed = () => bench.log.find(({ code }) => code === 'unreadable');
      await bench.open();
      await background(bench, async () => (await bench.pending()).length === 1 && failed() !== undefined);
      const [record] = await bench.pending();
      assert.deepEqual([failed()?.reference, failed()?.alarm], [record?.reference, true]);
      assert.equal(teamMails(bench).length, 1);
    });

    it('the same Idempotency-Key and body give the same answer without a second mail, at once, later and after a restart', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      const keyed = partner({ idempotencyKey: 'k-1' });
      const sending = Promise.all([outbox.deliver(keyed), outbox.deliver(keyed)]);
      const [first, second] = await ended(bench, sending);
      assert.deepEqual('reference' in first && first.reference, 'reference' in second && second.reference);
      const third = await outbox.deliver(keyed);
      assert.equal(third.outcome, 'replayed');
      const told = bench.log.map(({ event }) => event).sort();
      assert.deepEqual(told, ['mail', 'submission', 'submission', 'submission', 'submission received']);
      await outbox.close();
      const next = await bench.open();
      assert.equal((await next.deliver({ ...keyed, clientHash: 'another secret' })).outcome, 'replayed');
      assert.equal(bench.double.mails.length, 1);
      bench.clock.advance(24 * HOUR);
      assert.equal((await next.deliver(keyed)).outcome, 'delivered');
    });

    it('the same Idempotency-Key with another body is a conflict for its client and a coincidence for another', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      await outbox.deliver(submission({ idempotencyKey: '1' }));
      const other = submission({ idempotencyKey: '1' }, { context: 'Otra cosa distinta.' });
      assert.equal((await outbox.deliver(other)).outcome, 'conflict');
      assert.equal((await outbox.deliver({ ...other, clientHash: 'client-2' })).outcome, 'delivered');
      const [one, two] = ['De una vez, la una.', 'De una vez, la otra.'].map(context =>
        outbox.deliver(submission({ idempotencyKey: '2' }, { context })),
      );
      assert.deepEqual([(await one)?.outcome, (await two)?.outcome].sort(), ['conflict', 'delivered']);
    });

    it('a mailbox gets fifteen confirmations an hour and thirty a day, in any spelling; the others wait, and the team gets every mail', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      const addresses = [
        'ana@proton.example',
        'A-N_A@proton.example',
        'ana+x@proton.example',
        'a.n.a@proton.example',
      ];
      for (let n = 0; n < 18; n += 1) await outbox.deliver(submission({}, { email: addresses[n % 4] ?? '' }));
      await allDone(bench);
      assert.deepEqual([teamMails(bench).length, confirmations(bench).length], [18, 15]);
      assert.deepEqual(reasonsHeld(bench), Array(3).fill('waits: 15 an hour to this mailbox'));
      assert.deepEqual(
        (await outbox.database.query(sql`SELECT due_at FROM deliveries WHERE state = 'waiting'`)).map(
          ({ due_at }) => due_at,
        ),
        Array(3).fill(bench.clock.now() + HOUR),
        'planned for when there is room',
      );
      await outbox.close();
      const next = await bench.open();
      await next.deliver(submission({}, { email: addresses[0] ?? '' }));
      await allDone(bench);
      assert.equal(confirmations(bench).length, 15, 'the count survives a restart');

      bench.clock.advance(HOUR);
      await afterJump(bench, () => confirmations(bench).length === 19);
      for (let n = 0; n < 13; n += 1) await next.deliver(submission({}, { email: addresses[3] ?? '' }));
      await afterJump(bench, () => confirmations(bench).length === 30);
      await allDone(bench);
      assert.deepEqual(reasonsHeld(bench).slice(-2), Array(2).fill('waits: 30 a day to this mailbox'));
      bench.clock.advance(22 * HOUR);
      await allDone(bench);
      assert.equal(confirmations(bench).length, 30);
      bench.clock.advance(HOUR);
      await afterJump(bench, () => confirmations(bench).length === 32);
    });

    for (const { quota, of, network } of [
      { quota: 60, of: 'network', network: () => 'one' },
      { quota: 300, of: 'service', network: (n: number) => `network-${n}` },
    ]) {
      it(`a ${of} gets ${quota} confirmations an hour, whoever they are for`, async t => {
        const bench = await createBench(t);
        const outbox = await bench.open();
        for (let n = 0; n < quota + 2; n += 1)
          await outbox.deliver(submission({ networkHash: network(n) }, { email: `p${n}@client.example` }));
        await allDone(bench);
        assert.deepEqual([teamMails(bench).length, confirmations(bench).length], [quota + 2, quota]);
        assert.deepEqual(reasonsHeld(bench), Array(2).fill(`waits: ${quota} an hour from this ${of}`));
        bench.clock.advance(HOUR);
        await afterJump(bench, () => confirmations(bench).length === quota + 2);
      });
    }

    it('a confirmation that fails changes no answer and is tried on its own', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      bench.double.behave([{ kind: 'accept' }, { kind: 'status', status: 500 }, { kind: 'accept' }]);
      assert.equal((await outbox.deliver(submission())).outcome, 'delivered');
      const failed = sql`SELECT 1 FROM deliveries WHERE part = 'confirm' AND tries = 1`;
      await background(bench, async () => (await outbox.database.query(failed)).length === 1);
      bench.clock.advance(MINUTE);
      await background(bench, () => confirmations(bench).length === 1);
      assert.equal(teamMails(bench).length, 1);
    });

    it('the mail of the team is noted before the turn of the confirmations: without that turn it goes once, and the confirmation later', async t => {
      const bench = await createBench(t);
      const database = await bench.connect();
      let isCrowded = true;
      const outbox = await bench.open({
        database: {
          ...database,
          exclusively: (names, work) =>
            isCrowded && names.includes('confirmations')
              ? Promise.reject(new DatabaseFault('DATABASE_BUSY', 'no turn'))
              : database.exclusively(names, work),
        },
      });
      const { outcome, ...rest } = await outbox.deliver(submission());
      assert.deepEqual([outcome, 'confirmation' in rest && rest.confirmation], ['delivered', 'waiting']);
      assert.equal((await bench.stored())[0]?.state, 'delivered');
      isCrowded = false;
      bench.clock.advance(MINUTE);
      await afterJump(bench, () => confirmations(bench).length === 1);
      assert.equal(teamMails(bench).length, 1);
    });

    it('a confirmation that is refused for good is given up, and the record says why', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      bench.double.behave([{ kind: 'accept' }, { kind: 'status', status: 400 }]);
      await outbox.deliver(submission());
      await allDone(bench);
      const [record] = await bench.stored();
      assert.deepEqual([record?.confirmation, record?.confirmation_note], ['failed', 'permanent http-400']);
      assert.equal(bench.double.requests.count, 2);
      assert.deepEqual(
        bench.log.filter(({ event }) => /down|given up/.test(event)).map(({ event }) => event),
        ['confirmation given up'],
        'one mail was refused; mail is not down',
      );
    });

    it('a request waits no longer than 12 s for its mail: no try begins that could end later', async t => {
      const bench = await createBench(t);
      let sends = 0;
      const slow = mailerThat(() => {
        sends += 1;
        return new Promise((_, reject) => {
          bench.clock.setTimer(() => reject(new MailError('temporary', 'busy')), 3700);
        });
      });
      // The background tries again after an hour: only the tries of the request are counted.
      const schedule = { inlinePausesMs: [300, 600], pausesMs: [HOUR] };
      const outbox = await bench.open({ mailer: slow, schedule });
      let answer: unknown;
      void outbox.deliver(submission()).then(({ outcome }) => {
        answer = outcome;
      });
      await until(() => {
        bench.clock.advance(100);
        return answer !== undefined;
      });
      assert.deepEqual([answer, sends], ['kept', 2]);
      assert.deepEqual(
        bench.log.filter(({ event }) => event === 'mail').map(({ code }) => code),
        ['busy', 'busy'],
        'a mailer has its 4 s',
      );
    });

    it('closing waits for a send no longer than it is told to; the next start sends it', async t => {
      const bench = await createBench(t);
      const { mailer, sends } = createHanging();
      const outbox = await bench.open({ mailer });
      const answer = outbox.deliver(partner());
      await until(() => sends.length === 1);
      const closed = outbox.close(1500);
      bench.clock.advance(1499);
      assert.equal(await Promise.race([closed.then(() => 'closed'), nextTurn()]), 'open');
      bench.clock.advance(1);
      await closed;
      await bench.open();
      bench.clock.advance(20_000);
      await afterJump(bench, async () => (await bench.pending()).length === 0);
      assert.equal(teamMails(bench).length, 1);
      bench.clock.advance(MINUTE);
      assert.equal((await answer).outcome, 'kept', 'what is given up after the end was kept before it');
    });
  });
}

it('rounds of sending never run two at once, and what asks for one meanwhile gets another', async () => {
  const clock = createFakeClock();
  const ends: (() => void)[] = [];
  const rounds = createRounds(clock);
  rounds.start(() => new Promise(resolve => ends.push(() => resolve(DAY))));
  rounds.beginIn(0);
  clock.advance(0);
  assert.equal(ends.length, 1);
  ends[0]?.();
  await nextTurn();
  clock.advance(0);
  assert.equal(ends.length, 2);
  ends[1]?.();
  await rounds.stop();
});

const nextTurn = () => new Promise<string>(resolve => setImmediate(() => resolve('open')));
