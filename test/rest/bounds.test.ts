import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

  it('a streamed body of 64 KiB passes in chunks of 1 KB, and no byte more', async t => {
    const { url } = await startApp(t);
    for (const [length, status] of [
      [65_536, 200],
      [65_537, 413],
    ] as const) {
      const text = '{"query":"precio"}'.padEnd(length);
      const chunks = [...text.matchAll(/.{1,1024}/gs)].map(([chunk]) => Buffer.from(chunk));
      const body = ReadableStream.from(chunks);
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
      assert.equal((await fetch(`${url}/ask`, init)).status, status);
    }
  });
});
