import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type Answer,
  assertHeaders,
  assertOnlyVersion,
  BRANDS,
  callTool,
  close,
  DIAGNOSTIC,
  type Json,
  newClient,
  PARTNER,
  QUESTIONS,
  sharedServer,
} from './contract-fixture.ts';

after(close);

const TOOLS = ['ask_brand', 'request_diagnostic', 'apply_partner_program'];
const HANDSHAKE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'stranger', version: '1' },
};

/** Each test is a client of its own, and asks the server of the English brand. */
const call = async (message: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  (await sharedServer('en')).mcp(message, { client: newClient(), headers });

const rpc = (method: string, params?: unknown, id: Json = 1) =>
  call({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });

function assertProtocolError(answer: Answer, [status, code]: [number, number], what: string): void {
  assert.deepEqual([answer.status, answer.json?.error?.code], [status, code], `${what}: ${answer.text}`);
  assert.equal(answer.json.jsonrpc, '2.0', what);
  assert.equal(typeof answer.json.error.message, 'string', what);
  assert.equal(answer.json.result, undefined, what);
}

test('initialize answers with protocol version 2025-06-18, and with an older one to a client that asks for it', async () => {
  const answers = {
    '2025-06-18': '2025-06-18',
    '2024-11-05': '2024-11-05',
    '2025-03-26': '2025-03-26',
    '2025-11-25': '2025-06-18',
    '2099-01-01': '2025-06-18',
  };
  for (const [protocolVersion, expected] of Object.entries(answers)) {
    const answer = await rpc('initialize', { ...HANDSHAKE, protocolVersion });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assertHeaders(answer, 'initialize');
    assert.equal(answer.json.jsonrpc, '2.0');
    assert.equal(answer.json.id, 1);
    assert.equal(answer.json.result.protocolVersion, expected);
    assert.ok(answer.json.result.capabilities.tools);
    assert.equal(typeof answer.json.result.serverInfo.name, 'string');
    assert.equal(typeof answer.json.result.serverInfo.version, 'string');
  }
});

test('tools/list names the three tools of the contract', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    const { json } = await server.mcp(
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { client: newClient() },
    );
    assert.deepEqual(
      json.result.tools.map((tool: Json) => tool.name),
      TOOLS,
    );
    for (const { inputSchema, description } of json.result.tools) {
      assert.equal(inputSchema.type, 'object');
      assert.ok(description.length > 0);
    }
  }
});

test('ask_brand is read-only and takes query; the actions take the fields of the forms and are not read-only', async () => {
  const { json } = await rpc('tools/list');
  const fields = json.result.tools.map(({ inputSchema }: Json) => inputSchema.required);
  assert.deepEqual(fields, [['query'], Object.keys(DIAGNOSTIC), Object.keys(PARTNER)]);
  const readOnly = json.result.tools.map(({ annotations }: Json) => annotations.readOnlyHint);
  assert.deepEqual(readOnly, [true, false, false]);
});

test('ask_brand is the same as /ask', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    const { query } = QUESTIONS[name];
    const { json: rest } = await server.post('/ask', { query }, { client: newClient() });
    const { status, json } = await server.mcp(callTool('ask_brand', { query }), { client: newClient() });
    assert.equal(status, 200);
    assert.notEqual(json.result.isError, true);
    assert.deepEqual(json.result.structuredContent, rest);
    assert.deepEqual(JSON.parse(json.result.content[0].text), rest);
  }
});

test('request_diagnostic and apply_partner_program are the same actions as the forms', async () => {
  const actions = { request_diagnostic: DIAGNOSTIC, apply_partner_program: PARTNER };
  for (const [tool, body] of Object.entries(actions)) {
    const { status, json } = await call(callTool(tool, body));
    assert.equal(status, 200);
    assert.notEqual(json.result.isError, true);
    const { ok, message, mode, reference } = JSON.parse(json.result.content[0].text);
    assert.deepEqual([ok, mode], [true, 'dry-run']);
    assert.match(message, /48 horas/);
    assert.deepEqual(json.result.structuredContent, { ok, message, mode, reference });
  }
});

