import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { childEnvironment, nodeArguments } from '../support/child.ts';
import { startApp } from '../support/support.ts';
import { type Sdk, sdkV1, sdkV2 } from './clients/javascript.ts';

const CLIENTS = {
  'v1 client': sdkV1,
  'v2 client': sdkV2('legacy'),
  'v2 client in mode auto': sdkV2('auto'),
};

async function assertServes(t: TestContext, client: Sdk): Promise<void> {
  t.after(() => client.close());
  assert.equal(client.getServerVersion()?.name, 'aval');
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'ask_brand'));

  const answer = Object(
    await client.callTool({ name: 'ask_brand', arguments: { query: '¿Cuánto cuesta el diagnóstico?' } }),
  );
  assert.equal(answer.isError, undefined);
  assert.equal(answer.structuredContent.matches[0].claim_id, 'clm-diagnostic-price');
  assert.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);

  const refusal = Object(
    await client.callTool({ name: 'ask_brand', arguments: { query: 'precio', lang: 'es' } }),
  );
  assert.equal(refusal.isError, true);
  assert.deepEqual(JSON.parse(refusal.content[0].text).issues, ['lang: unknown field']);

  await assert.rejects(client.callTool({ name: 'ask', arguments: {} }), /-32602|unknown tool/i);
}

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(`the official ${name}`, () => {
    it('connects over HTTP, lists the tools, gets an answer and an error it can read', async t => {
      const { url, lines } = await startApp(t, { env: { LIMITS: 'default=1000/60' } });
      await assertServes(t, await connect({ url: `${url}/mcp` }));
      assert.ok(lines.every(({ status }) => Number(status) < 500));
    });

    it('connects over stdio and gets the same', async t => {
      const command = [process.execPath, ...nodeArguments('server/cli.ts', 'stdio')];
      await assertServes(t, await connect({ command, env: childEnvironment() }));
    });
  });
}
