import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { PARTNER, startForms } from '../support/submission-support.ts';
import { type Answer, receive } from './receive.ts';

const ADDRESS = '127.0.5.1';
const OTHER_ADDRESS = '127.0.5.2';

const SLOW_QUESTION =
  'POST /ask HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{';

/** A question whose body never ends. */
async function slowQuestion(t: TestContext, url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: ADDRESS });
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(SLOW_QUESTION);
  return socket;
}

const statusFrom = async (url: string, localAddress: string) =>
  (await receive(`${url}/api/v1/status`, { localAddress })).status;

const formFrom = (url: string, localAddress: string) =>
  receive(`${url}/api/v1/partners`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(PARTNER),
    localAddress,
  });

/** Forms of one address, whose mails do not end before `release` is called. */
async function formsInWork(t: TestContext, count: number) {
  const { url, mailer } = await startForms(t, { env: { LIMITS: 'submissions=1000/3600' } });
  const release = mailer.hold();
  t.after(release);
  const forms: Promise<Answer>[] = [];
  for (let sent = 0; sent < count; sent += 1) forms.push(formFrom(url, ADDRESS));
  await mailer.arrived(Math.min(count, 8));
  return { url, release, forms };
}

describe('requests of one client at the same time', () => {
  it('are worked on eight at a time: a ninth waits until one of them ends, and nobody else waits', async t => {
    const { url, release, forms } = await formsInWork(t, 8);
    let isAnswered = false;
    const ninth = statusFrom(url, ADDRESS).then(status => {
      isAnswered = true;
      return status;
    });
    assert.equal(await statusFrom(url, OTHER_ADDRESS), 200, 'of another client');
    assert.equal(isAnswered, false);
    release();
    assert.equal(await ninth, 200);
    for (const form of forms) assert.equal((await form).status, 200);
  });

  it('are refused at once where a hundred wait: 429 with Retry-After, and the connection is closed', async t => {
    const { url, release, forms } = await formsInWork(t, 109);
    // Eight are in work and a hundred wait, so the first answer is the refusal of one.
    const refusal = await Promise.race(forms);
    assert.equal(refusal.status, 429);
    assert.equal(refusal.headers.get('retry-after'), '1');
    assert.equal(refusal.headers.get('connection'), 'close');
    assert.equal(refusal.json.code, 'rate_limited');
    assert.match(refusal.headers.get('ratelimit-policy') ?? '', /q=60;w=60/);
    assert.equal(await statusFrom(url, OTHER_ADDRESS), 200, 'of another client');
    release();
    await Promise.all(forms);
  });

  it('hold no place while their body arrives, and leave none behind when they are cut off', async t => {
    const { url } = await startForms(t);
    const slow = await Promise.all(Array.from({ length: 40 }, () => slowQuestion(t, url)));
    assert.equal(await statusFrom(url, ADDRESS), 200, 'while forty bodies arrive');
    for (const socket of slow.toReversed()) {
      socket.destroy();
      await setImmediate();
    }
    assert.equal(await statusFrom(url, ADDRESS), 200, 'after they were cut off');
  });

  it('leave no place behind when they are cut off while they wait', async t => {
    const { url, release, forms } = await formsInWork(t, 8);
    const waiting = await Promise.all(Array.from({ length: 8 }, () => slowQuestion(t, url)));
    await statusFrom(url, OTHER_ADDRESS);
    for (const socket of waiting) socket.destroy();
    await statusFrom(url, OTHER_ADDRESS);
    release();
    await Promise.all(forms);
    assert.equal(await statusFrom(url, ADDRESS), 200);
  });

  it('may have two hundred bodies on their way: a further one is refused and closed, other requests are answered', async t => {
    const { url } = await startForms(t, { env: { LIMITS: 'default=1000/60' } });
    const slow = await Promise.all(Array.from({ length: 201 }, () => slowQuestion(t, url)));
    const [data] = await Promise.race(slow.map(socket => once(socket, 'data')));
    assert.match(String(data), /^HTTP\/1\.1 429 .*\r\nConnection: close\r\n.*"code":"rate_limited"/is);
    assert.equal(await statusFrom(url, ADDRESS), 200);
  });
});
