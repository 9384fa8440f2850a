import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { childEnvironment, nodeArguments } from './child.ts';
import { startApp } from './support.ts';

/** Needs the network once; Node 20 runs it although it asks for 22. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

const LIST = ['--method', 'tools/list'];
const call = (args: object) => [
  '--method',
  'tools/call',
  '--tool-name',
  'ask_brand',
  '--tool-args-json',
  JSON.stringify(args),
];

/** Runs the command line of the official Inspector against a server. */
async function inspect(t: TestContext, server: readonly string[], request: readonly string[]) {
  const environment = { ...childEnvironment(t), HOME: process.env.HOME ?? '', MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const child = spawn('npx', ['-y', INSPECTOR, '--cli', ...server, ...request, '--format', 'json'], {
    env: environment,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', text => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    output.stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, ...output, result: () => JSON.parse(output.stdout).result };
}

const SERVERS: Record<string, (t: TestContext) => Promise<readonly string[]>> = {
  'over HTTP': async t => [`${(await startApp(t)).url}/mcp`, '--transport', 'http'],
  'over stdio': async () => [process.execPath, ...nodeArguments('server/cli.ts', 'stdio')],
};

for (const [way, start] of Object.entries(SERVERS)) {
  describe(`the Inspector ${way}`, () => {
    it('lists the tools: exit 0', async t => {
      const { code, result, stderr } = await inspect(t, await start(t), LIST);
      assert.equal(code, 0, stderr);
      assert.equal(result().tools[0].name, 'ask_brand');
    });

    it('asks a question: exit 0', async t => {
      const { code, result, stderr } = await inspect(
        t,
        await start(t),
        call({ query: '¿Cuánto cuesta el diagnóstico?' }),
      );
      assert.equal(code, 0, stderr);
      assert.equal(result().structuredContent.matches[0].claim_id, 'clm-diagnostic-price');
    });

    it('shows a tool error as one: exit 5', async t => {
      const { code, stdout, stderr } = await inspect(t, await start(t), call({ query: '  ' }));
      assert.equal(code, 5, stderr);
      assert.match(stdout, /missing_query/);
    });
  });
}
