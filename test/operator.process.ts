import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { encodeLine, type OutboxRecord } from '../server/submissions/record.ts';
import { type MailgunDouble, startMailgunDouble } from './mailgun-double.ts';
import { aval, startServerProcess, temporaryDirectory } from './server-process.ts';
import { DIAGNOSTIC, dryRunMails, journalText, PARTNER } from './submission-support.ts';
import { assertRefused, post } from './support.ts';

const PRIVATE = /Ana Ruiz|Luis Mora|@|Conservas|Agencia|margen/;
const HOUR = 3_600_000;

/** A stopped installation with one delivered, one pending and, where asked, one overdue submission. */
function stopped({ overdue = false } = {}) {
  const directory = temporaryDirectory();
  const about = (id: string, hoursAgo: number) => ({ id, atMs: Date.now() - hoursAgo * HOUR });
  const fields = { ...PARTNER };
  const rows: OutboxRecord[] = [
    { record: 'received', ...about('sub-old', 900), kind: 'diagnostic', channel: 'rest', fields: DIAGNOSTIC },
    { record: 'accepted', ...about('sub-old', 900), part: 'team', mailId: 'm' },
    { record: 'done', ...about('sub-old', 900), confirmation: 'sent' },
    { record: 'received', ...about('sub-new', 1), kind: 'partner', channel: 'mcp', fields },
    { record: 'attempt', ...about('sub-new', 1), part: 'team', n: 1, outcome: 'temporary', code: 'ECONNREFUSED' },
  ];
  if (overdue) rows.push({ record: 'received', ...about('sub-late', 49), kind: 'partner', channel: 'form', fields });
  mkdirSync(join(directory, 'outbox'));
  writeFileSync(join(directory, 'outbox/journal.jsonl'), rows.map(encodeLine).join(''));
  return { directory, env: { DATA_DIR: directory } };
}

