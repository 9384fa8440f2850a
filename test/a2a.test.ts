import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { bodyOf, exchange, post, startApp } from './support.ts';

const VERSION = { 'a2a-version': '1.0' };

const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: '¿Cuánto cuesta el diagnóstico?' }] };

type Options = Parameters<typeof startApp>[1];

async function start(t: TestContext, options: Options = {}) {
  const { url, lines } = await startApp(t, options);
  const send = (body: unknown, headers: Record<string, string> = VERSION, query = '') =>
    post(`${url}/a2a${query}`, body, headers);
  const call = async (method: string, params?: unknown, headers?: Record<string, string>) =>
    bodyOf(await send({ jsonrpc: '2.0', id: 'r-1', method, params }, headers));
  return { url, lines, send, call };
}

describe('SendMessage', () => {
  it('answers the words of the message with the body of /ask, as a message without a task', async t => {
    const { url, call } = await start(t);
    const { result, id, jsonrpc } = await call('SendMessage', { message: MESSAGE });
    assert.deepEqual([jsonrpc, id, Object.keys(result)], ['2.0', 'r-1', ['message']]);
    const { messageId, role, parts, ...rest } = result.message;
    assert.deepEqual([role, rest], ['ROLE_AGENT', {}]);
    assert.match(messageId, /^[0-9a-f-]{36}$/);
    const answer = await bodyOf(await fetch(`${url}/ask?q=${encodeURIComponent(MESSAGE.parts[0]?.text ?? '')}`));
    assert.deepEqual(parts, [{ data: answer, mediaType: 'application/json' }]);
  });

  it('takes several text parts as the lines of one question, and keeps the context it is given', async t => {
    const { call } = await start(t);
    const message = { ...MESSAGE, contextId: 'c-1', parts: [{ text: 'precio' }, { text: 'diagnóstico' }] };
    const { result } = await call('SendMessage', { message });
    assert.equal(result.message.contextId, 'c-1');
    assert.equal(result.message.parts[0].data.query, 'precio\ndiagnóstico');
  });

  it('answers in words where the client takes no JSON', async t => {
    const { call } = await start(t);
    for (const [acceptedOutputModes, member] of [
      [[], 'data'],
      [['text/plain', 'application/json'], 'data'],
      [['text/plain'], 'text'],
    ] as const) {
      const { result } = await call('SendMessage', { message: MESSAGE, configuration: { acceptedOutputModes } });
      const [part] = result.message.parts;
      assert.ok(member in part, acceptedOutputModes.join());
      assert.equal((part.data ?? JSON.parse(part.text)).brand, 'Norte Claro');
    }
  });

  it('names every field that it cannot use as google.rpc.BadRequest', async t => {
    const { call } = await start(t);
    const cases: readonly [params: unknown, field: string][] = [
      [undefined, 'message'],
      [{}, 'message'],
      [{ message: { ...MESSAGE, messageId: '' } }, 'message.messageId'],
      [{ message: { ...MESSAGE, role: 'ROLE_AGENT' } }, 'message.role'],
      [{ message: { ...MESSAGE, parts: [] } }, 'message.parts'],
      [{ message: { ...MESSAGE, parts: [{ text: 7 }] } }, 'message.parts.0.text'],
      [{ message: { ...MESSAGE, parts: 'x' } }, 'message.parts'],
    ];
    for (const [params, field] of cases) {
      const { error } = await call('SendMessage', params);
      const [detail] = error.data;
      assert.deepEqual(
        [error.code, detail['@type'], detail.fieldViolations[0].field],
        [-32602, 'type.googleapis.com/google.rpc.BadRequest', field],
      );
    }
  });

  it('refuses what it has not: tasks, files, push notifications', async t => {
    const { call } = await start(t);
    const codes = await Promise.all(
      [
        { message: { ...MESSAGE, taskId: 't-1' } },
        { message: { ...MESSAGE, parts: [{ url: 'https://acme.example/a.pdf' }] } },
        { message: { ...MESSAGE, parts: [{ text: 'precio' }, { data: {} }] } },
        { message: MESSAGE, configuration: { taskPushNotificationConfig: { url: 'https://acme.example' } } },
      ].map(async params => (await call('SendMessage', params)).error.code),
    );
    assert.deepEqual(codes, [-32001, -32005, -32005, -32003]);
  });

  it('says that nothing is configured while no profile is loaded', async t => {
    const { call } = await start(t, { brand: null });
    const { error } = await call('SendMessage', { message: MESSAGE });
    assert.deepEqual([error.code, error.data[0].reason], [-32603, 'NOT_CONFIGURED']);
  });
});

