import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countText } from '../support/support.ts';
import {
  type Answer,
  assertError,
  assertHeaders,
  assertOnlyVersion,
  atOnce,
  callTool,
  close,
  DIAGNOSTIC,
  FORMS,
  inTurn,
  type Json,
  newClient,
  PARTNER,
  QUESTIONS,
  type Server,
  serving,
  sharedServer,
  start,
  statuses,
} from './contract-fixture.ts';

after(close);

const { query } = QUESTIONS.en;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** The header of a response that counts against one policy. */
function assertState(
  answer: Answer,
  [policy, quota, remaining, window]: [string, number, number, number],
): void {
  const { headers } = answer;
  assertHeaders(answer, policy);
  const reset = Number(headers.get('ratelimit-reset'));
  assert.ok(reset >= 1 && reset <= window, `resets after ${reset} s`);
  assert.equal(headers.get('ratelimit-policy'), `"${policy}";q=${quota};w=${window}`);
  assert.equal(headers.get('ratelimit'), `"${policy}";r=${remaining};t=${reset}`);
  assert.equal(headers.get('ratelimit-limit'), String(quota));
  assert.equal(headers.get('ratelimit-remaining'), String(remaining));
}

/** A refusal: HTTP 429, the wait in Retry-After, nothing left. */
function assertRefused(answer: Answer, window: number): void {
  assert.equal(answer.status, 429, answer.text);
  assertHeaders(answer, '429');
  const wait = Number(answer.headers.get('retry-after'));
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= window, `waits ${wait} s`);
  assert.equal(answer.headers.get('ratelimit-remaining'), '0');
  assert.equal(answer.headers.get('ratelimit-reset'), String(wait));
}

function assertMcpRefused(answer: Answer, id: Json, window: number): void {
  assertRefused(answer, window);
  assert.equal(answer.json.jsonrpc, '2.0');
  assert.equal(answer.json.id, id);
  assert.equal(answer.json.result, undefined);
  const { code, message, data } = answer.json.error;
  const { error, hint, ...rest } = data;
  assert.deepEqual([code, rest], [-32000, { ok: false, code: 'rate_limited' }]);
  assert.equal(message, `${error} ${hint}`);
  assert.match(message, new RegExp(`\\b${answer.headers.get('retry-after')} seconds?\\b`));
  assert.match(
    answer.headers.get('ratelimit') ?? '',
    new RegExp(`;r=0;t=${answer.headers.get('retry-after')}`),
  );
}

/** How many actions were accepted, refused, or failed with each code. */
function outcomes(answers: Answer[]): Record<string, number> {
  return countText(
    answers.map(({ json }) => {
      const { isError, content } = json.result ?? {};
      return (isError ? content[0].text : json.error?.code) ?? 'accepted';
    }),
  );
}

type Send = (server: Server, client: string, nth: number) => Promise<Answer>;

const DEFAULT: Record<string, Send> = {
  'GET /ask': (server, client) => server.send(`/ask?q=${encodeURIComponent(query)}`, { client }),
  'POST /ask': (server, client) => server.post('/ask', { query }, { client }),
  'POST and GET /ask by turns': (server, client, nth) =>
    nth % 2 ? server.post('/ask', { query }, { client }) : server.send('/ask?q=bells', { client }),
  'GET /api/v1/status': (server, client) => server.send('/api/v1/status', { client }),
};

for (const [what, send] of Object.entries(DEFAULT)) {
  test(`${what}: 60 requests per minute per client, policy default`, async () => {
    const server = await sharedServer('en');
    const client = newClient();
    const answers = await inTurn(60, nth => send(server, client, nth));
    for (const [nth, answer] of answers.entries()) {
      assert.equal(answer.status, 200);
      assertState(answer, ['default', 60, 59 - nth, 60]);
    }
    const refused = await send(server, client, 60);
    assertError(refused, [429, 'rate_limited']);
    assertRefused(refused, 60);
    assert.match(
      refused.json.hint,
      new RegExp(`\\b${refused.headers.get('retry-after')} seconds?\\b.*/llms\\.txt`),
    );
    assert.equal((await send(server, newClient(), 0)).status, 200);
  });

  test(`${what}: of 75 requests at once 60 are answered`, async () => {
    const server = await sharedServer('en');
    const client = newClient();
    assert.deepEqual(statuses(await atOnce(75, nth => send(server, client, nth))), { 200: 60, 429: 15 });
  });
}

