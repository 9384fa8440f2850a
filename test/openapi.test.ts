import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ROUTES } from '../rest/routes.ts';
import { RPC } from '../tools/protocol.ts';
import { describedBy, operationsOf } from './openapi-support.ts';
import { bodyOf, post, startApp } from './support.ts';

const served = async (t: TestContext) => describedBy((await startApp(t)).url);

describe('openapi.json', () => {
  it('describes every method of every path and alias of the contract, and nothing else', async t => {
    const description = await served(t);
    const described = operationsOf(description).map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(described.sort(), [
      ...['GET /api/v1/status', 'GET /ask', 'GET /mcp', 'POST /api/contact', 'POST /api/partners'],
      ...['POST /api/v1/contact', 'POST /api/v1/partners', 'POST /ask', 'POST /mcp'],
    ]);
    for (const { method, path, aliases } of ROUTES)
      for (const name of [path, ...aliases]) assert.ok(described.includes(`${method} ${name}`));
  });

  it('shows the rate-limit headers and API-Version on every response but the 400 of POST /mcp', async t => {
    const description = await served(t);
    const five = ['RateLimit-Policy', 'RateLimit', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    for (const { path, method, operation } of operationsOf(description))
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        const where = `${method} ${path} ${status}`;
        assert.ok('API-Version' in headers, where);
        const isException = where === 'POST /mcp 400';
        for (const name of five) assert.equal(name in headers, !isException, `${where} ${name}`);
        assert.equal('Retry-After' in headers, status === '429', where);
        assert.equal('Allow' in headers, status === '405', where);
      }
  });
});

it('openapi.json names the methods and the error codes that /mcp has, no more and no fewer', async t => {
  const { url } = await startApp(t);
  const { JsonRpcRequest, JsonRpcError } = (await describedBy(url)).components.schemas;
  const methods: string[] = Object(JsonRpcRequest).properties.method.enum;
  const asked = { protocolVersion: '2026-07-28', clientCapabilities: {} };
  const _meta = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
  );
  const unknown = async (params: object, headers = {}) => {
    const response = await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'x', params }, headers);
    return (await bodyOf(response)).error.message;
  };
  const both = [
    await unknown({}),
    await unknown({ _meta }, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'x' }),
  ];
  const named = new Set(both.flatMap(message => message.match(/initialize|ping|[a-z]+\/[a-z]+/g) ?? []));
  assert.deepEqual([...named].sort(), [...methods].sort());
  assert.deepEqual([...Object(JsonRpcError).properties.error.properties.code.enum].sort(), Object.values(RPC).sort());
});
