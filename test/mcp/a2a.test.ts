import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readAsked } from '../../server/run/ask-log.ts';
import { exampleBrand } from '../support/example.ts';
import { bodyOf, post, startApp } from '../support/support.ts';

const VERSION = { 'a2a-version': '1.0' };

const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: '¿Cuánto cuesta el diagnóstico?' }] };

type Options = Parameters<typeof startApp>[1];

async function start(t: TestContext, options: Options = {}) {
  const { url, lines, outbox } = await startApp(t, options);
  const send = (body: unknown, headers: Record<string, string> = VERSION, query = '') =>
    post(`${url}/a2a${query}`, body, headers);
  const call = async (method: string, params?: unknown, headers?: Record<string, string>) =>
    bodyOf(await send({ jsonrpc: '2.0', id: 'r-1', method, params }, headers));
  return { url, lines, outbox, send, call };
}

describe('SendMessage', () => {
  it('answers the words of the message with the body of /ask, as a message without a task', async t => {
    const { url, call } = await start(t);
    const { result, id, jsonrpc } = await call('SendMessage', { message: MESSAGE });
    assert.deepEqual([jsonrpc, id, Object.keys(result)], ['2.0', 'r-1', ['message']]);
    const { messageId, role, parts, ...rest } = result.message;
    assert.deepEqual([role, rest], ['ROLE_AGENT', {}]);
    assert.match(messageId, /^[0-9a-f-]{36}$/);
    const answer = await bodyOf(
      await fetch(`${url}/ask?q=${encodeURIComponent(MESSAGE.parts[0]?.text ?? '')}`),
    );
    assert.deepEqual(parts, [{ data: answer, mediaType: 'application/json' }]);
  });

  it('names its id in the error of an unexpected fault, and nothing else of it', async t => {
    const brand = await exampleBrand();
    const ask: typeof brand.ask = (query, asker) =>
      asker ? Promise.reject(new Error('secret')) : brand.ask(query);
    const { call } = await start(t, { brand: { ...brand, ask } });
    const { id, error } = await call('SendMessage', { message: MESSAGE });
    assert.deepEqual([id, error.code], ['r-1', -32603]);
    assert.doesNotMatch(JSON.stringify(error), /secret/);
  });

  it('is kept where questions are kept', async t => {
    const { call, outbox } = await start(t, { env: { ASK_LOG: 'on' } });
    await call('SendMessage', { message: MESSAGE });
    // An answer does not wait for what is kept of its question.
    while ((await readAsked(outbox.database, 0)).length === 0) await setTimeout(20);
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
});

describe('every other operation of A2A 1.0', () => {
  it('has its answer: no tasks, or the error of the specification with its details', async t => {
    const { call } = await start(t);
    const expected: Readonly<Record<string, [code: number, reason: string]>> = {
      GetTask: [-32001, 'TASK_NOT_FOUND'],
      SendStreamingMessage: [-32004, 'UNSUPPORTED_OPERATION'],
      SubscribeToTask: [-32004, 'UNSUPPORTED_OPERATION'],
      GetExtendedAgentCard: [-32004, 'UNSUPPORTED_OPERATION'],
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
    for (const version of ['', '0.3', '1', '2.0', 'x'])
      assert.equal(await codeOf({ 'a2a-version': version }), -32009);
    assert.equal(await codeOf({}), -32009);
  });
});

describe('POST /a2a', () => {
  it('answers 400 to what is no JSON-RPC request, with the rate-limit headers', async t => {
    const { send } = await start(t);
    for (const [body, code] of [
      ['{', -32700],
      ['[]', -32600],
    ] as const) {
      const response = await send(body);
      assert.equal(response.status, 400);
      assert.ok(response.headers.get('ratelimit'));
      assert.equal((await bodyOf(response)).error.code, code);
    }
    const form = await send('a=b', { ...VERSION, 'content-type': 'text/plain' });
    assert.deepEqual([form.status, (await bodyOf(form)).error.code], [400, -32600]);
  });

  it('has a limit of its own, and says when to come back', async t => {
    const { url, send, call } = await start(t, { env: { LIMITS: 'default=2/60' } });
    await call('ListTasks');
    await send('{');
    const response = await send({ jsonrpc: '2.0', id: 1, method: 'ListTasks' });
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '60']);
    const { error } = await bodyOf(response);
    assert.deepEqual([error.code, error.data[0].reason], [-32000, 'RATE_LIMITED']);
    assert.equal((await fetch(`${url}/ask?q=precio`)).status, 200);
  });
});
