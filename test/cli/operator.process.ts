import assert from 'node:assert/strict';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connect, databaseFile, openDatabase } from '../../server/outbox/database.ts';
import { sql, words as wordsOf } from '../../server/outbox/sql.ts';
import { recipientOf } from '../../server/outbox/store.ts';
import { temporaryFolder } from '../support/folder.ts';
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
  const add = (id: string, reference: string, hoursAgo: number, fields: Readonly<Record<string, string>>) =>
    database.query(sql`
      INSERT INTO submissions (id, reference, kind, channel, mode, language, received_at, fields, recipient, suspect, state,
        tries, confirmation)
      VALUES (${id}, ${reference}, ${'role' in fields ? 'diagnostic' : 'partner'}, 'rest', ${mode}, 'es',
        ${Date.now() - hoursAgo * HOUR}, ${JSON.stringify(fields)}, ${recipientOf(fields.email ?? '')}, 0, 'pending', 0, 'none')`);
  await add('sub-old', 'BCDF-0001', 900, DIAGNOSTIC);
  await database.query(sql`
    UPDATE submissions SET state = 'delivered', suspect = 1, confirmation = 'skipped', finished_at = received_at,
      delivered_at = received_at`);
  if (overdue) await add('sub-late', 'BCDF-0003', 49, PARTNER);
  await add('sub-new', 'BCDF-0002', 1, PARTNER);
  await database.query(
    sql`INSERT INTO attempts (submission, part, at, outcome, code) VALUES ('sub-new', 'team', 1, 'temporary', 'ECONNREFUSED')`,
  );
  await database.close();
  return { directory, env: { DATA_DIR: directory } };
}

describe('aval outbox without a server', () => {
  it('list tells states, modes and marks, and nothing personal: 0, and 1 when one waits longer than 48 hours', async t => {
    const { env } = await stopped();
    const { code, stdout, stderr } = await aval(t, env, 'outbox', 'list');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^BCDF-0001 .* diagnostic +rest +dry-run +written +suspect, confirmation skipped\nBCDF-0002 .* partner +rest +dry-run +pending +1 failed, last temporary ECONNREFUSED\n$/,
    );
    assert.match(stderr, /^2 submissions, 0 overdue\n$/);
    assert.doesNotMatch(stdout, PRIVATE);
    const late = await stopped({ overdue: true });
    const listed = await aval(t, late.env, 'outbox', 'list', '--json');
    assert.equal(listed.code, 1);
    const { entries, overdue } = JSON.parse(listed.stdout);
    const states = entries.map(({ state }: { state: string }) => state);
    assert.deepEqual([states, overdue], [['written', 'overdue', 'pending'], 1]);
    assert.doesNotMatch(listed.stdout, PRIVATE);
    const some = await aval(t, late.env, 'outbox', 'list', '--limit', '1');
    assert.match(some.stdout, /^BCDF-0002 .*\n$/);
    assert.match(some.stderr, /3 submissions, 1 overdue \(1 shown; --limit and --state choose\)/);
    const one = await aval(t, late.env, 'outbox', 'list', '--state', 'overdue');
    assert.match(one.stdout, /^BCDF-0003 .*\n$/);
  });

  it('show and export give the fields, by reference or id: 0, and 1 for an unknown name', async t => {
    const { env } = await stopped();
    for (const name of ['sub-new', 'bcdf-0002']) {
      const shown = await aval(t, env, 'outbox', 'show', name);
      assert.equal(shown.code, 0);
      const { fields, state, attempts } = JSON.parse(shown.stdout);
      assert.deepEqual([fields, state, attempts[0].code], [PARTNER, 'pending', 'ECONNREFUSED']);
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

  it('retry sends what waits: 0 when it left or had left, 1 for an unknown name', async t => {
    const { env, directory } = await stopped({ overdue: true });
    const one = await aval(t, env, 'outbox', 'retry', 'BCDF-0002');
    assert.deepEqual([one.code, one.stdout], [0, 'BCDF-0002  delivered\n']);
    const [mail = '', ...more] = dryRunMails(directory);
    assert.match(mail, /^Message-ID: <sub-new\.team@/m);
    assert.equal(more.length, 0);
    const again = await aval(t, env, 'outbox', 'retry', 'sub-new');
    assert.deepEqual([again.code, again.stdout], [0, 'BCDF-0002  finished\n']);
    assert.equal((await aval(t, env, 'outbox', 'retry', 'sub-none')).code, 1);
    const all = await aval(t, env, 'outbox', 'retry', '--all-pending');
    assert.deepEqual([all.code, all.stdout], [0, 'BCDF-0003  delivered\n']);
  });

  it('retry refuses what was taken in production where mail would become files, and says which setting is missing', async t => {
    const { env, directory } = await stopped({ mode: 'production' });
    for (const words of [['--all-pending'], ['sub-new']]) {
      const { code, stdout, stderr } = await aval(t, env, 'outbox', 'retry', ...words);
      assert.deepEqual([code, stdout], [1, 'BCDF-0002  refused (taken in another mode)\n']);
      assert.match(stderr, /Set NODE_ENV=production and the mail settings/);
    }
    assert.deepEqual(dryRunMails(directory), []);
    assert.equal((await storedAt(directory))[1]?.state, 'pending');
  });

  it('erase drops the fields of a person, of what was never sent too', async t => {
    const { env, directory } = await stopped();
    const erased = await aval(t, env, 'outbox', 'erase', '--email', PARTNER.email.toUpperCase());
    assert.deepEqual(
      [erased.code, erased.stdout],
      [0, 'BCDF-0002  erased; it was still pending, the team never got it\n'],
    );
    assert.match(erased.stderr, /back-ups and exports keep their copies/);
    assert.equal((await aval(t, env, 'outbox', 'erase', '--email', PARTNER.email)).code, 1);
    assert.equal((await storedAt(directory))[1]?.fields, null);
  });

  it('what operators did is kept: when, who and what, by reference or hash, and nothing personal', async t => {
    const { env, directory } = await stopped();
    for (const words of [
      ['show', 'BCDF-0002'],
      ['export', '--email', DIAGNOSTIC.email],
      ['retry', 'BCDF-0002'],
      ['erase', '--email', PARTNER.email],
    ])
      await aval(t, { ...env, SUDO_USER: 'maria' }, 'outbox', ...words);
    const rows = await auditOf(directory);
    assert.deepEqual(
      rows.map(({ who, what, about }) => [who, what, about]),
      [
        ['maria', 'show', 'BCDF-0002'],
        ['maria', 'export', recipientOf(DIAGNOSTIC.email)],
        ['maria', 'retry', 'BCDF-0002'],
        ['maria', 'erase', recipientOf(PARTNER.email)],
      ],
    );
    assert.doesNotMatch(JSON.stringify(rows), PRIVATE);
  });
});

/** What operators did, as the database has it. */
async function auditOf(dataDirectory: string) {
  const database = await openDatabase({ dataDirectory });
  const rows = database.query(sql`SELECT who, what, about FROM audit ORDER BY at`);
  return rows.finally(() => database.close());
}

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
    const restored = await startServerProcess(t, { DATA_DIR: elsewhere });
    await assertAccepted(post(`${restored.url}/api/v1/contact`, DIAGNOSTIC), DRY_RUN_OK);
    assert.deepEqual(
      (await storedAt(elsewhere)).map(({ kind }) => kind),
      ['partner', 'diagnostic'],
    );
  });
});

