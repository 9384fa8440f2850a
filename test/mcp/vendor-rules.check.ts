import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../support/support.ts';
import { request, send } from './mcp-messages.ts';
import { VENDORS, vendorFaults } from './vendor-rules.ts';

describe('the tools of tools/list', () => {
  for (const rules of VENDORS) {
    it(`are taken by ${rules.vendor}`, async t => {
      const { url } = await startApp(t);
      const { tools } = (await send(url, request('tools/list'))).result;
      assert.ok(tools.length >= 3);
      for (const tool of tools) assert.deepEqual(vendorFaults(tool, rules), [], tool.name);
    });
  }

  it('would be refused with what earlier releases published: examples, pattern, format, an optional field', async t => {
    const { url } = await startApp(t);
    const { tools } = (await send(url, request('tools/list'))).result;
    const tool = tools.find(({ name }: { name: string }) => name === 'ask_brand');
    const { query } = tool.inputSchema.properties;
    const faulty = [
      { ...tool, name: 'a'.repeat(40) },
      {
        ...tool,
        inputSchema: { ...tool.inputSchema, $schema: 'https://json-schema.org/draft/2020-12/schema' },
      },
      ...[{ examples: ['x'] }, { pattern: '\\S' }, { format: 'email' }, { description: 'A question.' }].map(
        more => ({
          ...tool,
          inputSchema: { ...tool.inputSchema, properties: { query: { ...query, ...more } } },
        }),
      ),
    ];
    for (const [index, tool] of faulty.entries())
      for (const rules of VENDORS)
        assert.ok(vendorFaults(tool, rules).length > 0, `${index}: ${rules.vendor}`);
    const optional = { ...tool, inputSchema: { ...tool.inputSchema, required: [] } };
    assert.equal(VENDORS.filter(rules => vendorFaults(optional, rules).length > 0).length, 2);
  });
});