test('A tool failure is a normal result with isError true and the body that the REST endpoint returns', async () => {
  const server = await sharedServer('en');
  const faults: [string, string, unknown][] = [
    ['ask_brand', '/ask', {}],
    ['ask_brand', '/ask', { query: '' }],
    ['ask_brand', '/ask', { query: ' ' }],
    ['ask_brand', '/ask', { query: null }],
    ['ask_brand', '/ask', { query: 7 }],
    ['ask_brand', '/ask', { query: 'x'.repeat(2001) }],
    ['request_diagnostic', '/api/v1/contact', {}],
    ['request_diagnostic', '/api/v1/contact', { ...DIAGNOSTIC, context: 'short' }],
    ['request_diagnostic', '/api/v1/contact', { ...DIAGNOSTIC, phone: '600' }],
    ['apply_partner_program', '/api/v1/partners', { ...PARTNER, size: '' }],
    ['apply_partner_program', '/api/v1/partners', { ...PARTNER, email: 'nobody' }],
  ];
  for (const [tool, path, fault] of faults) {
    const { json: rest } = await server.post(path, fault, { client: newClient() });
    assert.equal(rest.ok, false);
    const { status, json } = await server.mcp(callTool(tool, fault), { client: newClient() });
    assert.equal(status, 200);
    assert.equal(json.result.isError, true);
    assert.deepEqual(JSON.parse(json.result.content[0].text), rest, `${tool} ${JSON.stringify(fault)}`);
  }
});

test('ping is answered with an empty result and its id: a text, an integer or null', async () => {
  for (const id of ['a text', '', 0, 7, -1, 9007199254740991, null]) {
    const answer = await rpc('ping', undefined, id);
    assert.deepEqual([answer.status, answer.json], [200, { jsonrpc: '2.0', id, result: {} }]);
    assertHeaders(answer, 'ping');
  }
});

test('A notification is acknowledged with an empty HTTP 202', async () => {
  for (const method of ['notifications/initialized', 'notifications/anything', 'ping', 'no/method']) {
    const answer = await call({ jsonrpc: '2.0', method });
    assert.deepEqual([answer.status, answer.text], [202, ''], method);
    assertHeaders(answer, method);
  }
});

test('A notification creates no job: an action without an id takes no slot and sends nothing', async () => {
  const server = await sharedServer('en');
  const client = newClient();
  const { id: _, ...notification } = callTool('request_diagnostic', DIAGNOSTIC);
  const answer = await server.mcp(notification, { client });
  assert.deepEqual([answer.status, answer.text], [202, '']);
  const fault = await server.mcp(callTool('request_diagnostic', {}), { client });
  assert.match(fault.headers.get('ratelimit') ?? '', /"actions";r=5;t=0/);
});

test('-32700: a parse error is HTTP 400 and carries only API-Version', async () => {
  const server = await sharedServer('en');
  for (const body of ['{', 'hello', '', '{"jsonrpc":"2.0",}']) {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await server.send('/mcp', { method: 'POST', body, headers, client: newClient() });
    assertProtocolError(answer, [400, -32700], JSON.stringify(body));
    assert.equal(answer.json.id, null);
    assertOnlyVersion(answer, body);
  }
});

test('-32600: an invalid request is HTTP 400 and carries only API-Version', async () => {
  const invalid = [
    {},
    [],
    [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
    null,
    'ping',
    7,
    { id: 1, method: 'ping' },
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: 2, id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, method: 7 },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: true, method: 'ping' },
    { jsonrpc: '2.0', id: 1.5, method: 'ping' },
    { jsonrpc: '2.0', id: 9007199254740992, method: 'ping' },
    { jsonrpc: '2.0', id: -1e19, method: 'ping' },
    { jsonrpc: '2.0', id: [1], method: 'ping' },
  ];
  for (const message of invalid) {
    const answer = await call(message);
    assertProtocolError(answer, [400, -32600], JSON.stringify(message));
    assertOnlyVersion(answer, JSON.stringify(message));
  }
});

