import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { modern, modernCall, sendModern } from './mcp-modern-messages.ts';
import { post, startApp } from './support.ts';

const MANY = { LIMIT_DEFAULT: '1000/60' };

describe('the headers of a request of MCP 2026-07-28', () => {
  it('must say what the body says: 400, -32020', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const changed of [
      { 'mcp-protocol-version': '2025-06-18' },
      { 'mcp-protocol-version': '2027-01-01' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-method': 'Tools/Call' },
      { 'mcp-name': 'request_diagnostic' },
      { 'mcp-name': 'ask_brand, ask_brand' },
      { 'mcp-name': '=?base64?cmVxdWVzdF9kaWFnbm9zdGlj?=' },
      { 'mcp-name': '=?base64?YXNrX2JyYW5k!!?=' },
      { 'mcp-name': '=?base64?YXNrX2JyYW5?=' },
      { 'mcp-name': '=?base64?YXNr X2JyYW5k?=' },
      { 'mcp-name': '=?base64?YXNrX2JyYW5k' },
    ]) {
      const { status, error } = await sendModern(url, modernCall('ask_brand', { query: 'precio' }), changed);
      assert.deepEqual([status, error.code], [400, -32020], JSON.stringify(changed));
    }
  });
});

describe('both revisions on one endpoint', () => {
  it('list three tools in less than 6,000 bytes', async t => {
    const { url } = await startApp(t);
    const legacy = await (await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).text();
    const { jsonrpc, id, result } = await sendModern(url, modern('tools/list'));
    for (const text of [legacy, JSON.stringify({ jsonrpc, id, result })]) {
      assert.equal(JSON.parse(text).result.tools.length, 3);
      assert.ok(Buffer.byteLength(text) < 6000, `${Buffer.byteLength(text)} bytes`);
    }
  });

  it('describe each tool so that its description alone is enough', async t => {
    const { url } = await startApp(t);
    const { result } = await sendModern(url, modern('tools/list'));
    const [ask, ...actions] = result.tools;
    for (const part of [/Answers a question/, /boundary/, /similarity/, /claim_id/, /Not for/, /Read-only/])
      assert.match(ask.description, part);
    for (const { description, inputSchema } of actions) {
      for (const part of [/Emails/, /48 hours/, /no sandbox/, /consent/, /Returns ok/, /Not for/])
        assert.match(description, part);
      for (const field of Object.values<{ description: string; examples: string[] }>(inputSchema.properties)) {
        assert.match(field.description, /\d+ characters/);
        assert.equal(field.examples.length, 1);
      }
    }
  });
});
