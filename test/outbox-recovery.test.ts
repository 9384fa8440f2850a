import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  abandonSubmission,
  exportOutbox,
  listOutbox,
  purgeOutbox,
  retryAllPending,
  retrySubmission,
  showSubmission,
} from '../server/submissions/commands.ts';
import { openJournal } from '../server/submissions/journal.ts';
import { OutboxLocked } from '../server/submissions/lock.ts';
import { openOutbox } from '../server/submissions/outbox.ts';
import { readJournal } from '../server/submissions/read-journal.ts';
import { DataDirectoryUnusable } from '../server/submissions/store.ts';
import { type Bench, createBench, MAIL, mailgunAt, submission, temporaryFolder, until } from './outbox-support.ts';

const DAY = 24 * 3_600_000;

const journalOf = ({ dataDirectory }: Pick<Bench, 'dataDirectory'>) => join(dataDirectory, 'outbox/journal.jsonl');

/** An outbox with one submission that mail refused. */
async function withKept(t: TestContext) {
  const bench = await createBench(t);
  const outbox = await bench.open();
  bench.double.behave([{ kind: 'status', status: 401 }]);
  const result = await outbox.deliver(submission({ kind: 'partner' }));
  assert.equal(result.outcome, 'kept');
  return { bench, outbox, id: 'id' in result ? result.id : '' };
}

test('a torn tail is cut off, and what stood before it is delivered', async t => {
  const { bench, outbox } = await withKept(t);
  await outbox.close();
  const whole = await readFile(journalOf(bench), 'utf8');
  await appendFile(journalOf(bench), '1234abcd {"record":"received","id":"sub-torn"');
  bench.double.behave([{ kind: 'accept' }]);
  const next = await bench.open();
  assert.ok((await readFile(journalOf(bench), 'utf8')).startsWith(whole));
  await until(() => {
    bench.clock.advance(0);
    return next.status().pending === 0;
  });
  assert.equal(bench.double.mails.length, 1);
  assert.equal(bench.log.find(({ event }) => event.includes('torn'))?.bytes, 45);
  assert.deepEqual((await readJournal(bench.dataDirectory)).damagedLines, []);
});

test('a damaged line is skipped and reported by its number, the others count', async t => {
  const { bench, outbox, id } = await withKept(t);
  await outbox.deliver(submission({ kind: 'partner' }, { context: 'Una segunda solicitud.' }));
  await outbox.close();
  const lines = (await readFile(journalOf(bench), 'utf8')).split('\n');
  const damaged = lines.map((line, index) =>
    index === 1 ? line.replace('temporary', 'temporal').replace('401', '402') : line,
  );
  await writeFile(journalOf(bench), damaged.join('\n'));
  const next = await bench.open();
  assert.equal(next.status().pending, 2);
  assert.deepEqual(bench.log.find(({ event }) => event.includes('damaged'))?.lines, [2]);
  assert.deepEqual((await listOutbox(bench.dataDirectory)).damagedLines, [2]);
  assert.equal((await showSubmission(bench.dataDirectory, id))?.failures.team, 0);
});

test('the journal is readable by its user only, whatever the umask and whatever was there before', async t => {
  const before = process.umask(0o000);
  t.after(() => process.umask(before));
  const bench = await createBench(t);
  await mkdir(join(bench.dataDirectory, 'outbox'), { mode: 0o755 });
  await writeFile(journalOf(bench), '', { mode: 0o644 });
  await bench.open();
  assert.equal((await stat(journalOf(bench))).mode & 0o777, 0o600);
  assert.equal((await stat(join(bench.dataDirectory, 'outbox'))).mode & 0o777, 0o700);
});

test('a second instance on the same directory refuses to start and names the first', async t => {
  const bench = await createBench(t);
  await bench.open();
  await assert.rejects(bench.open(), (error: unknown) => {
    assert.ok(error instanceof OutboxLocked);
    assert.match(error.message, new RegExp(`process ${process.pid}.*DATA_DIR`));
    return true;
  });
});

test('the lock of a dead process, and of another process with the same id, is taken over', async t => {
  const bench = await createBench(t);
  const dead = spawn(process.execPath, ['-e', '']);
  await once(dead, 'exit');
  const path = join(bench.dataDirectory, 'outbox/lock');
  await mkdir(join(bench.dataDirectory, 'outbox'), { recursive: true });
  for (const holder of [
    { pid: dead.pid, startedAt: 'boot:1', token: 'a' },
    { pid: process.pid, startedAt: 'an earlier boot:1', token: 'b' },
  ]) {
    await writeFile(path, JSON.stringify(holder));
    const outbox = await bench.open();
    await outbox.close();
  }
  assert.deepEqual(await readdir(join(bench.dataDirectory, 'outbox')), ['journal.jsonl']);
});

