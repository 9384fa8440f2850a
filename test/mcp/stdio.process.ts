import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { childEnvironment, type Ended, startChild } from '../support/child.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { assertResponse, callTool, request } from './mcp-messages.ts';

/** Writes the lines to `aval stdio`, ends its input and reads everything it says. */
async function speak(t: TestContext, lines: readonly unknown[], env: Record<string, string> = {}) {
  const child = startChild(t, ['server/cli.ts', 'stdio'], env);
  child.process.stdin.end(
    lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  const ended = await child.ended;
  return { ...ended, messages: messagesOf(ended) };
}

/** Standard output as messages: one JSON-RPC response a line and nothing else. */
function messagesOf({ stdout }: Ended) {
  const lines = stdout.split('\n');
  assert.equal(lines.pop(), '', 'the last line is ended');
  return lines.map(line => {
    const message = JSON.parse(line);
    assertResponse(message);
    return message;
  });
}

const QUERY = '¿Cuánto cuesta el diagnóstico?';
const ASK = callTool('ask_brand', { query: QUERY });

describe('aval stdio', { timeout: 600_000 }, () => {
  it('takes a message with U+2028 in it as one line, and answers what is broken or too long', async t => {
    const { messages } = await speak(t, [
      { ...callTool('ask_brand', { query: `precio\u2028diagnóstico` }), id: 'separated' },
      `{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"${'a'.repeat(200_000)}"}}`,
      `{"method":"ping","params":{"x":"${'a'.repeat(11_000_000)}"},"jsonrpc":"2.0","id":"longer"}`,
      '{"jsonrpc":"2.0","id":"broken',
      { jsonrpc: '2.0', id: 'of no method' },
      { ...request('ping'), id: null },
      { ...request('ping'), id: 'after' },
    ]);
    const byId = new Map(messages.map(message => [message.id, message]));
    assert.equal(messages.length, 7);
    assert.match(byId.get('separated').result.structuredContent.query, /diagnóstico/);
    for (const id of ['long', 'longer', 'of no method']) assert.equal(byId.get(id).error.code, -32600, id);
    const ofNull = messages.filter(({ id }) => id === null);
    assert.deepEqual(ofNull.map(({ error }) => error?.code).toSorted(), [-32700, undefined]);
    assert.deepEqual(byId.get('after').result, {});
  });

  it('answers a message that is too long once, and no notification or response', async t => {
    const long = 'a'.repeat(70_000);
    const { messages } = await speak(t, [
      { ...request('notifications/progress', { long }), id: undefined },
      { ...request('no/such/notification', { long }), id: undefined },
      { jsonrpc: '2.0', id: 'answer', result: { long } },
      { jsonrpc: '2.0', id: 'refusal', error: { code: 1, message: long } },
      ' '.repeat(70_000),
      { ...request('no/such/method', { long }), id: 'request' },
      [{ ...request('ping', { long }), id: 'batch' }],
      { ...request('ping'), id: 'after' },
    ]);
    const answers = messages.map(({ id, error }) => [id, error?.code]);
    assert.deepEqual(answers, [
      ['request', -32600],
      [null, -32600],
      ['after', undefined],
    ]);
  });

  it('answers every request under way when its input ends at once', async t => {
    const questions = Array.from({ length: 50 }, (_, id) => ({
      ...callTool('ask_brand', { query: `precio ${id}` }),
      id,
    }));
    const { code, messages } = await speak(t, [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      ...questions,
    ]);
    assert.equal(code, 0);
    assert.equal(messages.length, 50, 'the notification has no answer');
    assert.equal(new Set(messages.map(({ id }) => id)).size, 50);
    for (const { id, result } of messages) assert.equal(result.structuredContent.query, `precio ${id}`);
  });

  it('holds the limit of one client: what is above it gets -32000 with the wait', async t => {
    const questions = Array.from({ length: 6 }, (_, id) => ({ ...ASK, id }));
    const { messages } = await speak(t, questions, { LIMITS: 'default=4/3600' });
    const refused = messages.filter(({ error }) => error);
    assert.equal(refused.length, 2);
    for (const { id, error } of refused) {
      assert.ok(id === 4 || id === 5);
      assert.equal(error.code, -32000);
      assert.match(error.message, /Wait 3600 seconds/);
      assert.doesNotMatch(error.message, /https?:/, 'nothing listens at an address of this process');
      assert.equal(error.data.code, 'rate_limited');
    }
  });

  it('answers an action over its hourly limit with -32000 too', async t => {
    const texts = ['uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis'];
    const calls = texts.map(text => ({ ...DIAGNOSTIC, context: `${DIAGNOSTIC.context} ${text}` }));
    const lines = calls.map((input, id) => ({ ...callTool('request_diagnostic', input), id }));
    const { messages } = await speak(t, lines);
    const refused = messages.filter(({ error }) => error);
    assert.deepEqual(
      refused.map(({ error }) => [error.code, error.data.code]),
      [[-32000, 'rate_limited']],
    );
  });

  it('answers while its input stays open, and prints notes on standard error only', async t => {
    const child = startChild(t, ['server/cli.ts', 'stdio']);
    child.process.stdin.write(`${JSON.stringify(request('ping'))}\n`);
    await child.until('stdout', /"result":\{\}.*\n/);
    child.process.stdin.end();
    const { code, stderr } = await child.ended;
    assert.equal(code, 0);
    for (const line of stderr.trimEnd().split('\n')) assert.ok(JSON.parse(line).event, line);
  });

  it('starts with an unusable profile, and the failure of each tool names setting, file and mend', async t => {
    const folder = childEnvironment().DATA_DIR ?? '';
    const [broken, missing] = ['brand.json', 'none.json'].map(name => join(folder, name));
    await writeFile(broken ?? '', '{"profile":"brand-profile/1"');
    for (const file of [broken, missing]) {
      const calls = [
        { ...request('tools/list'), id: 1 },
        { ...ASK, id: 2 },
        { ...callTool('request_diagnostic', DIAGNOSTIC), id: 3 },
      ];
      const { code, messages, stderr } = await speak(t, calls, { BRAND_FILE: file ?? '' });
      assert.equal(code, 0);
      const { tools } = messages.find(({ id }) => id === 1).result;
      assert.ok(tools.some(({ name }: { name: string }) => name === 'request_diagnostic'));
      for (const { result } of messages.filter(({ id }) => id > 1)) {
        const { code: kind, error, hint } = JSON.parse(result.content[0].text);
        assert.deepEqual([result.isError, kind], [true, 'not_configured']);
        assert.ok(error.startsWith(`BRAND_FILE (${file}) cannot be used: `), error);
        assert.ok(hint.includes(`aval check ${file}`), hint);
      }
      assert.ok(stderr.includes(`${file}`), stderr);
      assert.doesNotMatch(stderr, /\n +at /);
    }
  });
});