test('A request without a query takes a slot of /ask', async () => {
  const server = await sharedServer('en');
  const client = newClient();
  assertState(await server.post('/ask', {}, { client }), ['default', 60, 59, 60]);
});

/** Each is a request to /mcp like any other. */
const MCP: Record<string, Send> = {
  ping: (server, client) => server.mcp(ping, { client }),
  initialize: (server, client) =>
    server.mcp(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      },
      { client },
    ),
  'tools/list': (server, client) => server.mcp({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { client }),
  'tools/call of ask_brand': (server, client) => server.mcp(callTool('ask_brand', { query }), { client }),
  'notifications/initialized': (server, client) =>
    server.mcp({ jsonrpc: '2.0', method: 'notifications/initialized' }, { client }),
  'an unknown method': (server, client) => server.mcp({ jsonrpc: '2.0', id: 1, method: 'none' }, { client }),
  GET: (server, client) => server.send('/mcp', { client }),
};
const MIXED = Object.values(MCP);

for (const [what, send] of Object.entries(MCP)) {
  test(`/mcp, ${what}: 60 requests per minute per client, policy default`, async () => {
    const server = await sharedServer('en');
    const client = newClient();
    const answers = await inTurn(60, nth => send(server, client, nth));
    for (const [nth, answer] of answers.entries()) {
      assert.ok([200, 202].includes(answer.status), `${nth}: ${answer.status}`);
      assertState(answer, ['default', 60, 59 - nth, 60]);
    }
    assertRefused(await send(server, client, 60), 60);
    for (const id of ['mine', 7, null])
      assertMcpRefused(await server.mcp({ ...ping, id }, { client }), id, 60);
  });
}

test('/mcp: methods and GET share the 60 requests, in turn and at once', async () => {
  const server = await sharedServer('en');
  const mixed = (client: string, nth: number) => {
    const send = MIXED[nth % MIXED.length];
    assert.ok(send);
    return send(server, client, nth);
  };
  const first = newClient();
  const answers = await inTurn(61, nth => mixed(first, nth));
  assert.equal(answers.filter(({ status }) => status === 429).length, 1);
  assert.equal(answers.at(-1)?.status, 429);
  const second = newClient();
  const together = statuses(await atOnce(75, nth => mixed(second, nth)));
  assert.equal(together[429], 15);
});

test('A request that /mcp answers with 400 takes a slot and carries no rate-limit header', async () => {
  const server = await sharedServer('en');
  const client = newClient();
  const invalid = await server.mcp({}, { client });
  assert.equal(invalid.status, 400);
  assertOnlyVersion(invalid, 'invalid request');
  assertState(await server.mcp(ping, { client }), ['default', 60, 58, 60]);
});

test('/ask, /api/v1/status and /mcp are counted apart', async () => {
  const server = await sharedServer('en');
  const client = newClient();
  await inTurn(61, () => server.send('/api/v1/status', { client }));
  assertState(await server.post('/ask', { query }, { client }), ['default', 60, 59, 60]);
  assertState(await server.mcp(ping, { client }), ['default', 60, 59, 60]);
});