test('a directory that cannot be written refuses to start and says so', async t => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'data'), 'a file where the directory should be');
  const opening = openOutbox({
    dataDirectory: join(folder, 'data'),
    mailer: mailgunAt('http://127.0.0.1:1'),
    mail: MAIL,
    log() {},
  });
  await assert.rejects(
    opening,
    (error: unknown) => error instanceof DataDirectoryUnusable && /DATA_DIR/.test(error.message),
  );
});

test('a full disk: not kept, nothing sent; with room again the next submission is kept', async t => {
  const bench = await createBench(t);
  const dataDirectory = join(bench.dataDirectory, 'disk');
  await mkdir(dataDirectory);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dataDirectory], { stdio: 'ignore' });
  } catch {
    return t.skip('needs the right to mount');
  }
  try {
    await fillAndFree(bench, dataDirectory);
  } finally {
    execFileSync('umount', ['-l', dataDirectory]);
  }
});

async function fillAndFree(bench: Bench, dataDirectory: string): Promise<void> {
  const outbox = await bench.open({ dataDirectory });
  const filler = join(dataDirectory, 'filler');
  await appendFile(filler, Buffer.alloc(100_000)).catch(() => {});
  // Two pages are left: the write that meets the end of the disk gets half of its bytes there.
  await truncate(filler, (await stat(filler)).size - 8192);
  const outcomes: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    outcomes.push((await outbox.deliver(submission({}, { context: `${n} `.repeat(700) }))).outcome);
  }
  assert.equal(outcomes[0], 'delivered');
  assert.equal(outcomes.at(-1), 'not-kept');
  const sent = outcomes.filter(outcome => outcome === 'delivered').length;
  assert.equal(bench.double.mails.filter(({ to }) => to === MAIL.team).length, sent);
  assert.equal(bench.log.find(({ event }) => event === 'submission not kept')?.cause, 'ENOSPC');
  assert.equal((await readJournal(dataDirectory)).tornBytes, 0);

  await writeFile(filler, '');
  assert.equal((await outbox.deliver(submission())).outcome, 'delivered');
  await outbox.close();
  assert.deepEqual((await readJournal(dataDirectory)).damagedLines, []);
}

test('a journal removed under a running server: not kept, for what is written there nobody would read', async t => {
  const bench = await createBench(t);
  const outbox = await bench.open();
  await rename(join(bench.dataDirectory, 'outbox'), join(bench.dataDirectory, 'elsewhere'));
  assert.equal((await outbox.deliver(submission())).outcome, 'delivered', 'a moved directory is still a journal');
  execFileSync('rm', ['-r', join(bench.dataDirectory, 'elsewhere')]);
  const sent = bench.double.mails.length;
  assert.equal((await outbox.deliver(submission())).outcome, 'not-kept');
  assert.equal(bench.double.mails.length, sent);
});

test('many appends at once share writes and all survive', async t => {
  const dataDirectory = await temporaryFolder(t);
  await mkdir(join(dataDirectory, 'outbox'));
  const journal = await openJournal(journalOf({ dataDirectory }), 0);
  const ids = Array.from({ length: 500 }, (_, n) => `sub-${n}`);
  await Promise.all(ids.map(id => journal.append({ record: 'purged', id, atMs: 1 })));
  await journal.close();
  await assert.rejects(journal.append({ record: 'purged', id: 'late', atMs: 1 }));
  const { records } = await readJournal(dataDirectory);
  assert.deepEqual(
    records.map(({ id }) => id),
    ids,
  );
});

