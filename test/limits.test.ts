// contract: 7.1, 7.3, 7.4
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { parseItem, parseList } from 'structured-headers';
import { limitText } from '../discovery/documents/limit-rows.ts';
import { BUCKETS, POLICIES } from '../tools/policies.ts';
import { assertRefused, bodyOf, post, startApp } from './support.ts';

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const CALL = { ...PING, method: 'tools/call', params: { name: 'ask_brand', arguments: { query: 'precio' } } };

/** Values of the five headers: RateLimit-Policy, RateLimit, then -Limit, -Remaining and -Reset. */
function five({ headers }: Response): (string | null)[] {
  const names = ['policy', undefined, 'limit', 'remaining', 'reset'];
  return names.map(name => headers.get(name === undefined ? 'ratelimit' : `ratelimit-${name}`));
}

async function start(t: TestContext, env: Record<string, string> = {}) {
  const { url, clock } = await startApp(t, { env });
  const get = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init);
  const ask = () => get('/ask?q=precio');
  const mcp = (body: unknown = CALL, headers = {}) => post(`${url}/mcp`, body, headers);
  /** Slots left in the bucket of a path, by a request that takes one itself. */
  const left = async (response: Response | Promise<Response>) =>
    Number((await response).headers.get('ratelimit-remaining'));
  const times = async (count: number, request: () => Promise<Response>) => {
    for (let done = 0; done < count; done += 1) await (await request()).text();
  };
  return { url, clock, get, ask, mcp, left, times };
}

describe('the five rate-limit headers', () => {
  it('stand on the first answer of each limited path as the drafts write them', async t => {
    const { ask, get, mcp } = await start(t);
    const first = ['"default";q=60;w=60', '"default";r=59;t=60', '60', '59', '60'];
    for (const response of [await ask(), await get('/api/v1/status'), await mcp()]) {
      assert.equal(response.status, 200);
      assert.deepEqual(five(response), first);
    }
  });

  it('are structured fields: a list of one string with whole numbers (RFC 9651)', async t => {
    const { headers } = await (await start(t)).ask();
    const plain = (field: string) => parseList(field).map(([name, rest]) => [name, Object.fromEntries(rest)]);
    assert.deepEqual(plain(headers.get('ratelimit-policy') ?? ''), [['default', { q: 60, w: 60 }]]);
    assert.deepEqual(plain(headers.get('ratelimit') ?? ''), [['default', { r: 59, t: 60 }]]);
    for (const name of ['limit', 'remaining', 'reset']) {
      assert.ok(Number.isInteger(parseItem(headers.get(`ratelimit-${name}`) ?? '')[0]));
    }
  });

  it('show the /ask bucket on 404, 405 and OPTIONS, without taking a slot', async t => {
    const { ask, get } = await start(t);
    const peeks = () =>
      Promise.all([
        get('/nothing'),
        get('/ask', { method: 'DELETE' }),
        get('/ask', { method: 'OPTIONS' }),
        get('/ask/', { method: 'POST' }),
      ]);
    const unused = ['"default";q=60;w=60', '"default";r=60;t=0', '60', '60', '0'];
    for (const response of await peeks()) assert.deepEqual(five(response), unused);
    await ask();
    const used = ['"default";q=60;w=60', '"default";r=59;t=60', '60', '59', '60'];
    for (const response of [...(await peeks()), ...(await peeks())]) assert.deepEqual(five(response), used);
  });

  it('show the bucket of the route on 403 and 413', async t => {
    const { ask, mcp, left } = await start(t);
    await ask();
    await ask();
    await mcp();
    assert.equal(await left(mcp(CALL, { origin: 'https://evil.example' })), 59);
    assert.equal(await left(mcp('a'.repeat(70_000))), 59);
  });
});