describe('aval outbox on a stopped installation', () => {
  it('list tells the states and nothing personal: 0, and 1 when one waits longer than 48 hours', async t => {
    const { env, directory } = stopped();
    const before = journalText(directory);
    const { code, stdout, stderr } = await aval(t, env, 'outbox', 'list');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^sub-old .* diagnostic +rest +delivered .*\nsub-new .* partner +mcp +pending .*temporary ECONNREFUSED\n$/,
    );
    assert.match(stderr, /^2 submissions, 0 overdue; no server runs on it\n$/);
    assert.doesNotMatch(stdout, PRIVATE);
    const late = stopped({ overdue: true });
    const listed = await aval(t, late.env, 'outbox', 'list', '--json');
    assert.equal(listed.code, 1);
    const { entries, overdue } = JSON.parse(listed.stdout);
    assert.deepEqual(
      [entries.map(({ state }: { state: string }) => state), overdue],
      [['delivered', 'pending', 'overdue'], 1],
    );
    assert.doesNotMatch(listed.stdout, PRIVATE);
    assert.equal(journalText(directory), before);
  });

  it('list of an installation that never took a submission is empty: 0', async t => {
    const { code, stdout, stderr } = await aval(t, { DATA_DIR: temporaryDirectory() }, 'outbox', 'list');
    assert.deepEqual([code, stdout, stderr], [0, '', '0 submissions, 0 overdue; no server runs on it\n']);
  });

  it('show and export give the fields: 0, and 1 for an unknown id', async t => {
    const { env } = stopped();
    const shown = await aval(t, env, 'outbox', 'show', 'sub-new');
    assert.equal(shown.code, 0);
    const { fields, state, history } = JSON.parse(shown.stdout);
    assert.deepEqual([fields, state, history.length], [PARTNER, 'pending', 2]);
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

  it('retry sends what waits: 0 when it left or had left, 1 for an unknown id', async t => {
    const { env, directory } = stopped({ overdue: true });
    const one = await aval(t, env, 'outbox', 'retry', 'sub-new');
    assert.deepEqual([one.code, one.stdout], [0, 'sub-new  delivered\n']);
    const [mail = '', ...more] = dryRunMails(directory);
    assert.match(mail, /^Message-ID: <sub-new\.team@/m);
    assert.equal(more.length, 0);
    const again = await aval(t, env, 'outbox', 'retry', 'sub-new');
    assert.deepEqual([again.code, again.stdout], [0, 'sub-new  finished\n']);
    const unknown = await aval(t, env, 'outbox', 'retry', 'sub-none');
    assert.deepEqual([unknown.code, unknown.stdout], [1, 'sub-none  unknown\n']);
    const all = await aval(t, env, 'outbox', 'retry', '--all-pending');
    assert.deepEqual([all.code, all.stdout], [0, 'sub-late  delivered\n']);
  });

  it('retry answers 1 when the mail is still refused, and keeps the submission', async t => {
    const double = await refusingDouble(t);
    const { env } = stopped();
    const retried = await aval(t, { ...env, ...mailgun(double) }, 'outbox', 'retry', '--all-pending');
    assert.deepEqual([retried.code, retried.stdout], [1, 'sub-new  kept (http-401)\n']);
    const { entries } = JSON.parse((await aval(t, env, 'outbox', 'list', '--json')).stdout);
    assert.deepEqual([entries[1].state, entries[1].failedSends], ['pending', 2]);
  });

  it('abandon gives up on one, and purge drops the fields of what was finished before', async t => {
    const { env, directory } = stopped();
    const abandoned = await aval(t, env, 'outbox', 'abandon', 'sub-new');
    assert.deepEqual([abandoned.code, abandoned.stdout], [0, 'sub-new  abandoned\n']);
    const purged = await aval(t, env, 'outbox', 'purge', '--older-than', '30d');
    assert.deepEqual([purged.code, purged.stdout], [0, 'sub-old  purged\n']);
    assert.ok(!journalText(directory).includes(DIAGNOSTIC.email) && journalText(directory).includes(PARTNER.email));
    const rest = await aval(t, env, 'outbox', 'purge', '--older-than', '0d');
    assert.deepEqual([rest.code, rest.stdout], [0, 'sub-new  purged\n']);
    assert.doesNotMatch(journalText(directory), PRIVATE);
  });

  it('a command that makes no sense is 2 and changes nothing', async t => {
    const { env, directory } = stopped();
    const before = journalText(directory);
    for (const [words, fault] of [
      [['retry'], /name one submission, or say --all-pending/],
      [['retry', 'sub-new', '--all-pending'], /name one submission, or say --all-pending/],
      [['purge', '--older-than', 'soon'], /--older-than must be a number of days/],
      [['list'], /PORT: must be a whole number/],
    ] as const) {
      const { code, stderr } = await aval(t, words[0] === 'list' ? { ...env, PORT: 'x' } : env, 'outbox', ...words);
      assert.deepEqual([code, fault.test(stderr)], [2, true], stderr);
    }
    assert.equal(journalText(directory), before);
  });
});

describe('aval outbox beside a running server', () => {
  it('has the server do it: what is refused stays, what is accepted is delivered once', async t => {
    const double = await refusingDouble(t);
    const env = { DATA_DIR: temporaryDirectory(), ...mailgun(double) };
    const { url, child, exit } = await startServerProcess(t, env);
    await assertRefused(post(`${url}/api/v1/partners`, PARTNER), 'delivery_failed', 500);
    await assertRefused(post(`${url}/api/v1/contact`, DIAGNOSTIC), 'delivery_failed', 500);

    const listed = await aval(t, env, 'outbox', 'list');
    assert.match(listed.stderr, new RegExp(`^2 submissions, 0 overdue; process ${child.pid} serves it`));
    const [first = '', second = ''] = listed.stdout.match(/^sub-\w+/gm) ?? [];
    const refused = await aval(t, env, 'outbox', 'retry', first);
    assert.deepEqual([refused.code, refused.stdout], [1, `${first}  kept (http-401)\n`]);
    double.behave([{ kind: 'accept' }]);
    const sent = await aval(t, env, 'outbox', 'retry', '--all-pending');
    assert.deepEqual([sent.code, sent.stdout], [0, `${first}  delivered\n${second}  delivered\n`]);
    assert.equal(double.mails.filter(({ to }) => to === env.MAIL_TO).length, 2);
    const purged = await aval(t, env, 'outbox', 'purge', '--older-than', '0');
    assert.equal(purged.code, 0);
    assert.ok(purged.stdout.includes(`${first}  purged`));
    child.kill('SIGTERM');
    assert.equal(await exit, 0);
    assert.doesNotMatch(journalText(env.DATA_DIR), /Luis Mora/);
  });
});

const mailgun = (double: MailgunDouble) => ({
  NODE_ENV: 'production',
  MAIL_FROM: 'Norte Claro <hola@mg.norteclaro.example>',
  MAIL_TO: 'equipo@norteclaro.example',
  MAILGUN_API_KEY: 'key-secret',
  MAILGUN_DOMAIN: 'mg.norteclaro.example',
  MAILGUN_URL: double.url,
});

async function refusingDouble(t: TestContext): Promise<MailgunDouble> {
  const double = await startMailgunDouble();
  t.after(() => double.close());
  double.behave([{ kind: 'status', status: 401 }]);
  return double;
}