for (const { path, body } of FORMS) {
  test(`${path}: the same valid form twelve times gives ten 200, then 429 with Retry-After`, async () => {
    const server = await sharedServer('en');
    const client = newClient();
    const answers = await inTurn(12, () => server.post(path, body, { client }));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 429, 429],
    );
    for (const [nth, answer] of answers.slice(0, 10).entries())
      assertState(answer, ['submissions', 10, 9 - nth, 3600]);
    for (const refused of answers.slice(10)) {
      assertError(refused, [429, 'rate_limited']);
      assertRefused(refused, 3600);
    }
  });

  test(`${path}: of twenty equal forms at once ten are accepted`, async () => {
    const server = await sharedServer('en');
    const client = newClient();
    assert.deepEqual(statuses(await atOnce(20, () => server.post(path, body, { client }))), {
      200: 10,
      429: 10,
    });
  });
}

test('REST forms and their aliases share 10 submissions per hour per client', async () => {
  const server = await sharedServer('en');
  const client = newClient();
  const answers = await inTurn(12, nth => {
    const { path, body } = FORMS[nth % FORMS.length] ?? assert.fail();
    return server.post(path, { ...body, company: `Firm ${nth}` }, { client });
  });
  assert.deepEqual(statuses(answers), { 200: 10, 429: 2 });
  for (const { path, body } of FORMS) assertRefused(await server.post(path, body, { client }), 3600);
  assert.equal((await server.post('/api/v1/contact', DIAGNOSTIC, { client: newClient() })).status, 200);
});

test('Form data counts as JSON does', async () => {
  const server = await sharedServer('en');
  const client = newClient();
  const form = () =>
    server.send('/api/v1/contact', { method: 'POST', body: new URLSearchParams(DIAGNOSTIC), client });
  assert.deepEqual(statuses(await inTurn(11, form)), { 200: 10, 429: 1 });
});

test('Failed validations do not count against submission limits', async () => {
  const server = await sharedServer('en');
  const client = newClient();
  for (const { path, body } of FORMS) {
    for (const invalid of [
      {},
      { ...body, name: 'x' },
      { ...body, email: 'nobody' },
      { ...body, extra: 'x' },
    ]) {
      const answer = await server.post(path, invalid, { client });
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.get('ratelimit-remaining'), '10');
      assert.equal(answer.headers.get('ratelimit-reset'), '0');
    }
  }
  await inTurn(30, () => server.post('/api/v1/contact', {}, { client }));
  assertState(await server.post('/api/v1/contact', DIAGNOSTIC, { client }), ['submissions', 10, 9, 3600]);
  await inTurn(6, () => server.mcp(callTool('request_diagnostic', {}), { client }));
  await inTurn(6, () => server.mcp(callTool('apply_partner_program', {}), { client }));
  const action = await server.mcp(callTool('request_diagnostic', DIAGNOSTIC), { client });
  assert.match(action.headers.get('ratelimit') ?? '', /"actions";r=4;t=\d+/);
});

let countingServer: Promise<Server> | undefined;
/** A server whose actions two tests count together. */
const counting = () => {
  countingServer ??= serving('en').then(start);
  return countingServer;
};

test('MCP submitted actions: 5 per hour per client; the sixth equal one is 429 with -32000', async () => {
  const server = await counting();
  const client = newClient();
  const submit = (nth: number) => server.mcp(callTool('request_diagnostic', DIAGNOSTIC, nth), { client });
  const answers = await inTurn(5, submit);
  for (const [nth, answer] of answers.entries()) {
    assert.equal(answer.status, 200);
    assert.notEqual(answer.json.result.isError, true);
    assertHeaders(answer, 'action');
    const policies = answer.headers.get('ratelimit-policy') ?? '';
    for (const policy of ['"default";q=60;w=60', '"actions";q=5;w=3600', '"actions-service";q=20;w=3600']) {
      assert.ok(policies.split(', ').includes(policy), policies);
    }
    const states = answer.headers.get('ratelimit') ?? '';
    assert.match(states, new RegExp(`"default";r=${59 - nth};`));
    assert.match(states, new RegExp(`"actions";r=${4 - nth};`));
    assert.match(states, new RegExp(`"actions-service";r=${19 - nth};`));
    assert.equal(answer.headers.get('ratelimit-limit'), '5');
    assert.equal(answer.headers.get('ratelimit-remaining'), String(4 - nth));
  }
  for (const id of [6, 'seven']) {
    assertMcpRefused(await server.mcp(callTool('request_diagnostic', DIAGNOSTIC, id), { client }), id, 3600);
  }
  assertMcpRefused(await server.mcp(callTool('apply_partner_program', PARTNER, 8), { client }), 8, 3600);
  assert.equal(new Set(answers.map(({ text }) => /[A-Z]{4}-\d{4}/.exec(text)?.[0])).size, 5);
  const question = await server.mcp(callTool('ask_brand', { query }), { client });
  assert.equal(question.status, 200);
  assert.equal(question.headers.get('ratelimit-policy'), '"default";q=60;w=60');
});

