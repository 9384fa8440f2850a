import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { similarityMeaning } from '../../brand/retrieval/similarity.ts';
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
  it('takes a message with U+2028 in it as one line, and answers each broken or overlong request once', async t => {
    const long = 'a'.repeat(70_000);
    // More than the SDK reads as one message.
    const longer = 'a'.repeat(11_000_000);
    const { messages } = await speak(t, [
      { ...callTool('ask_brand', { query: `precio\u2028diagnóstico` }), id: 'separated' },
      `{"method":"ping","params":{"x":"${longer}"},"jsonrpc":"2.0","id":"long"}`,
      `{"method":"ping","params":{"x":"${longer}${longer}"},"jsonrpc":"2.0","id":"beyond what is kept"}`,
      '{"jsonrpc":"2.0","id":"broken',
      { jsonrpc: '2.0', id: 'of no method' },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { longer } },
      { jsonrpc: '2.0', id: 'answer', result: { long } },
      ' '.repeat(70_000),
      { ...request('ping'), id: null },
      { ...request('ping'), id: 'after' },
    ]);
    const answers = messages.map(({ id, error, result }) => [id, error?.code ?? Object.keys(result)]);
    assert.deepEqual(answers.toSorted(), [
      [null, []],
      [null, -32600],
      [null, -32700],
      ['after', []],
      ['long', -32600],
      ['of no method', -32600],
      ['separated', ['content', 'structuredContent']],
    ]);
  });

  it('lists its tools without a chance where EMBEDDING_MODEL names a model', async t => {
    const { messages } = await speak(t, [request('tools/list')], { EMBEDDING_MODEL: 'any/model' });
    const [ask] = messages[0]?.result.tools ?? [];
    assert.ok(ask?.description.includes(similarityMeaning(false)), ask?.description);
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

  it('answers above the limits of its one client with -32000 and the wait: all requests, and actions', async t => {
    const questions = Array.from({ length: 6 }, (_, id) => ({ ...ASK, id }));
    const actions = questions.map(({ id }) => ({ ...callTool('request_diagnostic', DIAGNOSTIC), id }));
    for (const [lines, env] of [
      [questions, { LIMITS: 'default=5/3600' }],
      [actions, {}],
    ] as const) {
      const { messages } = await speak(t, lines, env);
      const [refused, ...others] = messages.filter(({ error }) => error);
      assert.deepEqual([refused.error.code, refused.error.data.code, others], [-32000, 'rate_limited', []]);
      assert.match(refused.error.message, /Wait \d+ seconds/);
      assert.doesNotMatch(refused.error.message, /https?:/, 'nothing listens at an address of this process');
    }
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
