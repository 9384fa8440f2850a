import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startApp } from '../support/support.ts';
import { receive } from './receive.ts';

const SLOW_FORM =
  'POST /api/v1/contact HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{';

/** A form of one address whose body never ends; what comes back is kept. */
async function slowForm(t: TestContext, url: string) {
  const socket: Socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    localAddress: '127.0.5.1',
  });
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  const slow = { text: '', isClosed: false };
  socket.on('data', data => {
    slow.text += data;
  });
  socket.once('close', () => {
    slow.isClosed = true;
  });
  await once(socket, 'connect');
  socket.write(SLOW_FORM);
  return slow;
}

const statusFrom = async (url: string, localAddress: string) =>
  (await receive(`${url}/api/v1/status`, { localAddress })).status;

describe('requests of one client at the same time', () => {
  it('are worked on eight at a time: a ninth waits until one of them ends, and nobody else waits', async t => {
    const { url } = await startApp(t, {
      timeouts: { headersTimeout: 1000, requestTimeout: 1500, connectionsCheckingInterval: 100 },
    });
    for (let sent = 0; sent < 7; sent += 1) await slowForm(t, url);
    assert.equal(await statusFrom(url, '127.0.5.1'), 200, 'the eighth');
    await slowForm(t, url);
    const ninth = statusFrom(url, '127.0.5.1');
    assert.equal(await Promise.race([ninth, setTimeout(200, 'waits')]), 'waits');
    assert.equal(await statusFrom(url, '127.0.5.2'), 200, 'of another client');
    assert.equal(await ninth, 200, 'after the slow ones were cut off');
  });

  it('are refused at once where a hundred wait: 429 with Retry-After, and the connection is closed', async t => {
    const { url } = await startApp(t);
    for (let sent = 0; sent < 108; sent += 1) await slowForm(t, url);
    const refused = await slowForm(t, url);
    while (!refused.isClosed) await setTimeout(10);
    assert.match(refused.text, /^HTTP\/1\.1 429 .*\r\nRetry-After: 1\r\n.*"code":"rate_limited"/is);
    assert.match(refused.text, /\r\nRateLimit-Policy: "default";q=60;w=60\r\n/i);
    assert.equal(await statusFrom(url, '127.0.5.2'), 200, 'of another client');
  });
});