test('MCP submitted actions: 20 per hour service-wide, from any number of clients', async () => {
  const server = await counting();
  const submit = (nth: number) =>
    nth % 2
      ? server.mcp(callTool('request_diagnostic', DIAGNOSTIC, nth), { client: newClient() })
      : server.mcp(callTool('apply_partner_program', PARTNER, nth), { client: newClient() });
  // The test above took five.
  const answers = await inTurn(15, submit);
  assert.deepEqual(outcomes(answers), { accepted: 15 });
  const refused = await submit(21);
  assertMcpRefused(refused, 21, 3600);
  assert.match(refused.headers.get('ratelimit') ?? '', /"actions-service";r=0;/);
  assert.equal((await server.post('/api/v1/contact', DIAGNOSTIC, { client: newClient() })).status, 200);
  await server.stop();
});

test('MCP submitted actions at once: 20 of 30 clients, and 5 of one client', async () => {
  const server = await start(await serving('en'));
  const client = newClient();
  const own = await atOnce(9, nth => server.mcp(callTool('request_diagnostic', DIAGNOSTIC, nth), { client }));
  assert.deepEqual(outcomes(own), { accepted: 5, '-32000': 4 });
  const all = await atOnce(30, nth =>
    server.mcp(callTool('apply_partner_program', PARTNER, nth), { client: newClient() }),
  );
  assert.deepEqual(outcomes(all), { accepted: 15, '-32000': 15 });
  await server.stop();
});

test('A client is an address of IPv4, or a /64 network of IPv6', async () => {
  const server = await sharedServer('en');
  const remaining = async (client: string) =>
    (await server.send('/api/v1/status', { client })).headers.get('ratelimit-remaining');
  assert.equal(await remaining('2001:db8:1:1::1'), '59');
  assert.equal(await remaining('2001:db8:1:1:ffff::2'), '58');
  assert.equal(await remaining('2001:db8:1:2::1'), '59');
  assert.equal(await remaining('203.0.113.200'), '59');
  assert.equal(await remaining('203.0.113.201'), '59');
  assert.equal(await remaining('198.51.100.1, 203.0.113.201'), '58');
});

test('Hourly counts survive a restart', async () => {
  const settings = await serving('en');
  const first = await start(settings);
  const client = newClient();
  await inTurn(10, () => first.post('/api/v1/contact', DIAGNOSTIC, { client }));
  await first.stop();
  const second = await start({ ...settings, DATA_DIR: first.data });
  assertRefused(await second.post('/api/v1/contact', DIAGNOSTIC, { client }), 3600);
  await second.stop();
});

test('A response without a limit of its own takes no slot', async () => {
  const server = await sharedServer('en');
  const client = newClient();
  await server.send('/openapi.json', { client });
  await server.send('/nothing', { client });
  await server.send('/ask', { client, method: 'DELETE' });
  await server.send('/ask', { client, method: 'OPTIONS' });
  assertState(await server.post('/ask', { query }, { client }), ['default', 60, 59, 60]);
  const shown = await server.send('/nothing', { client });
  assert.equal(shown.headers.get('ratelimit-remaining'), '59');
});
