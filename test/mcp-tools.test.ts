import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertConforms, callTool, request, send } from './mcp-messages.ts';
import { startApp } from './support.ts';

/** Every member name anywhere in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

describe('tools/list', () => {
  it('publishes flat schemas without the keywords that hosts reject', async t => {
    const { url } = await startApp(t);
    for (const { name, inputSchema, outputSchema } of (await send(url, request('tools/list'))).result.tools) {
      for (const schema of [inputSchema, outputSchema]) {
        assert.equal(schema.type, 'object');
        const names = new Set(namesIn(schema));
        for (const keyword of ['$schema', '$ref', '$defs', 'definitions', 'pattern', 'format']) {
          assert.ok(!names.has(keyword), `${name}: ${keyword}`);
        }
      }
      assert.equal(inputSchema.additionalProperties, false);
    }
  });
});

describe('tools/call of ask_brand', () => {
  it('says in an empty answer what the brand is, how to reach it and which action takes the question', async t => {
    const { url } = await startApp(t);
    const query = 'Portugal';
    const { matches, note } = (await send(url, callTool('ask_brand', { query }))).result.structuredContent;
    assert.deepEqual(matches, []);
    assert.match(note, /^No claim answers this\. Say so\./);
    assert.match(
      note,
      /“Consultora española .*” To ask a person: email hola@norteclaro\.example; .* request_diagnostic/,
    );
    const [tool] = (await send(url, request('tools/list'))).result.tools;
    assertConforms(tool.outputSchema, { brand: '', query, matches, note });
  });
});