describe('every other operation of A2A 1.0', () => {
  it('has its answer: no tasks, or the error of the specification with its details', async t => {
    const { call } = await start(t);
    const expected: Readonly<Record<string, [code: number, reason: string]>> = {
      GetTask: [-32001, 'TASK_NOT_FOUND'],
      CancelTask: [-32001, 'TASK_NOT_FOUND'],
      SendStreamingMessage: [-32004, 'UNSUPPORTED_OPERATION'],
      SubscribeToTask: [-32004, 'UNSUPPORTED_OPERATION'],
      GetExtendedAgentCard: [-32004, 'UNSUPPORTED_OPERATION'],
      CreateTaskPushNotificationConfig: [-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
      GetTaskPushNotificationConfig: [-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
      ListTaskPushNotificationConfigs: [-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
      DeleteTaskPushNotificationConfig: [-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    };
    for (const [method, [code, reason]] of Object.entries(expected)) {
      const { error } = await call(method, { id: 't-1' });
      const [{ '@type': type, reason: given, domain }] = error.data;
      assert.deepEqual([error.code, given, domain], [code, reason, 'a2a-protocol.org'], method);
      assert.equal(type, 'type.googleapis.com/google.rpc.ErrorInfo');
    }
    const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
    assert.deepEqual((await call('ListTasks')).result, empty);
    assert.deepEqual((await call('ListTasks', { pageSize: 5 })).result, { ...empty, pageSize: 5 });
    assert.equal((await call('ListTasks', { pageSize: 0 })).error.code, -32602);
    for (const unknown of ['message/send', 'toString', 'sendmessage'])
      assert.equal((await call(unknown, {})).error.code, -32601, unknown);
  });
});

describe('the version of A2A', () => {
  it('is 1.0, by header or parameter; without one the client speaks 0.3 and is told so', async t => {
    const { send } = await start(t);
    const request = { jsonrpc: '2.0', id: 1, method: 'ListTasks' };
    const codeOf = async (headers: Record<string, string>, query = '') =>
      (await bodyOf(await send(request, headers, query))).error?.code;
    for (const version of ['1.0', '1.0.1']) assert.equal(await codeOf({ 'a2a-version': version }), undefined);
    assert.equal(await codeOf({}, '?A2A-Version=1.0'), undefined);
    for (const version of ['', '0.3', '1', '2.0', 'x']) assert.equal(await codeOf({ 'a2a-version': version }), -32009);
    assert.equal(await codeOf({}), -32009);
  });
});

describe('POST /a2a', () => {
  it('answers 400 to what is no JSON-RPC request, with the rate-limit headers', async t => {
    const { send } = await start(t);
    for (const [body, code] of [
      ['{', -32700],
      [new Uint8Array([0x22, 0xff, 0x22]), -32700],
      ['[]', -32600],
      ['7', -32600],
      [{ jsonrpc: '1.0', id: 1, method: 'ListTasks' }, -32600],
    ] as const) {
      const response = await send(body);
      assert.equal(response.status, 400);
      assert.ok(response.headers.get('ratelimit'));
      assert.equal((await bodyOf(response)).error.code, code);
    }
    const form = await send('a=b', { ...VERSION, 'content-type': 'text/plain' });
    assert.deepEqual([form.status, (await bodyOf(form)).error.code], [400, -32600]);
  });

  it('refuses more than 64 KiB with 413 and goes on serving', async t => {
    const { url, send, call } = await start(t);
    const response = await send(`"${'a'.repeat(64 * 1024)}"`);
    assert.deepEqual([response.status, (await bodyOf(response)).error.code], [413, -32600]);
    const { host } = new URL(url);
    const head = `POST /a2a HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n`;
    assert.match(await exchange(url, [head, '{']), /^HTTP\/1\.1 413 /);
    assert.ok((await call('ListTasks')).result);
  });

  it('acknowledges a notification with an empty 202', async t => {
    const { send } = await start(t);
    const response = await send({ jsonrpc: '2.0', method: 'SendMessage' });
    assert.deepEqual([response.status, await response.text()], [202, '']);
  });

  it('has a limit of its own, and says when to come back', async t => {
    const { url, send, call } = await start(t, { env: { LIMIT_DEFAULT: '2/60' } });
    await call('ListTasks');
    await send('{');
    const response = await send({ jsonrpc: '2.0', id: 1, method: 'ListTasks' });
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '60']);
    const { error } = await bodyOf(response);
    assert.deepEqual([error.code, error.data[0].reason], [-32000, 'RATE_LIMITED']);
    assert.equal((await fetch(`${url}/ask?q=precio`)).status, 200);
  });

  it('is open to web pages, as /ask is, and takes no other method', async t => {
    const { url } = await start(t);
    const preflight = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
    const { headers } = await fetch(`${url}/a2a`, { method: 'OPTIONS', headers: preflight });
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(headers.get('access-control-allow-headers') ?? '', /A2A-Version/);
    const get = await fetch(`${url}/a2a`);
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS']);
  });

  it('logs no word of a question', async t => {
    const { lines, call } = await start(t);
    await call('SendMessage', { message: { ...MESSAGE, parts: [{ text: 'secreto-de-ana' }] } });
    assert.doesNotMatch(JSON.stringify(lines), /secreto/);
  });
});
