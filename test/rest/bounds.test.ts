import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { describe, it } from 'node:test';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { exchange, startApp } from '../support/support.ts';

const statusOf = (received: string) => /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];

describe('what a stranger sends costs no more than its bound', () => {
  it('an Accept, Accept-Language or If-None-Match of 31,000 characters counts as none', async t => {
    const { url } = await startApp(t);
    const plain = await fetch(url);
    const etag = plain.headers.get('etag') ?? '';
    const spanish = await fetch(url, {
      headers: { 'accept-language': `es${','.repeat(31_000)}`, accept: 'text/html' },
    });
    assert.equal(spanish.headers.get('content-language'), plain.headers.get('content-language'));
    const tagged = await fetch(url, { headers: { 'if-none-match': `${etag}${','.repeat(31_000)}` } });
    assert.equal(tagged.status, 200);
    const long = await fetch(`${url}/ask?q=precio`, {
      headers: { accept: `text/html,${','.repeat(31_000)}` },
    });
    assert.match(long.headers.get('content-type') ?? '', /json/);
    const short = await fetch(`${url}/ask?q=precio`, { headers: { accept: `text/html,${','.repeat(900)}` } });
    assert.match(short.headers.get('content-type') ?? '', /html/);
  });

  it('a path that is longer than any of ours is not taken apart: nobody decodes it, and it is not found', async t => {
    const { url } = await startApp(t);
    const status = async (path: string) =>
      statusOf(await exchange(url, [`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`]));
    // A short one is decoded, and refused for it.
    assert.deepEqual(
      await Promise.all([status('/%zz'.padEnd(1000, 'a')), status('/%zz'.padEnd(1001, 'a'))]),
      ['400', '404'],
    );
  });

  it('an Origin or Host that is longer than any name is refused unread', async t => {
    const { url } = await startApp(t);
    const long = `${'a.'.repeat(200)}localhost`;
    const mcp = await fetch(`${url}/mcp`, { method: 'POST', headers: { origin: `http://${long}` } });
    assert.equal(mcp.status, 403);
    const short = await fetch(`${url}/mcp`, { method: 'POST', headers: { origin: 'http://a.localhost' } });
    assert.equal(short.status, 400);
  });

  it('a streamed body or form of 64 KiB passes in chunks of 1 KB, one after the other on one connection, and no byte more', async t => {
    const { url } = await startApp(t);
    const head = (path: string, type: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const stream = (body: string) =>
      [...body.matchAll(/.{1,1024}/gs)].map(([chunk]) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    const question = (length: number) => '{"query":"precio"}'.padEnd(length);
    const long = { ...DIAGNOSTIC, context: DIAGNOSTIC.context + ' '.repeat(64_000) };
    const fields = Object.entries(long).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const form = Buffer.from(`${fields.join('')}--b--\r\n`).toString('latin1');
    const requests = [
      ...Array(4).fill([head('/ask', 'application/json'), ...stream(question(65_536)), '0\r\n\r\n']),
      [head('/api/v1/contact', 'multipart/form-data; boundary=b'), ...stream(form), '0\r\n\r\n'],
      [head('/ask', 'application/json'), ...stream(question(65_537)), '0\r\n\r\n'],
    ];
    const statuses: unknown[] = [];
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1').setNoDelay();
    t.after(() => socket.destroy());
    for (const parts of requests) {
      // One turn of the event loop each, so that each is read alone.
      for (const part of parts) await new Promise(resolve => socket.write(part, 'latin1', resolve));
      const [received] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      statuses.push(statusOf(String(received)));
    }
    assert.deepEqual(statuses, ['200', '200', '200', '200', '200', '413']);
  });
});