describe('the limit of 60 requests a minute', () => {
  it('lets 60 through and answers the next with 429, Retry-After and the wait in the hint', async t => {
    const { clock, ask, times } = await start(t);
    await times(30, ask);
    clock.advance(43);
    await times(29, ask);
    const last = await ask();
    assert.deepEqual([last.status, five(last)[1]], [200, '"default";r=0;t=17']);
    const refused = await ask();
    assert.deepEqual(five(refused), ['"default";q=60;w=60', '"default";r=0;t=17', '60', '0', '17']);
    assert.equal(refused.headers.get('retry-after'), '17');
    const { hint } = await assertRefused(Promise.resolve(refused), 'rate_limited', 429);
    assert.match(hint, /^Wait 17 seconds\b.* http:\/\/\S+$/);
  });

  it('names the limit that was met and a page without a limit, in good English', async t => {
    const { url, clock } = await startApp(t, { env: { LIMIT_DEFAULT: '1/60' } });
    await fetch(`${url}/ask?q=precio`);
    clock.advance(59);
    const { error, hint } = await assertRefused(fetch(`${url}/ask?q=precio`), 'rate_limited', 429);
    assert.equal(error, 'Rate limit exceeded: 1 request per minute per client.');
    assert.equal(hint, `Wait 1 second, then try again. All limits: ${url}/llms.txt`);
    for (let time = 0; time < 3; time += 1) {
      const page = await fetch(`${url}/llms.txt`);
      assert.equal(page.status, 200);
      assert.match(await page.text(), /1 request per minute per client/);
    }
  });

  it('frees slot by slot, each 60 seconds after it was taken, to the second', async t => {
    const { clock, ask, times } = await start(t);
    await ask();
    clock.advance(10);
    await times(59, ask);
    clock.advance(49.5);
    assert.equal((await ask()).headers.get('retry-after'), '1');
    clock.advance(0.5);
    assert.equal((await ask()).status, 200);
    const refused = await ask();
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10']);
    clock.advance(10);
    const free = await ask();
    assert.deepEqual([free.status, five(free)[1]], [200, '"default";r=58;t=50']);
  });

  it('is not prolonged by refused requests', async t => {
    const { clock, ask, times } = await start(t);
    await times(90, ask);
    clock.advance(60);
    assert.deepEqual(five(await ask())[1], '"default";r=59;t=60');
  });

  it('is shared by GET, HEAD and POST of /ask, bad questions included', async t => {
    const { url, get, ask, left } = await start(t);
    await ask();
    await post(`${url}/ask`, { query: 'precio' });
    await get('/ask?q=precio', { method: 'HEAD' });
    await get('/ask');
    await get('/ask?q=%FF');
    await post(`${url}/ask`, '{');
    assert.equal(await left(ask()), 53);
  });

  it('is counted apart for /ask, the status and /mcp', async t => {
    const { ask, get, mcp, left, times } = await start(t);
    await times(61, ask);
    assert.equal((await ask()).status, 429);
    assert.equal(await left(get('/api/v1/status')), 59);
    assert.equal(await left(mcp()), 59);
    await times(60, () => get('/api/v1/status'));
    await assertRefused(get('/api/v1/status'), 'rate_limited', 429);
    assert.equal(await left(mcp()), 58);
  });
});

