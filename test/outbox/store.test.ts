import assert from 'node:assert/strict';
import { copyFile, mkdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { readProfile } from '../../brand/profile/profile.ts';
import { databaseFile, openDatabase } from '../../server/outbox/database.ts';
import { leaseDue } from '../../server/outbox/deliveries.ts';
import { eraseRecipient, purge } from '../../server/outbox/erasure.ts';
import { rebind } from '../../server/outbox/installation.ts';
import { recipientOf } from '../../server/outbox/receive.ts';
import { DatabaseRefused, type Query, sql } from '../../server/outbox/sql.ts';
import { openSqlite } from '../../server/outbox/sqlite.ts';
import { countOverdue, list } from '../../server/outbox/stored-submission.ts';
import { WebhookError } from '../../server/webhook/webhook.ts';
import { temporaryFolder } from '../support/folder.ts';
import { STORES } from '../support/stores.ts';
import { deleteDatabase, storedAt } from '../support/submission-support.ts';
import { bytesOf, PROFILE } from '../trust/signed-profile.ts';
import {
  type Bench,
  background,
  bytesOnDisk,
  confirmations,
  createBench as createBenchOn,
  createFakeClock,
  createHanging,
  DAY,
  ended,
  HOUR,
  inSteps,
  MAIL,
  MINUTE,
  mailerThat,
  partner,
  storeOf,
  submission,
  teamMails,
  until,
} from './outbox-support.ts';

const REFUSED = [{ kind: 'status', status: 401 }] as const;
const ACCEPTED = [{ kind: 'accept' }] as const;

const nonePending = (bench: Bench) => async () => (await bench.pending()).length === 0;

for (const kind of STORES) {
  describe(`one store in ${kind.name} for many processes`, { skip: kind.skip }, () => {
    const createBench = (t: TestContext) => createBenchOn(t, kind);

    /** An outbox with one submission that mail refused. */
    async function withKept(t: TestContext) {
      const bench = await createBench(t);
      const outbox = await bench.open();
      bench.double.behave(REFUSED);
      const result = await outbox.deliver(partner());
      assert.equal(result.outcome, 'kept');
      const [record] = await bench.pending();
      assert.ok(record);
      // Its first round has ended: nothing of it is under way in the test.
      await outbox.sendDue(MINUTE);
      return { bench, outbox, id: record.id, record };
    }

    it('what a process was sending when it died is sent by another once its lease has ended, not before', async t => {
      const bench = await createBench(t);
      const { mailer, sends } = createHanging();
      const dying = await bench.open({ mailer, clock: createFakeClock() });
      void dying.deliver(partner());
      await until(() => sends.length === 1);
      await bench.open();
      bench.clock.advance(19_000);
      for (let n = 0; n < 5; n += 1) await bench.stored();
      assert.equal(teamMails(bench).length, 0);
      bench.clock.advance(1000);
      await inSteps(bench, 1000, nonePending(bench));
      assert.equal(teamMails(bench).length, 1);
    });

    it('what one process has leased no other leases before the lease has ended, unless no lease lasts so long', async t => {
      const { outbox, id } = await withKept(t);
      const { database } = outbox;
      await database.query(sql`UPDATE deliveries SET due_at = 0`);
      const lease = async (leaseholder: string, nowMs: number) =>
        (await leaseDue({ ...storeOf(database), leaseholder }, ['team'], nowMs))?.submission;
      assert.equal(await lease('one', 1_000_000), id);
      assert.equal(await lease('two', 1_019_999), undefined);
      assert.equal(await lease('two', 1_020_000), id, 'until 1,040,000');
      // The clock was set back: by less than the slack of a minute the lease holds.
      assert.equal(await lease('one', 1_040_000 - 80_000), undefined);
      assert.equal(await lease('one', 1_040_000 - 80_001), id);
    });

    it('what waits longer than its promised hours is overdue: an operator sees it, and the log says it once', async t => {
      const { bench, outbox } = await withKept(t);
      const startMs = bench.clock.now();
      const [listed] = await list(outbox.database, { limit: 9 }, startMs);
      assert.deepEqual(
        [listed?.state, listed?.tries, listed?.note],
        ['pending', 1, 'configuration http-401'],
      );
      const urgent = await outbox.deliver(submission({ replyHours: 4 }));
      const overdue = (ms: number) => countOverdue(outbox.database, startMs + ms);
      const counts = [4 * HOUR - 1, 4 * HOUR, 48 * HOUR - 1, 48 * HOUR].map(overdue);
      assert.deepEqual(await Promise.all(counts), [0, 1, 1, 2]);
      const tries = async () => Math.min(...(await bench.pending()).map(({ tries }) => tries));
      await inSteps(bench, MINUTE, async () => (await tries()) === 9);
      const alarms = bench.log.filter(({ event }) => event === 'submission overdue');
      assert.deepEqual(
        alarms.map(({ reference, alarm }) => [reference, alarm]),
        [['reference' in urgent && urgent.reference, true]],
      );
    });

    it('a key that is in use in one process waits in the other for the result, and shares it', async t => {
      const bench = await createBench(t);
      const [one, two] = [await bench.open(), await bench.open()];
      bench.double.behave([{ kind: 'accept', delayMs: 200 }]);
      const keyed = partner({ idempotencyKey: 'k' });
      const sending = Promise.all([one.deliver(keyed), two.deliver(keyed)]);
      const [first, second] = await ended(bench, sending);
      assert.deepEqual(first, second);
      assert.equal((await bench.stored()).length, 1);
      assert.equal(teamMails(bench).length, 1);
    });

    it('a record keeps its mode: a dry run neither sends, retries nor repeats what was taken in production', async t => {
      const { bench, outbox } = await withKept(t);
      await outbox.close();
      bench.double.behave(ACCEPTED);
      const dry = await bench.open({ mode: 'dry-run' });
      assert.equal((await dry.deliver(partner())).outcome, 'delivered');
      bench.clock.advance(2 * HOUR);
      await background(bench, async () => (await bench.stored()).length === 2);
      assert.deepEqual(
        (await bench.pending()).map(({ mode }) => mode),
        ['production'],
      );
      await bench.open();
      await background(bench, nonePending(bench));
    });

    it('an unforeseen failure after the commit is told as kept, and is', async t => {
      const bench = await createBench(t);
      const broken = mailerThat(() => Promise.reject(new Error('boom')));
      const query = () => Promise.reject(new Error('the store is gone'));
      const outbox = await bench.open({ mailer: broken, database: { ...(await bench.connect()), query } });
      assert.equal((await outbox.deliver(partner())).outcome, 'kept');
      assert.equal((await bench.pending()).length, 1);
    });

    it('a clock set back three hours stops no mail, and one set ahead and back ends no attempts', async t => {
      for (const jumps of [[-3 * HOUR], [49 * HOUR, -49 * HOUR]]) {
        const { bench, outbox } = await withKept(t);
        await outbox.close();
        await bench.open({ schedule: { probeEveryMs: 0 } });
        const tries = async () => (await bench.pending())[0]?.tries ?? 0;
        // A start tries what waits.
        await background(bench, async () => (await tries()) === 2);
        for (const [index, jump] of jumps.entries()) {
          bench.clock.set(jump);
          bench.clock.advance(HOUR);
          await background(bench, async () => (await tries()) === index + 3);
        }
        bench.double.behave(ACCEPTED);
        bench.clock.advance(HOUR);
        await background(bench, nonePending(bench));
      }
    });

    it('belongs to its first profile: another is refused and keeps nothing, until it is rebound on purpose', async t => {
      const bench = await createBench(t);
      const at = (id: string) => ({
        mail: { ...MAIL, profile: () => readProfile(bytesOf({ ...PROFILE, id })).profile },
      });
      const unbound = await bench.open({ mail: { ...MAIL, profile: () => undefined } });
      assert.equal((await unbound.deliver(submission())).outcome, 'delivered', 'START_WITHOUT_BRAND');
      await (await bench.open(at('first'))).deliver(submission());
      const other = await bench.open(at('other'));
      await assert.rejects(
        other.open(),
        /belong to the profile "first", and BRAND_FILE has "other".*aval outbox rebind/s,
      );
      assert.equal((await other.deliver(submission())).outcome, 'not-kept');
      await rebind(other.database, 'other');
      await other.open();
      assert.equal((await other.deliver(submission())).outcome, 'delivered');
    });

    it('a submission is deleted 30 days after its last mail; what is pending stays', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      await outbox.deliver(partner({}, { context: 'Entregada hace tiempo.' }));
      bench.double.behave(REFUSED);
      bench.clock.advance(1);
      await outbox.deliver(partner({}, { context: 'Todavía pendiente.' }));
      const shown = async () => (await bench.stored()).map(({ fields }) => fields?.context);
      bench.clock.advance(29 * DAY);
      assert.deepEqual(await shown(), ['Entregada hace tiempo.', 'Todavía pendiente.']);
      bench.clock.advance(2 * DAY);
      await background(bench, () =>
        bench.log.some(({ event, count }) => event === 'old submissions purged' && count === 1),
      );
      assert.deepEqual(await shown(), ['Todavía pendiente.']);
    });

    it('an event that no webhook will get, and a mail that a dry run left, keep no submission longer', async t => {
      const bench = await createBench(t);
      const webhook = {
        send: async () => {
          throw new WebhookError('http-500');
        },
      };
      const withWebhook = await bench.open({ webhook });
      await withWebhook.deliver(partner());
      await withWebhook.close();
      bench.double.behave(REFUSED);
      const dryRun = await bench.open({ mode: 'dry-run' });
      await dryRun.deliver(partner());
      await dryRun.close();
      assert.equal((await bench.stored()).length, 2);
      bench.clock.advance(31 * DAY);
      await bench.open();
      await background(bench, async () => (await bench.stored()).length === 0);
    });

    it('everything of one person is deleted in any spelling of the mailbox, a dot aside; what was due of it is never sent', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      await outbox.deliver(submission({}, { email: 'Ana+web@client.example' }));
      await outbox.deliver(partner({}, { email: 'a.na@client.example' }));
      bench.double.behave(REFUSED);
      const keyed = partner({ idempotencyKey: 'k' });
      await outbox.deliver(keyed);
      const { erased } = await eraseRecipient(outbox.database, recipientOf('ANA@client.example'));
      assert.deepEqual(erased.map(({ state }) => state).sort(), ['delivered', 'pending']);
      const emails = (await bench.stored()).map(({ fields }) => fields?.email);
      assert.deepEqual(emails, ['a.na@client.example']);
      bench.double.behave(ACCEPTED);
      bench.clock.advance(2 * HOUR);
      await outbox.sendDue(MINUTE);
      assert.deepEqual([teamMails(bench).length, confirmations(bench).length], [2, 0]);
      const repeated = await outbox.deliver(keyed);
      assert.equal(repeated.outcome, 'delivered', 'nobody would answer what was given up');
    });

    it('a database of an earlier version is refused as it stands, and says what to do', async t => {
      const settings = await kind.settings(t, temporaryFolder());
      const earlier = await openDatabase(settings);
      await earlier.query(sql`UPDATE schemas SET version = 6`);
      await earlier.close();
      await assert.rejects(openDatabase(settings), error => {
        assert.ok(error instanceof DatabaseRefused);
        assert.match(error.message, /earlier version.*Let that version deliver what it keeps/);
        return true;
      });
    });

    it('a process whose database was changed by a newer program takes in and sends nothing more, and says what to do', async t => {
      const bench = await createBench(t);
      const outbox = await bench.open();
      await outbox.deliver(submission());
      const newer = await bench.connect();
      await newer.query(sql`UPDATE schemas SET version = 99 WHERE name = 'submissions'`);
      await newer.query(sql`UPDATE deliveries SET state = 'pending', due_at = 1, done_at = NULL`);
      await newer.close();
      assert.deepEqual(await outbox.deliver(submission({}, { context: 'Otra petición, después.' })), {
        outcome: 'not-kept',
      });
      bench.clock.advance(15_000);
      await background(bench, () => bench.log.some(({ event }) => event === 'submissions cannot be kept'));
      const line = bench.log.find(({ event }) => event === 'submissions cannot be kept');
      assert.deepEqual([line?.cause, line?.alarm], ['DATABASE_NEWER', true]);
      assert.match(String(line?.fix), /newer version/);
      assert.equal(teamMails(bench).length, 1);
      assert.equal((await bench.stored()).length, 1);
    });
  });
}

