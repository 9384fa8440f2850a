import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { childEnvironment, nodeArguments } from './child.ts';
import { startApp } from './support.ts';

/** What is tested of a client, whichever its version. */
interface Connected {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  getServerVersion(): { name: string; version: string } | undefined;
  close(): Promise<void>;
}

type Connect = (t: TestContext, where: { url: string } | { env: Record<string, string> }) => Promise<Connected>;

const INFO = { name: 'test', version: '1.0.0' };

/** The command of `aval stdio` as a host would configure it. */
const stdioServer = (env: Record<string, string>) => ({
  command: process.execPath,
  args: nodeArguments('server/cli.ts', 'stdio'),
  env: childEnvironment(env),
  stderr: 'ignore' as const,
});

const v1: Connect = async (t, where) => {
  const client = new ClientV1(INFO);
  const transport = 'url' in where ? new HttpV1(new URL(`${where.url}/mcp`)) : new StdioV1(stdioServer(where.env));
  t.after(() => client.close());
  // The SDK's own types disagree under exactOptionalPropertyTypes: sessionId may be undefined in one of them.
  await client.connect(Object(transport));
  return client;
};

const v2 =
  (mode: 'legacy' | 'auto'): Connect =>
  async (t, where) => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode } });
    const transport = 'url' in where ? new HttpV2(new URL(`${where.url}/mcp`)) : new StdioV2(stdioServer(where.env));
    t.after(() => client.close());
    await client.connect(Object(transport));
    return client;
  };

const CLIENTS: Record<string, Connect> = {
  'v1 client': v1,
  'v2 client': v2('legacy'),
  'v2 client in mode auto': v2('auto'),
};

async function assertServes(client: Connected): Promise<void> {
  assert.equal(client.getServerVersion()?.name, 'aval');
  const { tools } = await client.listTools();
  assert.equal(tools[0]?.name, 'ask_brand');

  const answer = Object(
    await client.callTool({ name: 'ask_brand', arguments: { query: '¿Cuánto cuesta el diagnóstico?' } }),
  );
  assert.equal(answer.isError, undefined);
  assert.equal(answer.structuredContent.matches[0].claim_id, 'clm-diagnostic-price');
  assert.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);

  const refusal = Object(await client.callTool({ name: 'ask_brand', arguments: { query: 'precio', lang: 'es' } }));
  assert.equal(refusal.isError, true);
  assert.deepEqual(JSON.parse(refusal.content[0].text).issues, ['lang: unknown field']);

  await assert.rejects(client.callTool({ name: 'ask', arguments: {} }), /-32602|unknown tool/i);
}

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(`the official ${name}`, () => {
    it('connects over HTTP, lists the tools, gets an answer and an error it can read', async t => {
      const { url, lines } = await startApp(t, { env: { LIMIT_DEFAULT: '1000/60' } });
      await assertServes(await connect(t, { url }));
      assert.ok(lines.every(({ status }) => Number(status) < 500));
    });

    it('connects over stdio and gets the same', async t => {
      await assertServes(await connect(t, { env: {} }));
    });
  });
}
