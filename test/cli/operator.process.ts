import assert from 'node:assert/strict';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { databaseFile, openDatabase } from '../../server/outbox/database.ts';
import { bind } from '../../server/outbox/installation.ts';
import { recipientOf } from '../../server/outbox/receive.ts';
import { sql } from '../../server/outbox/sql.ts';
import { until } from '../outbox/outbox-support.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { type MailgunDouble, mailgunSettings, startMailgunDouble } from '../support/mailgun-double.ts';
import { aval, startServerProcess } from '../support/server-process.ts';
import {
  assertAccepted,
  DIAGNOSTIC,
  DRY_RUN_OK,
  DRY_RUN_PARTNER_OK,
  dryRunMails,
  PARTNER,
  storedAt,
} from '../support/submission-support.ts';
import { assertRefused, post } from '../support/support.ts';

const PRIVATE = /Ana Ruiz|Luis Mora|@|Conservas|Agencia|margen/;
const HOUR = 3_600_000;

/** An installation with one delivered, one pending and, where asked, one overdue submission. */
async function stopped({ overdue = false, mode = 'dry-run' as 'dry-run' | 'production' } = {}) {
  const directory = temporaryFolder();
  const database = await openDatabase({ dataDirectory: directory });
  const add = async (id: string, reference: string, hoursAgo: number, fields: Record<string, string>) => {
    const nowMs = Date.now();
    const receivedMs = nowMs - hoursAgo * HOUR;
    await database.query(sql`
      INSERT INTO submissions (id, reference, kind, channel, mode, language, received_at, promised_at, fields, recipient,
        suspect)
      VALUES (${id}, ${reference}, ${'role' in fields ? 'diagnostic' : 'partner'}, 'rest', ${mode}, 'es',
        ${receivedMs}, ${receivedMs + 48 * HOUR}, ${JSON.stringify(fields)}, ${recipientOf(fields.email ?? '')}, 0)`);
    await database.query(sql`
      INSERT INTO deliveries (submission, part, mode, state, tries, planned_at)
      VALUES (${id}, 'team', ${mode}, 'pending', 0, ${nowMs})`);
  };
  await add('sub-old', 'BCDF-0001', 900, DIAGNOSTIC);
  await database.query(sql`UPDATE submissions SET suspect = 1`);
  await database.query(sql`UPDATE deliveries SET state = 'delivered', done_at = 1`);
  await database.query(sql`
    INSERT INTO deliveries (submission, part, mode, state, tries, planned_at, done_at)
    VALUES ('sub-old', 'confirm', ${mode}, 'skipped', 0, 1, 1)`);
  if (overdue) await add('sub-late', 'BCDF-0003', 49, PARTNER);
  await add('sub-new', 'BCDF-0002', 1, PARTNER);
  await database.query(sql`
    UPDATE deliveries SET tries = 1, note = 'temporary ECONNREFUSED' WHERE submission = 'sub-new'`);
  await database.close();
  return { directory, env: { DATA_DIR: directory } };
}