describe('the file of a store in SQLite', () => {
  it('that another process has locked is opened once it is free', async () => {
    const path = databaseFile(temporaryFolder());
    const holder = new DatabaseSync(path);
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const opening = openSqlite(path);
    // Long enough for the first look to find the lock.
    await Promise.race([opening, setTimeout(100)]);
    holder.close();
    await (await opening).close();
  });

  it('is readable by its user only, whatever the umask; a folder that was there keeps its mode, one made for it is private', async t => {
    const before = process.umask(0o000);
    t.after(() => process.umask(before));
    const folder = temporaryFolder();
    const [dataDirectory, fresh] = [join(folder, 'data'), join(folder, 'made')];
    await mkdir(dataDirectory, { mode: 0o755 });
    await writeFile(databaseFile(dataDirectory), '', { mode: 0o644 });
    const database = await openDatabase({ dataDirectory });
    for (const end of ['', '-wal', '-shm']) {
      assert.equal((await stat(`${databaseFile(dataDirectory)}${end}`)).mode & 0o777, 0o600);
    }
    assert.equal((await stat(dataDirectory)).mode & 0o777, 0o755);
    await database.close();
    await (await openDatabase({ dataDirectory: fresh })).close();
    assert.equal((await stat(fresh)).mode & 0o777, 0o700);
  });

  it('moved or deleted under a server: not kept, nothing sent and an alarm; put back, all goes on', async t => {
    const bench = await createBenchOn(t);
    const outbox = await bench.open();
    const file = databaseFile(bench.dataDirectory);
    await rename(file, `${file}.elsewhere`);
    assert.equal((await outbox.deliver(submission())).outcome, 'not-kept');
    const alarm = bench.log.find(({ event }) => event === 'submission not kept');
    assert.deepEqual([alarm?.cause, alarm?.alarm, bench.double.requests.count], ['DATABASE_MOVED', true, 0]);
    await rename(`${file}.elsewhere`, file);
    assert.equal((await outbox.deliver(submission())).outcome, 'delivered');
    await deleteDatabase(bench.dataDirectory);
    assert.equal(
      (await outbox.deliver(submission({}, { context: 'Otra solicitud más.' }))).outcome,
      'not-kept',
    );
  });

  it('whose journal is deleted takes nothing more, and has moved what it had taken into its file', async t => {
    const bench = await createBenchOn(t);
    const outbox = await bench.open();
    await outbox.deliver(submission());
    const file = databaseFile(bench.dataDirectory);
    for (const end of ['-wal', '-shm']) await rm(`${file}${end}`);
    assert.equal((await outbox.deliver(submission())).outcome, 'not-kept');
    const line = bench.log.find(({ event }) => event === 'submissions cannot be kept');
    assert.match(String(line?.fault), /aval\.db-wal was moved, replaced, deleted or cut off/);
    // As another program finds it after a kill: without the journal.
    const folder = temporaryFolder();
    await copyFile(file, databaseFile(folder));
    assert.equal((await storedAt(folder)).length, 1);
  });

  it('whose journal is cut off under it takes nothing more; one that another process has emptied is no fault', async t => {
    const bench = await createBenchOn(t);
    const outbox = await bench.open();
    await outbox.deliver(submission());
    const other = await openDatabase({ dataDirectory: bench.dataDirectory });
    await other.query(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
    await other.close();
    assert.equal(
      (await outbox.deliver(submission({}, { context: 'Otra solicitud más.' }))).outcome,
      'delivered',
    );
    await truncate(`${databaseFile(bench.dataDirectory)}-wal`);
    assert.equal((await outbox.deliver(submission())).outcome, 'not-kept');
    const alarm = bench.log.find(({ event }) => event === 'submission not kept');
    assert.deepEqual([alarm?.cause, alarm?.alarm], ['DATABASE_MOVED', true]);
  });

  it('holds nothing any more of what was erased while another program read, once it has read', async t => {
    const bench = await createBenchOn(t);
    const outbox = await bench.open();
    const { database } = outbox;
    await outbox.deliver(partner({}, { context: 'Secreto de Wenceslao.' }));
    const reader = new DatabaseSync(databaseFile(bench.dataDirectory));
    t.after(() => reader.close());
    reader.exec('BEGIN; SELECT * FROM submissions');
    const isBusy: boolean[] = [];
    const query: Query = async statement => {
      const rows = await database.query(statement);
      if (!statement.text.includes('wal_checkpoint')) return rows;
      isBusy.push(rows[0]?.busy === 1);
      if (isBusy.length === 1) reader.exec('COMMIT');
      return rows;
    };
    const { isInJournal } = await eraseRecipient({ ...database, query }, recipientOf('ana@client.example'));
    assert.deepEqual([isBusy, isInJournal], [[true, false], false]);
    assert.doesNotMatch(await bytesOnDisk(bench), /Wenceslao/);
  });

  it('loses its questions by the clock, also where ASK_LOG is off by now', async t => {
    const bench = await createBenchOn(t);
    const database = await bench.connect();
    await bench.open({ retentionDays: 2 });
    const insert = (query: string, atMs: number) =>
      database.query(sql`INSERT INTO asked (at, query) VALUES (${atMs}, ${query})`);
    await insert('old', bench.clock.now() - DAY);
    await insert('new', bench.clock.now() + DAY);
    const kept = async () => (await database.query(sql`SELECT query FROM asked`)).map(({ query }) => query);
    bench.clock.advance(DAY + HOUR);
    await background(bench, async () => (await kept()).length === 1);
    assert.deepEqual(await kept(), ['new']);
  });

  it('holds nothing any more of what was too old, one round after another program read', async t => {
    const bench = await createBenchOn(t);
    const outbox = await bench.open();
    await outbox.deliver(partner({}, { context: 'Secreto de Wenceslao.' }));
    const reader = new DatabaseSync(databaseFile(bench.dataDirectory));
    t.after(() => reader.close());
    reader.exec('BEGIN; SELECT * FROM submissions');
    const later = bench.clock.now() + DAY;
    assert.equal(await purge(storeOf(outbox.database), later), 1);
    assert.match(await bytesOnDisk(bench), /Wenceslao/);
    reader.exec('COMMIT');
    assert.equal(await purge(storeOf(outbox.database), later), 0);
    assert.doesNotMatch(await bytesOnDisk(bench), /Wenceslao/);
  });
});