test('fields are dropped 30 days after delivery, from the file too; what is pending keeps them', async t => {
  const bench = await createBench(t);
  const outbox = await bench.open();
  await outbox.deliver(submission({ kind: 'partner' }, { context: 'Entregada hace tiempo.' }));
  bench.double.behave([{ kind: 'status', status: 401 }]);
  await outbox.deliver(submission({ kind: 'partner' }, { context: 'Todavía pendiente.' }));
  bench.clock.advance(29 * DAY);
  assert.match(await readFile(journalOf(bench), 'utf8'), /Entregada/);
  bench.clock.advance(2 * DAY);
  await until(async () => !/Entregada/.test(await readFile(journalOf(bench), 'utf8')));
  const text = await readFile(journalOf(bench), 'utf8');
  assert.match(text, /Todavía pendiente/);
  assert.doesNotMatch(text.split('\n')[0] ?? '', /ana@|client-1|Hash/);
  assert.equal((await stat(journalOf(bench))).mode & 0o777, 0o600);

  bench.double.behave([{ kind: 'accept' }]);
  await outbox.run({ command: 'retry-all' });
  await outbox.close();
  const [first, second] = (await listOutbox(bench.dataDirectory)).entries;
  assert.ok(first?.purgedAtMs);
  assert.equal(second?.state, 'delivered', 'appends go on in the new file');
});

test('what was purged is forgotten after the same time again, so that the journal does not grow for ever', async t => {
  const bench = await createBench(t);
  const outbox = await bench.open();
  await outbox.deliver(submission({ kind: 'partner' }));
  const journal = () => readFile(journalOf(bench), 'utf8');
  bench.clock.advance(31 * DAY);
  await until(async () => /"purged"/.test(await journal()));
  bench.clock.advance(29 * DAY);
  assert.match(await journal(), /"purged"/);
  bench.clock.advance(2 * DAY);
  await until(async () => (await journal()) === '');
  await outbox.close();
});

test('an operator lists, shows, exports and retries while the server runs', async t => {
  const { bench, id } = await withKept(t);
  const { dataDirectory } = bench;
  const access = { dataDirectory, open: () => bench.open({ background: false }) };
  const listing = await listOutbox(dataDirectory, bench.clock.now());
  assert.equal(listing.serverPid, process.pid);
  assert.deepEqual(
    listing.entries.map(({ state, failedSends }) => [state, failedSends]),
    [['pending', 1]],
  );
  assert.doesNotMatch(JSON.stringify(listing), /ana@|Pérez/);
  assert.equal((await showSubmission(dataDirectory, id))?.fields?.email, 'ana@client.example');
  assert.equal(await showSubmission(dataDirectory, 'sub-none'), undefined);
  assert.equal((await exportOutbox(dataDirectory))[0]?.fields?.company, 'Client SL');

  assert.deepEqual((await retrySubmission(access, id)).rows, [{ id, result: 'kept', code: 'http-401' }]);
  bench.double.behave([{ kind: 'accept' }]);
  assert.deepEqual((await retrySubmission(access, id)).rows, [{ id, result: 'delivered' }]);
  assert.deepEqual((await retrySubmission(access, id)).rows, [{ id, result: 'finished' }]);
  assert.deepEqual((await retrySubmission(access, 'sub-none')).rows, [{ id: 'sub-none', result: 'unknown' }]);
  assert.deepEqual(await readdir(join(dataDirectory, 'commands')), []);
});

test('an operator commands with the server stopped: retry all, abandon, purge', async t => {
  const { bench, outbox, id } = await withKept(t);
  await outbox.deliver(submission({ kind: 'partner' }, { context: 'Una segunda solicitud.' }));
  await outbox.close();
  const { dataDirectory } = bench;
  const access = { dataDirectory, open: () => bench.open({ background: false }) };
  assert.deepEqual((await abandonSubmission(access, id, 'maria')).rows, [{ id, result: 'abandoned' }]);
  bench.double.behave([{ kind: 'accept' }]);
  assert.deepEqual(
    (await retryAllPending(access)).rows.map(({ result }) => result),
    ['delivered'],
  );
  bench.clock.advance(1000);
  assert.equal((await purgeOutbox(access, 0)).rows.length, 2);
  assert.equal((await purgeOutbox(access, 0)).rows.length, 0);
  assert.deepEqual(
    (await exportOutbox(dataDirectory)).map(({ state, fields }) => [state, fields]),
    [
      ['abandoned', undefined],
      ['delivered', undefined],
    ],
  );
  assert.equal(bench.double.mails.length, 1);
});

test('a command the running server does not answer ends with a clear message and is taken back', async t => {
  const bench = await createBench(t);
  await bench.open({ background: false });
  const { dataDirectory } = bench;
  await mkdir(join(dataDirectory, 'commands'));
  const access = { dataDirectory, open: () => bench.open({ background: false }), waitMs: 100 };
  await assert.rejects(retryAllPending(access), /did not answer within 0.1 s/);
  assert.deepEqual(await readdir(join(dataDirectory, 'commands')), []);
});