describe('the limit of /mcp', () => {
  it('counts calls and GET, but not the 405 of an event stream', async t => {
    const { get, mcp, left } = await start(t);
    await mcp();
    await mcp();
    await get('/mcp');
    const stream = await get('/mcp', { headers: { accept: 'text/event-stream' } });
    assert.deepEqual([stream.status, await left(stream)], [405, 57]);
    assert.equal(await left(mcp()), 56);
  });

  it('counts a 400, which itself shows API-Version alone', async t => {
    const { mcp, left } = await start(t);
    for (const body of ['{', [], { id: 1 }]) {
      const response = await mcp(body);
      assert.equal(response.status, 400);
      assert.equal(response.headers.get('api-version'), '1');
      assert.deepEqual(five(response), [null, null, null, null, null]);
    }
    assert.equal(await left(mcp()), 56);
  });

  it('is refused with 429 and -32000: the wait, the ApiError as data and the id of the caller', async t => {
    const { clock, mcp, times } = await start(t);
    await times(60, mcp);
    clock.advance(20);
    for (const id of [7, 'seven', null]) {
      const response = await mcp({ ...CALL, id });
      assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '40']);
      assert.deepEqual(five(response), ['"default";q=60;w=60', '"default";r=0;t=40', '60', '0', '40']);
      const { error, ...rest } = await bodyOf(response);
      assert.deepEqual(rest, { jsonrpc: '2.0', id });
      assert.equal(error.code, -32000);
      assert.match(error.message, /\b40 seconds\b/);
      const { error: message, hint, ...data } = error.data;
      assert.deepEqual(data, { ok: false, code: 'rate_limited' });
      assert.equal(error.message, `${message} ${hint}`);
    }
  });

  it('is refused with a null id when the body cannot be read', async t => {
    const { mcp, times } = await start(t);
    await times(60, mcp);
    for (const body of ['{', [CALL], 'a'.repeat(1000)]) {
      const response = await mcp(body);
      const { id, error } = await bodyOf(response);
      assert.deepEqual([response.status, id, error.code], [429, null, -32000]);
    }
  });

  it('is 60 requests a minute, whatever their method: handshakes, lists, pings, notifications and GET take a slot each', async t => {
    const { get, mcp } = await start(t);
    const requests = [
      ...['initialize', 'tools/list', 'ping', 'server/discover'].map(
        method => () => mcp({ ...PING, method, params: {} }),
      ),
      () => mcp({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      () => get('/mcp', { method: 'HEAD' }),
    ];
    for (let sent = 0; sent < 60; sent += 1) {
      const response = await requests[sent % 6]?.();
      assert.ok(response?.ok, String(sent));
      const left = String(59 - sent);
      assert.deepEqual(five(response), ['"default";q=60;w=60', `"default";r=${left};t=60`, '60', left, '60']);
    }
    for (const refused of requests) assert.equal((await refused()).status, 429);
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

  it('answers 429 as ApiError to GET', async t => {
    const { get, mcp, times } = await start(t);
    await times(60, mcp);
    await assertRefused(get('/mcp'), 'rate_limited', 429);
  });
});

describe('a limit in words', () => {
  it('names its window in the largest unit that divides it', () => {
    const windows = { 1: 'second', 30: '30 seconds', 60: 'minute', 90: '90 seconds', 120: '2 minutes', 3600: 'hour' };
    for (const [seconds, words] of Object.entries({ ...windows, 7200: '2 hours', 86400: 'day', 172800: '2 days' })) {
      const policies = { ...POLICIES, default: { quota: 2, windowSeconds: Number(seconds), scope: 'client' } } as const;
      assert.equal(limitText(BUCKETS.ask, policies), `2 requests per ${words} per client`);
    }
  });
});

describe('another limit, set by LIMIT_DEFAULT=7/30', () => {
  it('is the one in the headers, the refusal and the descriptor', async t => {
    const { ask, get, times } = await start(t, { LIMIT_DEFAULT: '7/30' });
    assert.deepEqual(five(await ask()), ['"default";q=7;w=30', '"default";r=6;t=30', '7', '6', '30']);
    await times(6, ask);
    const { hint } = await assertRefused(ask(), 'rate_limited', 429);
    assert.match(hint, /^Wait 30 seconds/);
    const { limits } = await bodyOf(await get('/mcp'));
    const row = limits.find(({ scope }: { scope: string }) => scope.startsWith('/ask'));
    assert.deepEqual([row.quota, row.windowSeconds], [7, 30]);
    assert.match(row.text, /^7 requests per 30 seconds per client$/);
  });
});