describe('commands beside a server of an earlier version', () => {
  for (const words of [['list'], ['show', 'BCDF-0002'], ['retry', '--all-pending'], ['backup', 'x.db']]) {
    it(`aval outbox ${words[0]} changes no table, and says that a start of this version does`, async t => {
      const { env, directory } = await stopped();
      const change = async (...statements: string[]) => {
        const database = await openDatabase({ dataDirectory: directory });
        for (const statement of statements) await database.query(wordsOf(statement));
        await database.close();
      };
      await change('ALTER TABLE submissions DROP COLUMN request', 'UPDATE schemas SET version = 5');
      const { code, stderr } = await aval(t, env, 'outbox', ...words);
      assert.deepEqual([code, /earlier version.*Start the server/.test(stderr)], [2, true], stderr);
      const database = await connect({ dataDirectory: directory });
      const [row] = await database.query(sql`SELECT version FROM schemas`);
      await database.close();
      assert.equal(row?.version, 5);
    });
  }
});

describe('aval outbox beside a running server', () => {
  it('sends what is refused no more, once, while the server goes on', async t => {
    const double = await refusingDouble(t);
    const env = { DATA_DIR: temporaryFolder(), ...mailgun(double) };
    const { url, child, exit } = await startServerProcess(t, env);
    await assertRefused(post(`${url}/api/v1/partners`, PARTNER), 'delivery_failed', 500);
    await assertRefused(post(`${url}/api/v1/contact`, DIAGNOSTIC), 'delivery_failed', 500);

    const listed = await aval(t, env, 'outbox', 'list');
    const [first = '', second = ''] = listed.stdout.match(/^[A-Z]{4}-\d{4}/gm) ?? [];
    const refused = await aval(t, env, 'outbox', 'retry', first);
    assert.deepEqual([refused.code, refused.stdout], [1, `${first}  kept (http-401)\n`]);
    double.behave([{ kind: 'accept' }]);
    const sent = await aval(t, env, 'outbox', 'retry', '--all-pending');
    assert.deepEqual([sent.code, sent.stdout], [0, `${first}  delivered\n${second}  delivered\n`]);
    assert.equal(double.mails.filter(({ to }) => to === env.MAIL_TO).length, 2);
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