describe('aval outbox without a server', () => {
  it('list tells states, modes and marks, and nothing personal: 0, and 1 when one waits longer than 48 hours', async t => {
    const { env, directory } = await stopped();
    const database = await openDatabase({ dataDirectory: directory });
    await database.query(sql`
      INSERT INTO deliveries (submission, part, mode, state, tries, planned_at, done_at, note)
      VALUES ('sub-old', 'webhook', 'dry-run', 'failed', 1, 1, 1, 'permanent http-410')`);
    await database.close();
    const { code, stdout, stderr } = await aval(t, env, 'outbox', 'list');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^BCDF-0001 .* diagnostic +rest +dry-run +delivered +suspect, confirmation skipped, webhook failed, last permanent http-410\nBCDF-0002 .* partner +rest +dry-run +pending +1 failed, last temporary ECONNREFUSED\n$/,
    );
    assert.match(stderr, /^2 submissions, 0 overdue\n$/);
    assert.doesNotMatch(stdout, PRIVATE);
    const late = await stopped({ overdue: true });
    const one = await aval(t, late.env, 'outbox', 'list', '--state', 'overdue');
    assert.match(one.stdout, /^BCDF-0003 .* overdue\b.*\n$/);
    assert.deepEqual([one.code, one.stderr], [1, '3 submissions, 1 overdue (1 shown)\n']);
  });

  it('show and export give the fields, by reference or id: 0, and 1 for an unknown name', async t => {
    const { env } = await stopped();
    for (const name of ['sub-new', 'bcdf-0002']) {
      const shown = await aval(t, env, 'outbox', 'show', name);
      assert.equal(shown.code, 0);
      const { fields, state, note } = JSON.parse(shown.stdout);
      assert.deepEqual([fields, state, note], [PARTNER, 'pending', 'temporary ECONNREFUSED']);
    }
    const unknown = await aval(t, env, 'outbox', 'show', 'sub-none');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /^sub-none: no such submission/);
    const exported = await aval(t, env, 'outbox', 'export');
    assert.equal(exported.code, 0);
    const all = JSON.parse(exported.stdout);
    assert.deepEqual(
      all.map((entry: { id: string; fields: object }) => [entry.id, entry.fields]),
      [
        ['sub-old', DIAGNOSTIC],
        ['sub-new', PARTNER],
      ],
    );
  });

  it('retry makes due what is owed, for a running server: 0, and 1 for an unknown name or where nothing is owed', async t => {
    const { env, directory } = await stopped({ overdue: true });
    const one = await aval(t, env, 'outbox', 'retry', 'BCDF-0002');
    assert.deepEqual([one.code, one.stdout], [0, 'BCDF-0002  due now\n']);
    assert.match(one.stderr, /^1 submission due now; a running server sends it/);
    const done = await aval(t, env, 'outbox', 'retry', 'BCDF-0001');
    assert.deepEqual([done.code, done.stdout, done.stderr], [1, '', '0 submissions due now\n']);
    assert.equal((await aval(t, env, 'outbox', 'retry', 'sub-none')).code, 1);
    const all = await aval(t, env, 'outbox', 'retry', '--all-pending');
    assert.deepEqual([all.code, all.stdout], [0, 'BCDF-0002  due now\nBCDF-0003  due now\n']);
    assert.deepEqual(dryRunMails(directory), []);
  });

  it('export and erase take one address, as the forms do; erase also deletes what was never mailed', async t => {
    const { env, directory } = await stopped();
    const database = await openDatabase({ dataDirectory: directory });
    await database.query(
      sql`UPDATE submissions SET recipient = ${recipientOf('ana@xn--espaa-rta.example')} WHERE reference = ${'BCDF-0002'}`,
    );
    await database.close();
    const found = await aval(t, env, 'outbox', 'export', '--email', ' Ana@españa.example ');
    assert.deepEqual([found.code, JSON.parse(found.stdout).length], [0, 1]);
    for (const email of ['x', '', 'Ana <ana@client.example>']) {
      const refused = await aval(t, env, 'outbox', 'erase', '--email', email);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /is no e-mail address/);
    }
    const erased = await aval(t, env, 'outbox', 'erase', '--email', 'ANA@españa.example');
    assert.deepEqual(
      [erased.code, erased.stdout],
      [0, 'BCDF-0002  erased; its mail was still due, and may have reached the team\n'],
    );
    assert.match(erased.stderr, /back-ups and exports keep their copies/);
    assert.equal((await aval(t, env, 'outbox', 'erase', '--email', 'ana@españa.example')).code, 1);
    const references = (await storedAt(directory)).map(({ reference }) => reference);
    assert.ok(!references.includes('BCDF-0002'));
  });

  it('erase says that the data is still in the journal while another program reads the database: 1', async t => {
    const { env, directory } = await stopped();
    const reader = new DatabaseSync(databaseFile(directory));
    reader.exec('BEGIN; SELECT * FROM submissions');
    const erased = await aval(t, env, 'outbox', 'erase', '--email', PARTNER.email);
    assert.deepEqual([erased.code, erased.stdout.split('  ')[0]], [1, 'BCDF-0002']);
    assert.match(erased.stderr, /still in the journal, aval\.db-wal/);
    reader.exec('COMMIT');
    const again = await aval(t, env, 'outbox', 'erase', '--email', PARTNER.email);
    reader.close();
    assert.doesNotMatch(again.stderr, /journal/);
  });
});

