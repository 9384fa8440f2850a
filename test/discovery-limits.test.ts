import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyOf, post, startApp } from './support.ts';

describe('a limit that the operator changes', () => {
  it('is found in the descriptor, the texts and the OpenAPI description', async t => {
    const { url } = await startApp(t, { env: { LIMIT_DEFAULT: '7/30', LIMIT_ACTIONS: '3/7200' } });
    const text = async (path: string) => (await fetch(`${url}${path}`)).text();
    const places = {
      'GET /mcp': await text('/mcp'),
      '/llms.txt': await text('/llms.txt'),
      '/AGENTS.md': await text('/AGENTS.md'),
      '/openapi.json': await text('/openapi.json'),
      '/docs': await text('/docs'),
    };
    for (const [place, content] of Object.entries(places)) {
      assert.match(content, /7 requests per 30 seconds per client/, place);
      assert.match(content, /3 submissions per 2 hours per client/, place);
      assert.doesNotMatch(content, /60 requests per minute|5 submissions per hour/, place);
    }
  });

  it('is the limit that is kept', async t => {
    const { url } = await startApp(t, { env: { LIMIT_DEFAULT: '7/30' } });
    const statuses: number[] = [];
    for (let index = 0; index < 8; index += 1) statuses.push((await fetch(`${url}/api/v1/status`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 429]);
  });
});

describe('the bounds of a field', () => {
  it('are the same in tools/list, the server card, the skill, AGENTS.md and the OpenAPI description', async t => {
    const { url } = await startApp(t);
    const listed = await bodyOf(await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    const card = await bodyOf(await fetch(`${url}/.well-known/mcp.json`));
    const openapi = await (await fetch(`${url}/openapi.json`)).text();
    const page = await (await fetch(`${url}/AGENTS.md`)).text();
    for (const [index, tool] of listed.result.tools.entries()) {
      for (const [name, field] of Object.entries<Record<string, unknown>>(tool.inputSchema.properties)) {
        const shown = card.tools[index].inputSchema.properties[name];
        assert.deepEqual([shown.minLength, shown.maxLength], [field.minLength, field.maxLength], name);
        assert.ok(page.includes(`${field.maxLength} characters`), `${name} in AGENTS.md`);
        assert.ok(
          openapi.includes(`"maxLength": ${field.maxLength}`) || openapi.includes(`"maxLength":${field.maxLength}`),
        );
      }
    }
  });
});
