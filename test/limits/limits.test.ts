import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { callTool, request } from '../mcp/mcp-messages.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { bodyOf, post, startApp } from '../support/support.ts';

const PING = request('ping');
const CALL = callTool('ask_brand', { query: 'precio' });

async function start(t: TestContext) {
  const { url } = await startApp(t);
  const get = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init);
  const mcp = (body: unknown = CALL, headers = {}) => post(`${url}/mcp`, body, headers);
  /** Slots left in the bucket of a path, by a request that takes one itself. */
  const left = async (response: Response | Promise<Response>) =>
    Number((await response).headers.get('ratelimit-remaining'));
  const times = async (count: number, request: () => Promise<Response>) => {
    for (let done = 0; done < count; done += 1) await (await request()).text();
  };
  return { get, mcp, left, times };
}

describe('the limit of /mcp', () => {
  it('is refused with a null id when the body cannot be read', async t => {
    const { mcp, times } = await start(t);
    await times(60, mcp);
    for (const body of ['{', [CALL], 'a'.repeat(1000)]) {
      const response = await mcp(body);
      const { id, error } = await bodyOf(response);
      assert.deepEqual([response.status, id, error.code], [429, null, -32000]);
    }
  });

  it('counts no 403, 405, 413 and OPTIONS', async t => {
    const { get, mcp, left } = await start(t);
    const statuses = [
      await mcp(PING, { origin: 'https://evil.example' }),
      await get('/mcp', { method: 'DELETE' }),
      await mcp('x'.repeat(70_000)),
      await get('/mcp', { method: 'OPTIONS' }),
    ].map(({ status }) => status);
    assert.deepEqual(statuses, [403, 405, 413, 204]);
    assert.equal(await left(mcp(PING)), 59);
  });
});

describe('a call of an action', () => {
  const ACTION = callTool('request_diagnostic', DIAGNOSTIC);
  const policies = (response: Response) =>
    (response.headers.get('ratelimit') ?? '').match(/"[a-z-]+";r=\d+/g) ?? [];

  it('over the 60 a minute shows all three policies, the binding one first', async t => {
    const { url } = await startApp(t, { env: { LIMITS: 'default=1/60' } });
    await post(`${url}/mcp`, PING);
    for (const call of [ACTION, callTool('apply_partner_program', {})]) {
      const refused = await post(`${url}/mcp`, call);
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
      assert.deepEqual(policies(refused), ['"default";r=0', '"actions";r=5', '"actions-service";r=20']);
    }
    for (const other of [PING, CALL, { ...ACTION, id: undefined }]) {
      assert.deepEqual(policies(await post(`${url}/mcp`, other)), ['"default";r=0']);
    }
  });

  it('over both limits waits for the one that frees last', async t => {
    const { url } = await startApp(t, { env: { LIMITS: 'default=1/60,actions=1/3600' } });
    assert.equal((await post(`${url}/mcp`, ACTION)).status, 200);
    const refused = await post(`${url}/mcp`, ACTION);
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.deepEqual(policies(refused), ['"actions";r=0', '"default";r=0', '"actions-service";r=19']);
    const { error } = await bodyOf(refused);
    assert.match(error.message, /1 submission per hour per client\. Wait 3600 seconds/);
  });
});

describe('a path that does not answer the method', () => {
  it('shows the limit of questions, also where it is one of a form', async t => {
    const { get } = await start(t);
    await get('/ask?q=precio');
    const requests: [path: string, method: string, status: number][] = [
      ['/api/v1/partners', 'GET', 405],
      ['/mcp', 'PUT', 405],
      ['/api/v1/partners', 'OPTIONS', 204],
      ['/api/v1/partners/', 'POST', 404],
    ];
    for (const [path, method, status] of requests) {
      const response = await get(path, { method });
      const limit = response.headers.get('ratelimit');
      assert.deepEqual([response.status, limit], [status, '"default";r=59;t=60'], `${method} ${path}`);
    }
  });
});