describe('aval outbox rebind', () => {
  it('gives the store to the profile of BRAND_FILE, never to the bundled example', async t => {
    const { directory, env } = await stopped();
    const database = await openDatabase({ dataDirectory: directory });
    await bind(database, 'acme');
    await database.close();
    const refused = await aval(t, env, 'outbox', 'rebind');
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /BRAND_FILE is not set/);
    const brand = { ...env, BRAND_FILE: join(ROOT, 'examples/brand.json') };
    const bound = await aval(t, brand, 'outbox', 'rebind');
    assert.deepEqual([bound.code, bound.stdout], [0, 'acme, now norte_claro; restart its servers\n']);
    const again = await aval(t, brand, 'outbox', 'rebind');
    assert.deepEqual([again.code, again.stdout], [0, 'norte_claro already; nothing to do\n']);
  });
});

describe('aval outbox backup', () => {
  it('copies everything beside a running server, for its owner alone; put back as aval.db, it is what was there', async t => {
    const env = { DATA_DIR: temporaryFolder() };
    const { url } = await startServerProcess(t, env);
    await assertAccepted(post(`${url}/api/v1/partners`, PARTNER), DRY_RUN_PARTNER_OK);
    const file = join(temporaryFolder(), 'copy.db');
    const saved = await aval(t, env, 'outbox', 'backup', file);
    assert.deepEqual([saved.code, saved.stderr], [0, `1 submission in ${file}\n`]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal((await aval(t, env, 'outbox', 'backup', file)).code, 2, 'no back-up is overwritten');
    await assertAccepted(post(`${url}/api/v1/contact`, DIAGNOSTIC), DRY_RUN_OK);
    const elsewhere = temporaryFolder();
    copyFileSync(file, databaseFile(elsewhere));
    const listed = await aval(t, { DATA_DIR: elsewhere }, 'outbox', 'list');
    assert.deepEqual(
      [listed.code, listed.stderr],
      [0, '1 submission, 0 overdue\n'],
      'before a server starts',
    );
    const restored = await startServerProcess(t, { DATA_DIR: elsewhere });
    await assertAccepted(post(`${restored.url}/api/v1/contact`, DIAGNOSTIC), DRY_RUN_OK);
    assert.deepEqual(
      (await storedAt(elsewhere)).map(({ kind }) => kind),
      ['partner', 'diagnostic'],
    );
  });
});

describe('commands over a database of another version', () => {
  it('change nothing, and say what to do', async t => {
    const { env, directory } = await stopped();
    const database = await openDatabase({ dataDirectory: directory });
    await database.query(sql`UPDATE schemas SET version = 5`);
    await database.close();
    for (const words of [['list'], ['show', 'BCDF-0002'], ['retry', '--all-pending'], ['backup', 'x.db']]) {
      const { code, stderr } = await aval(t, env, 'outbox', ...words);
      assert.deepEqual([code, /earlier version/.test(stderr)], [2, true], stderr);
    }
  });
});

describe('aval outbox beside a running server', () => {
  it('sends what is refused no more, once, while the server goes on', async t => {
    const double = await refusingDouble(t);
    const env = { DATA_DIR: temporaryFolder(), ...mailgun(double) };
    const { url, child, exit } = await startServerProcess(t, env);
    await assertRefused(post(`${url}/api/v1/partners`, PARTNER), 'delivery_failed', 500);
    await assertRefused(post(`${url}/api/v1/contact`, DIAGNOSTIC), 'delivery_failed', 500);

    const listed = await aval(t, env, 'outbox', 'list');
    const references = listed.stdout.match(/^[A-Z]{4}-\d{4}/gm) ?? [];
    assert.equal(references.length, 2);
    double.behave([{ kind: 'accept' }]);
    const sent = await aval(t, env, 'outbox', 'retry', '--all-pending');
    assert.deepEqual(
      [sent.code, sent.stdout],
      [
        0,
        references
          .toSorted()
          .map(reference => `${reference}  due now\n`)
          .join(''),
      ],
    );
    const mails = () => double.mails.filter(({ to }) => to === env.MAIL_TO);
    await until(() => mails().length >= 2);
    assert.equal(mails().length, 2);
    child.kill('SIGTERM');
    assert.equal(await exit, 0);
  });
});

const mailgun = (double: MailgunDouble) => ({
  NODE_ENV: 'production',
  BASE_URL: 'http://127.0.0.1:8787',
  ...mailgunSettings(double),
});

async function refusingDouble(t: TestContext): Promise<MailgunDouble> {
  const double = await startMailgunDouble(t);
  double.behave([{ kind: 'status', status: 401 }]);
  return double;
}
