import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createConnection } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createListener } from '../../server/http/listener.ts';
import { exchange, startApp } from '../support/support.ts';

const SHORT = {
  readingTimeout: 200,
  headersTimeout: 200,
  requestTimeout: 300,
  connectionsCheckingInterval: 50,
};

/** A listener of its own with short limits, and how a raw client reaches it. */
async function listen(t: TestContext, handler: RequestListener = () => {}, timeouts: typeof SHORT = SHORT) {
  const server = createListener({ handler, refusalHeaders: async () => [], timeouts });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = Object(server.address());
  const connect = (allowHalfOpen = false) => {
    const client = createConnection({ port, host: '127.0.0.1', allowHalfOpen });
    t.after(() => client.destroy());
    return client;
  };
  return { server, connect };
}

const GET = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

describe('a connection', { timeout: 240_000 }, () => {
  it('whose client does not read its answer is closed', async t => {
    const { server, connect } = await listen(t, (_, response) =>
      response.end(Buffer.alloc(32 * 1024 * 1024)),
    );
    const arrived = once(server, 'connection');
    const client = connect().pause();
    client.on('error', () => {}).write(GET);
    const [socket] = await arrived;
    await once(socket, 'close');
  });

  it('of a client that was refused is not held open by one that never closes its side', async t => {
    const { server, connect } = await listen(t);
    const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'));
    const client = connect(true);
    client.write('GET /ask HTTP/1.1\r\n');
    await once(client.resume(), 'end');
    await closed;
  });

  it('that does not wait for answers gets eight, and is closed', async t => {
    const { url } = await startApp(t);
    const get = `GET /claims HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;
    const answers = await exchange(url, [get.repeat(20)]);
    assert.deepEqual(statusesIn(answers), Array(8).fill('200'));
    assert.equal([...answers.matchAll(/^connection: close\r$/gim)].length, 1);
    assert.ok(statusesIn(await exchange(url, [get.repeat(8000)])).length <= 8);
  });

  it('that sends too many after it began to read late is closed as well, and none waits for ever', async t => {
    const timeouts = { ...SHORT, readingTimeout: 60_000, headersTimeout: 60_000, requestTimeout: 60_000 };
    const { connect } = await listen(t, (_, response) => response.end(Buffer.alloc(1024 * 1024)), timeouts);
    const client = connect().pause();
    client.write(GET.repeat(20));
    await once(client.resume(), 'end');
  });

  it('answers a valid request before it refuses the garbage behind it', async t => {
    const { url } = await startApp(t);
    const valid = `GET /ask?q=precio HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;
    assert.deepEqual(statusesIn(await exchange(url, [`${valid}GARBAGE\r\n\r\n`])), ['200', '400']);
  });

  it('from a trusted proxy stays open for longer than proxies keep it idle, so that no form is sent into a closed one', async t => {
    const kept = async (env: Record<string, string>) => {
      const { url } = await startApp(t, { env });
      return (await fetch(`${url}/api/v1/status`)).headers.get('keep-alive');
    };
    assert.equal(await kept({}), 'timeout=5');
    assert.equal(await kept({ TRUSTED_PROXIES: '127.0.0.1/32' }), 'timeout=620');
    assert.equal(await kept({ TRUSTED_HOPS: '1' }), 'timeout=620');
  });
});
