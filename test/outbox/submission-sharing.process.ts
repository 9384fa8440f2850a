import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { callTool } from '../mcp/mcp-messages.ts';
import { temporaryFolder } from '../support/folder.ts';
import { mailgunSettings, startMailgunDouble } from '../support/mailgun-double.ts';
import { aval, startProcess, startServerProcess } from '../support/server-process.ts';
import {
  assertAccepted,
  DIAGNOSTIC,
  DIAGNOSTIC_OK,
  PARTNER,
  storedAt,
} from '../support/submission-support.ts';
import { post } from '../support/support.ts';

/** One data directory, and mail that goes to a double. */
async function installation(t: TestContext) {
  const double = await startMailgunDouble(t);
  const env = {
    DATA_DIR: temporaryFolder(),
    ...mailgunSettings(double),
  };
  const teamMails = () => double.mails.filter(({ to }) => to === env.MAIL_TO).length;
  return { double, env, teamMails };
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

describe('two hosts that each run aval stdio, a server and a command, on one data directory', () => {
  it('all take submissions in, none is locked out', async t => {
    const { env, teamMails } = await installation(t);
    const [one, two] = [startSession(t, env), startSession(t, env)];
    const { url } = await startServerProcess(t, {
      ...env,
      NODE_ENV: 'production',
      BASE_URL: 'http://127.0.0.1:8787',
    });
    const results = await Promise.all([
      one.call('request_diagnostic', DIAGNOSTIC),
      two.call('apply_partner_program', PARTNER),
      assertAccepted(post(`${url}/api/v1/contact`, { ...DIAGNOSTIC, name: 'Eva Gil' }), DIAGNOSTIC_OK),
    ]);
    assert.deepEqual([results[0].isError, results[1].isError], [undefined, undefined]);
    assert.equal(teamMails(), 3);
    const { code, stdout } = await aval(t, { ...env, NODE_ENV: 'production' }, 'outbox', 'list');
    assert.deepEqual([code, stdout.match(/^[A-Z]{4}-\d{4}/gm)?.length], [0, 3]);
  });
});

describe('what a session of aval stdio could not send', () => {
  it('is sent by the next session, without another submission', async t => {
    const { double, env, teamMails } = await installation(t);
    double.behave([{ kind: 'status', status: 401 }]);
    const first = startSession(t, env);
    assert.equal((await first.call('apply_partner_program', PARTNER)).isError, true);
    first.child.stdin.end();
    assert.equal(await first.exit, 0);

    const taken = new Promise<void>(resolve => {
      double.behave(() => {
        resolve();
        return { kind: 'accept' };
      });
    });
    const second = startSession(t, env);
    await taken;
    second.child.stdin.end();
    assert.equal(await second.exit, 0);
    assert.deepEqual([teamMails(), (await storedAt(env.DATA_DIR))[0]?.state], [1, 'delivered']);
  });
});
