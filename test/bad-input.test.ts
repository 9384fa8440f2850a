// contract: 2.1, 6.1, 6.2
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertDiscreet, assertRefused, bodyOf, post, startApp } from './support.ts';

const MANY = { LIMIT_DEFAULT: '100000/60' };
const MEGABYTE = 1024 * 1024;

/** The process is alive and answers. */
async function assertAlive(url: string): Promise<void> {
  assert.equal((await fetch(`${url}/api/v1/status`)).status, 200);
}

/** A JSON-RPC error of POST /mcp. */
async function assertRpcError(request: Promise<Response>, status: number, code: number) {
  const response = await request;
  const text = await response.text();
  assertDiscreet(text);
  assert.equal(response.status, status);
  const { jsonrpc, id, error } = JSON.parse(text);
  assert.deepEqual([jsonrpc, id, error.code], ['2.0', null, code]);
  return error;
}

describe('a body that cannot be used', () => {
  it('is nested thousands deep', async t => {
    const { url } = await startApp(t);
    const deep = `${'['.repeat(4000)}${']'.repeat(4000)}`;
    await assertRefused(post(`${url}/ask`, `{"query":${deep}}`), 'validation_error');
    await assertRpcError(post(`${url}/mcp`, deep), 400, -32600);
    await assertAlive(url);
  });
});

describe('a body of one megabyte', () => {
  it('is refused with 413 that the client receives, then the connection closes, on /ask and /mcp', async t => {
    const { url } = await startApp(t);
    for (const body of [JSON.stringify({ query: 'a'.repeat(MEGABYTE) }), 'a'.repeat(MEGABYTE)]) {
      const ask = await post(`${url}/ask`, body);
      assert.equal(ask.headers.get('connection'), 'close');
      await assertRefused(Promise.resolve(ask), 'invalid_request', 413);
      const mcp = await post(`${url}/mcp`, body);
      assert.equal(mcp.headers.get('connection'), 'close');
      const error = await assertRpcError(Promise.resolve(mcp), 413, -32600);
      assert.equal(error.data.code, 'invalid_request');
    }
    await assertAlive(url);
  });
});

describe('a strange question', () => {
  it('with lone surrogates is answered in well-formed text', async t => {
    const { url } = await startApp(t);
    const answer = await bodyOf(await post(`${url}/ask`, '{"query":"precio \\ud83d del \\udc00 diagnóstico"}'));
    assert.equal(answer.query, 'precio \ufffd del \ufffd diagnóstico');
    assert.equal(answer.matches[0].claim_id, 'clm-diagnostic-price');
  });

  it('with null bytes, control characters or tokens of a model is a question like any other', async t => {
    const { url } = await startApp(t, { env: MANY });
    const queries = [
      'pre\0cio',
      '\u001b[31mprecio',
      '[CLS]',
      '[CLS] precio [SEP]',
      '[UNK][PAD][MASK]',
      '<|endoftext|>',
    ];
    for (const query of [...queries, '##cio', '__proto__', '{{7*7}}', '\u202eoicerp', '\u200b']) {
      const response = await post(`${url}/ask`, { query });
      assert.equal(response.status, 200, query);
      const answer = await bodyOf(response);
      assert.equal(answer.query, query);
      assert.ok(Array.isArray(answer.matches));
    }
    await assertAlive(url);
  });

  it('escaped as bytes that are not UTF-8 is an invalid_request, but a stray percent sign is text', async t => {
    const { url } = await startApp(t);
    for (const q of ['%FF', 'caf%E9', '%ED%A0%80', '%C3', '%F0%9F%8D']) {
      await assertRefused(fetch(`${url}/ask?q=${q}`), 'invalid_request');
    }
    assert.equal((await bodyOf(await fetch(`${url}/ask?q=100%25`))).query, '100%');
    assert.equal((await bodyOf(await fetch(`${url}/ask?q=100%`))).query, '100%');
    assert.equal((await bodyOf(await fetch(`${url}/ask?q=100%+ma%C3%B1ana`))).query, '100% mañana');
    assert.equal((await fetch(`${url}/api/v1/status?q=%FF`)).status, 200);
  });
});