test('params is an object where it is present', async () => {
  for (const params of ['text', 7, [1]]) {
    const { status, json } = await rpc('ping', params);
    assert.ok([200, 400].includes(status));
    assert.ok([-32600, -32602].includes(json.error?.code), JSON.stringify(json));
  }
});

test('-32601: method not found', async () => {
  for (const method of [
    'no/method',
    'tools',
    'Initialize',
    'prompts/list',
    'completion/complete',
    'toString',
  ]) {
    const answer = await rpc(method);
    assertProtocolError(answer, [200, -32601], method);
    assert.equal(answer.json.id, 1);
    assertHeaders(answer, method);
  }
});

test('-32602: invalid params', async () => {
  const invalid: [string, unknown][] = [
    ['tools/call', undefined],
    ['tools/call', {}],
    ['tools/call', { name: 7 }],
    ['tools/call', { name: 'no_tool', arguments: {} }],
    ['tools/call', { name: 'constructor', arguments: {} }],
    ['tools/list', { cursor: 'unknown' }],
  ];
  for (const [method, params] of invalid) {
    const answer = await rpc(method, params);
    assertProtocolError(answer, [200, -32602], JSON.stringify(params));
    assertHeaders(answer, method);
  }
});

test('Accept is not demanded on POST', async () => {
  for (const headers of [
    {},
    { Accept: '*/*' },
    { Accept: 'application/json' },
    { Accept: 'application/json, text/event-stream' },
  ]) {
    const answer = await call({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  }
});

test('GET /mcp: the descriptor has server name, protocol version, tools and limits', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const answer = await server.send('/mcp', { client: newClient(), headers });
      assert.equal(answer.status, 200);
      assertHeaders(answer, 'GET /mcp');
      assert.equal(typeof answer.json.name, 'string');
      assert.equal(answer.json.protocolVersion, '2025-06-18');
      assert.deepEqual(
        answer.json.tools.map((tool: Json) => tool.name),
        TOOLS,
      );
      const limits = JSON.stringify(answer.json.limits);
      for (const quota of [60, 5, 20]) assert.match(limits, new RegExp(`\\b${quota}\\b`));
      assert.doesNotMatch(limits, /\b600\b/);
    }
  }
});

test('GET /mcp: 405 when the Accept header is text/event-stream', async () => {
  const server = await sharedServer('en');
  for (const Accept of [
    'text/event-stream',
    'application/json, text/event-stream',
    'text/event-stream;q=0.9',
  ]) {
    const answer = await server.send('/mcp', { client: newClient(), headers: { Accept } });
    assert.equal(answer.status, 405, Accept);
    assert.equal(answer.headers.get('allow'), 'POST, OPTIONS');
    assert.match(answer.text, /POST/);
    assertHeaders(answer, Accept);
  }
});

test('Over MCP the key of a submission is the same header, or a member of _meta', async () => {
  const server = await sharedServer('es');
  const client = newClient();
  const headers = { 'Idempotency-Key': 'one of header' };
  const first = await server.mcp(callTool('request_diagnostic', DIAGNOSTIC), { client, headers });
  const again = await server.mcp(callTool('request_diagnostic', DIAGNOSTIC), { client, headers });
  assert.deepEqual(again.json, first.json);
  const { params, ...rest } = callTool('request_diagnostic', DIAGNOSTIC);
  const message = { ...rest, params: { ...params, _meta: { 'idempotency-key': 'one of meta' } } };
  const second = await server.mcp(message, { client });
  assert.notDeepEqual(second.json, first.json);
  const replay = await server.mcp(message, { client });
  assert.deepEqual(replay.json, second.json);
  assert.match(replay.headers.get('ratelimit') ?? '', /"actions";r=3;/);
});
