import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { send } from '../mcp/mcp-messages.ts';
import { assertDiscreet, assertRefused, bodyOf, post, startApp } from '../support/support.ts';

describe('a body that cannot be used', () => {
  it('is nested thousands deep', async t => {
    const { url } = await startApp(t);
    const deep = `${'['.repeat(4000)}${']'.repeat(4000)}`;
    await assertRefused(post(`${url}/ask`, `{"query":${deep}}`), 'validation_error');
    const { status, id, error } = await send(url, deep);
    assert.deepEqual([status, id, error.code], [400, null, -32600]);
    assertDiscreet(JSON.stringify(error));
    assert.equal((await fetch(`${url}/api/v1/status`)).status, 200);
  });
});

describe('a strange question', () => {
  it('with lone surrogates is answered in well-formed text', async t => {
    const { url } = await startApp(t);
    const answer = await bodyOf(
      await post(`${url}/ask`, '{"query":"precio \\ud83d del \\udc00 diagnóstico"}'),
    );
    assert.equal(answer.query, 'precio \ufffd del \ufffd diagnóstico');
    assert.equal(answer.matches[0].claim_id, 'clm-diagnostic-price');
  });

  it('of invisible characters alone is a blank one', async t => {
    const { url } = await startApp(t);
    const query = '\u200b\u00ad\u202e';
    await assertRefused(post(`${url}/ask`, { query }), 'missing_query');
    await assertRefused(fetch(`${url}/ask?q=${encodeURIComponent(query)}`), 'missing_query');
  });

  it('escaped as bytes that are not UTF-8 is an invalid_request, but a stray percent sign is text', async t => {
    const { url } = await startApp(t);
    for (const q of ['caf%E9', '%ED%A0%80', '%F0%9F%8D']) {
      await assertRefused(fetch(`${url}/ask?q=${q}`), 'invalid_request');
    }
    assert.equal((await bodyOf(await fetch(`${url}/ask?q=100%`))).query, '100%');
    assert.equal((await bodyOf(await fetch(`${url}/ask?q=100%+ma%C3%B1ana`))).query, '100% mañana');
    assert.equal((await fetch(`${url}/api/v1/status?q=%FF`)).status, 200);
  });
});
