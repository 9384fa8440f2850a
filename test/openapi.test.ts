// contract: 1.1, 6.2, 9
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ROUTES } from '../rest/routes.ts';
import { RPC } from '../tools/protocol.ts';
import { createChecker, describedBy, operationsOf } from './openapi-support.ts';
import { anew, DIAGNOSTIC, PARTNER } from './submission-support.ts';
import { bodyOf, post, ROOT, startApp } from './support.ts';

const served = async (t: TestContext) => describedBy((await startApp(t)).url);

describe('openapi.json', () => {
  it('describes every method of every path and alias of the contract, and nothing else', async t => {
    const description = await served(t);
    const described = operationsOf(description).map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(described.sort(), [
      'GET /api/v1/status',
      'GET /ask',
      'GET /mcp',
      'POST /api/contact',
      'POST /api/partners',
      'POST /api/v1/contact',
      'POST /api/v1/partners',
      'POST /ask',
      'POST /mcp',
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

  it('says of which mode the server is, and of no profile where there is none', async t => {
    const production = {
      ...{ NODE_ENV: 'production', BASE_URL: 'https://norteclaro.example', SMTP_URL: 'smtp://127.0.0.1:1' },
      ...{ MAIL_FROM: 'hola@norteclaro.example', MAIL_TO: 'equipo@norteclaro.example' },
      ...{ BRAND_FILE: `${ROOT}examples/brand.json`, BRAND_JWKS: `${ROOT}examples/brand.jwks.json` },
    };
    const words = async (env: Record<string, string>) => {
      const { servers, paths } = await describedBy((await startApp(t, { env })).url);
      return `${JSON.stringify(servers)} ${paths['/api/v1/contact']?.post?.description}`;
    };
    assert.match(
      await words(production),
      /Production\. There is no sandbox.* A real submission: there is no sandbox\./,
    );
    assert.match(await words({}), /Development\. A dry run.* A dry run here: mail goes to files\./);
    const empty = await describedBy((await startApp(t, { brand: null })).url);
    assert.match(JSON.stringify(empty.info), /No profile is loaded/);
    assert.ok(!JSON.stringify(empty).includes('claim_id":"'));
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

describe('what the server answers is what openapi.json says', () => {
  const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  const foreign = { origin: 'https://other.example' };

  const CASES: readonly [
    title: string,
    operation: string,
    status: number,
    send: (target: string) => Promise<Response>,
  ][] = [
    ['a URL that is too long', 'GET /ask', 431, target => fetch(`${target}?q=${'x'.repeat(64_000)}`)],
    ['a body that is too large', 'POST /ask', 413, target => post(target, ' '.repeat(66_000))],
    ['a request from another site', 'POST /api/v1/contact', 403, target => post(target, DIAGNOSTIC, foreign)],
    ['an application that is too large', 'POST /api/partners', 413, target => post(target, ' '.repeat(66_000))],
    ['the status', 'GET /api/v1/status', 200, target => fetch(target)],
    ['the descriptor', 'GET /mcp', 200, target => fetch(target)],
    ['no event stream', 'GET /mcp', 405, target => fetch(target, { headers: { accept: 'text/event-stream' } })],
    ['a foreign reader', 'GET /mcp', 403, target => fetch(target, { headers: foreign })],
    [
      'a notification',
      'POST /mcp',
      202,
      target => post(target, { jsonrpc: '2.0', method: 'notifications/initialized' }),
    ],
    ['a message that is no JSON', 'POST /mcp', 400, target => post(target, '{')],
    ['a foreign message', 'POST /mcp', 403, target => post(target, rpc('ping'), foreign)],
    ['a message that is too large', 'POST /mcp', 413, target => post(target, ' '.repeat(66_000))],
  ];

  for (const [title, operation, status, send] of CASES) {
    it(`${operation}: ${title}, ${status}`, async t => {
      const { url } = await startApp(t);
      const [method = '', path = ''] = operation.split(' ');
      const response = await send(url + path);
      assert.equal(response.status, status);
      await createChecker(await describedBy(url))(path, method, response);
    });
  }

  it('a refused rate, 429, on every path', async t => {
    const { url } = await startApp(t, {
      env: { LIMIT_DEFAULT: '1/60', LIMIT_SUBMISSIONS: '1/3600' },
    });
    const check = createChecker(await describedBy(url));
    const twice = async (path: string, method: string, send: () => Promise<Response>) => {
      await (await send()).text();
      const response = await send();
      assert.equal(response.status, 429, path);
      await check(path, method, response);
    };
    await twice('/ask', 'GET', () => fetch(`${url}/ask?q=precio`));
    await twice('/api/v1/status', 'GET', () => fetch(`${url}/api/v1/status`));
    await twice('/mcp', 'POST', () => post(`${url}/mcp`, rpc('tools/call', { name: 'ask_brand' })));
    await twice('/mcp', 'GET', () => fetch(`${url}/mcp`));
    await twice('/api/v1/partners', 'POST', () => post(`${url}/api/v1/partners`, PARTNER, anew()));
  });

  it('no profile, 503', async t => {
    const { url } = await startApp(t);
    const description = await describedBy(url);
    const bare = await startApp(t, { brand: null });
    await createChecker(description)('/ask', 'GET', await fetch(`${bare.url}/ask?q=precio`));
  });
});
