import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createAlarms } from '../server/admin/alarms.ts';
import { createObservers } from '../server/admin/observers.ts';
import { readConfig } from '../server/config/config.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

interface Call {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A receiver that answers with these statuses in turn. */
async function receiver(t: TestContext, statuses: readonly number[]) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    calls.push({ body: await text(request), headers: headersOf(request) });
    response.writeHead(statuses[calls.length - 1] ?? 500).end();
    server.emit('call');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port }: Partial<AddressInfo> = Object(server.address());
  return { server, calls, url: `http://127.0.0.1:${port}/alarms` };
}

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

describe('alarms', () => {
  it('are posted, signed as Standard Webhooks says, beside the log line', async t => {
    const { server, calls, url } = await receiver(t, [204]);
    const raise = createAlarms({ url, site: 'acme.example', secret: SECRET, log: () => {} });
    raise('error', 'submission overdue', { reference: 'ABCD-1234', alarm: true });
    await once(server, 'call');
    const [call] = calls;
    assert.ok(call);
    const verified = Object(new Webhook(SECRET).verify(call.body, call.headers));
    assert.deepEqual(verified.data, {
      site: 'acme.example',
      level: 'error',
      event: 'submission overdue',
      reference: 'ABCD-1234',
      alarm: true,
    });
    assert.equal(verified.type, 'alarm');
    assert.throws(() => new Webhook(SECRET).verify(call.body.replace('ABCD', 'ABCE'), call.headers));
  });

  it('of a server name its site', async t => {
    const { server, calls, url } = await receiver(t, [204]);
    const config = readConfig({ ALARM_URL: url, BASE_URL: 'https://acme.example' });
    const { log } = await createObservers(config, () => {}, assert.fail);
    log('error', 'mail is down', { alarm: true });
    await once(server, 'call');
    assert.equal(JSON.parse(calls[0]?.body ?? '').data.site, 'acme.example');
  });

  it('are only those lines that say so', async t => {
    const { server, calls, url } = await receiver(t, [204]);
    const raise = createAlarms({ url, site: 'acme.example', secret: undefined, log: () => {} });
    raise('error', 'reload', { fault: 'x' });
    raise('warn', 'mail', { alarm: true });
    await once(server, 'call');
    assert.deepEqual(
      calls.map(({ body }) => JSON.parse(body).data.event),
      ['mail'],
    );
    assert.equal(calls[0]?.headers['webhook-signature'], undefined);
  });

  it('are tried again with the same id until they are taken', async t => {
    const { server, calls, url } = await receiver(t, [500, 503, 200]);
    const raise = createAlarms({ url, site: 'acme.example', secret: SECRET, log: assert.fail, pausesMs: [1, 1, 1, 1] });
    raise('error', 'mail is down', { alarm: true });
    for (let call = 0; call < 3; call += 1) await once(server, 'call');
    assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1);
  });

  it('that nobody takes are said in the log, with the setting', async t => {
    const { url } = await receiver(t, []);
    const line = await new Promise<unknown[]>(resolve => {
      const raise = createAlarms({
        url,
        site: 'acme.example',
        secret: SECRET,
        log: (...said) => resolve(said),
        pausesMs: [1],
      });
      raise('error', 'mail is down', { alarm: true });
    });
    assert.deepEqual(line, [
      'warn',
      'alarm not delivered',
      { setting: 'ALARM_URL', about: 'mail is down', cause: 'answered 500' },
    ]);
  });

  it('of one event and cause are told at once, and what follows within a minute as one with its count', async t => {
    const { server, calls, url } = await receiver(t, Array(10).fill(200));
    const raise = createAlarms({ url, site: 'acme.example', secret: SECRET, log: assert.fail, mergeMs: 50 });
    for (let time = 0; time < 200; time += 1) raise('error', 'submission not kept', { cause: 'ENOSPC', alarm: true });
    raise('error', 'submission not kept', { cause: 'EIO', alarm: true });
    for (let call = 0; call < 3; call += 1) await once(server, 'call');
    const said = calls.map(({ body }) => JSON.parse(body).data);
    assert.deepEqual(
      said.map(({ cause, count }) => [cause, count]).sort(),
      [
        ['EIO', undefined],
        ['ENOSPC', undefined],
        ['ENOSPC', 199],
      ].sort(),
    );
  });

  it('of more than a hundred kinds a minute are a flood: the further ones are in the log alone', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const posts = t.mock.method(globalThis, 'fetch', async () => new Response());
    const raise = createAlarms({ url: 'http://127.0.0.1:1', site: 'a', secret: SECRET, log: assert.fail });
    const flood = () => {
      for (let kind = 0; kind < 150; kind += 1) raise('error', 'mail failed', { code: `E${kind}`, alarm: true });
      return posts.mock.callCount();
    };
    assert.deepEqual([flood(), flood()], [100, 100]);
  });

  it('go to no address with a password in it, and the log never holds the address', async () => {
    for (const name of ['ALARM_URL', 'FORM_THANKS_URL']) {
      const set = () => readConfig({ [name]: 'https://user:geheim@alarms.example/x' });
      assert.throws(set, ({ message }: Error) => message.includes(name) && !message.includes('geheim'));
    }
    const line = await new Promise<unknown[]>(resolve => {
      const url = 'http://127.0.0.1:1/geheim';
      const raise = createAlarms({ url, site: 'a', secret: SECRET, log: (...said) => resolve(said), pausesMs: [] });
      raise('error', 'mail failed', { alarm: true });
    });
    assert.doesNotMatch(JSON.stringify(line), /geheim/);
  });
});
