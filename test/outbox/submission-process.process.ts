import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { databaseFile } from '../../server/outbox/database.ts';
import { callTool } from '../mcp/mcp-messages.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Behaviour, mailgunSettings, startMailgunDouble } from '../support/mailgun-double.ts';
import { aval, startProcess, startServerProcess } from '../support/server-process.ts';
import {
  assertAccepted,
  DIAGNOSTIC,
  DIAGNOSTIC_OK,
  DRY_RUN_OK,
  KEPT,
  PARTNER,
  storedAt,
} from '../support/submission-support.ts';
import { assertRefused, post } from '../support/support.ts';

/** A production installation whose mail goes to a double. */
async function installation(t: TestContext) {
  const double = await startMailgunDouble(t);
  const directory = temporaryFolder();
  const env = {
    NODE_ENV: 'production',
    BASE_URL: 'http://127.0.0.1:8787',
    DATA_DIR: directory,
    ...mailgunSettings(double),
  };
  /** Resolves when the next mail is being sent, which then fares as given. */
  const nextMail = async (behaviour: Behaviour) => {
    const events = new EventEmitter();
    double.behave(() => {
      events.emit('mail');
      return behaviour;
    });
    await once(events, 'mail', { signal: AbortSignal.timeout(240_000) });
  };
  return { double, directory, env, nextMail, start: () => startServerProcess(t, env) };
}

/** `aval stdio`, spoken to line by line. */
function startSession(t: TestContext, env: Record<string, string>) {
  const service = startProcess(t, 'server/cli.ts', env, ['stdio']);
  const lines = createInterface({ input: service.child.stdout });
  let id = 0;
  return {
    ...service,
    async call(name: string, args: object) {
      id += 1;
      const answer = once(lines, 'line', { signal: AbortSignal.timeout(240_000) });
      service.child.stdin.write(`${JSON.stringify({ ...callTool(name, args), id })}\n`);
      const [line] = await answer;
      return JSON.parse(String(line)).result;
    },
  };
}

const teamMails = (mails: readonly Readonly<Record<string, string>>[]) =>
  mails.filter(({ to }) => to === 'equipo@norteclaro.example');

describe('SIGTERM while a mail is being sent', () => {
  it('lets the request be answered, closes the database and ends with 0 within 15 s', async t => {
    const { double, directory, nextMail, start } = await installation(t);
    const { url, child, exit, stderr, wrote } = await start();
    const sending = nextMail({ kind: 'accept', after: wrote(/"event":"stopping"/) });
    const answer = post(`${url}/api/v1/contact`, DIAGNOSTIC);
    await sending;
    const asked = Date.now();
    child.kill('SIGTERM');
    await assertAccepted(answer, DIAGNOSTIC_OK);
    assert.equal(await exit, 0);
    assert.ok(Date.now() - asked < 15_000);
    assert.equal(teamMails(double.mails).length, 1);
    assert.equal((await storedAt(directory))[0]?.state, 'delivered');
    assert.equal(existsSync(`${databaseFile(directory)}-wal`), false, 'the database was closed');
    assert.match(stderr(), /"event":"stopping","signal":"SIGTERM"[\s\S]*"event":"stopped"/);
  });

  it('twice ends at once, and the next start delivers what was cut off', async t => {
    const { double, directory, nextMail, start } = await installation(t);
    const first = await start();
    const sending = nextMail({ kind: 'silence' });
    const answer = post(`${first.url}/api/v1/partners`, PARTNER).then(
      () => 'answered',
      () => 'cut off',
    );
    await sending;
    first.child.kill('SIGTERM');
    await first.wrote(/"event":"stopping"/);
    first.child.kill('SIGTERM');
    assert.deepEqual([await first.exit, await answer], [1, 'cut off']);
    assert.equal((await storedAt(directory)).length, 1);

    const delivering = nextMail({ kind: 'accept' });
    const second = await start();
    await delivering;
    second.child.kill('SIGTERM');
    assert.equal(await second.exit, 0);
    assert.equal(teamMails(double.mails).length, 1);
  });
});

describe('a submission that is pending', () => {
  it('is delivered by the next start, also after a kill -9', async t => {
    const { double, directory, nextMail, start } = await installation(t);
    const first = await start();
    double.behave([{ kind: 'status', status: 401 }]);
    const { hint } = await assertRefused(
      post(`${first.url}/api/v1/contact`, DIAGNOSTIC),
      'delivery_failed',
      500,
    );
    assert.equal(hint, KEPT);
    first.child.kill('SIGKILL');
    assert.equal(await first.exit, 'SIGKILL');

    const delivering = nextMail({ kind: 'accept' });
    const second = await start();
    await delivering;
    second.child.kill('SIGTERM');
    assert.equal(await second.exit, 0);
    const [mail, ...more] = teamMails(double.mails);
    assert.deepEqual([mail?.['h:Reply-To'], more], [DIAGNOSTIC.email, []]);
    assert.equal((await storedAt(directory))[0]?.state, 'delivered');
  });
});

describe('a server that cannot keep or send submissions', () => {
  it('starts with its forms closed and an alarm on a data directory that cannot be written; questions are answered', async t => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { url, wrote } = await startServerProcess(t, { DATA_DIR: join(file, 'data') });
    await wrote(/"event":"submissions cannot be kept","cause":"ENOTDIR","alarm":true/);
    await assertRefused(post(`${url}/api/v1/contact`, DIAGNOSTIC), 'delivery_failed', 500);
    assert.equal((await fetch(`${url}/ask?q=precio`)).status, 200);
    rmSync(file);
    mkdirSync(file);
    await assertAccepted(post(`${url}/api/v1/contact`, DIAGNOSTIC), DRY_RUN_OK);
  });
});

describe('two hosts that each run aval stdio, a server and a command, on one data directory', () => {
  it('all take submissions in, none is locked out', async t => {
    const { double, env, start } = await installation(t);
    const [one, two] = [startSession(t, env), startSession(t, env)];
    const { url } = await start();
    const results = await Promise.all([
      one.call('request_diagnostic', DIAGNOSTIC),
      two.call('apply_partner_program', PARTNER),
      assertAccepted(post(`${url}/api/v1/contact`, { ...DIAGNOSTIC, name: 'Eva Gil' }), DIAGNOSTIC_OK),
    ]);
    assert.deepEqual([results[0].isError, results[1].isError], [undefined, undefined]);
    assert.equal(teamMails(double.mails).length, 3);
    const { code, stdout } = await aval(t, env, 'outbox', 'list');
    assert.deepEqual([code, stdout.match(/^[A-Z]{4}-\d{4}/gm)?.length], [0, 3]);
  });
});

describe('what a session of aval stdio could not send', () => {
  it('is sent by the next session, without another submission', async t => {
    const { double, directory, env, nextMail } = await installation(t);
    double.behave([{ kind: 'status', status: 401 }]);
    const first = startSession(t, env);
    assert.equal((await first.call('apply_partner_program', PARTNER)).isError, true);
    first.child.stdin.end();
    assert.equal(await first.exit, 0);

    const delivering = nextMail({ kind: 'accept' });
    const second = startSession(t, env);
    await delivering;
    second.child.stdin.end();
    assert.equal(await second.exit, 0);
    assert.deepEqual(
      [teamMails(double.mails).length, (await storedAt(directory))[0]?.state],
      [1, 'delivered'],
    );
  });
});
