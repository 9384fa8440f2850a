import assert from 'node:assert/strict';
import { request as message } from '../mcp/mcp-messages.ts';
import type { Child } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { DIAGNOSTIC, postForm } from '../support/submission-support.ts';
import { bodyOf, post } from '../support/support.ts';

/** Starts an example. */
type Start = (env: Record<string, string>) => Child;

/** The examples of docs/library.md by their files, each with what it has to do. */
export const EXAMPLES: Readonly<Record<string, (start: Start) => Promise<void>>> = {
  'node-http': runSite,
  express: runSite,
  fastify: runSite,
  h3: runSite,
  'mcp-server': runMcpServer,
  verify: runVerify,
};

/** A site that has Aval in it: its own page stays, everything of Aval answers, SIGTERM ends it in peace. */
async function runSite(start: Start): Promise<void> {
  const port = String(await freePort());
  const child = start({ PORT: port });
  const url = (await child.until('stdout', /http:\S+\d/)).replace(/\/$/, '');
  assert.equal(url, `http://127.0.0.1:${port}`);
  assert.equal(await (await fetch(`${url}/`)).text(), '<h1>The site itself</h1>');
  const asked = await fetch(`${url}/ask?q=precio`);
  assert.equal(asked.headers.get('api-version'), '1');
  assert.ok((await bodyOf(asked)).matches.length > 0);
  assert.ok((await bodyOf(await post(`${url}/ask`, { query: 'precio' }))).matches.length > 0);
  const { result } = await bodyOf(await post(`${url}/mcp`, message('tools/list')));
  assert.ok(result.tools.some(({ name }: { name: string }) => name === 'request_diagnostic'));
  assert.equal((await postForm(`${url}/api/v1/contact`, DIAGNOSTIC)).status, 200);
  assert.equal((await bodyOf(await post(`${url}/api/v1/contact`, { name: 'A' }))).code, 'validation_error');
  child.process.kill('SIGTERM');
  const { code, stderr } = await child.ended;
  assert.equal(code, 0, stderr);
}

/** A greeting, the list of tools and these calls, over stdio. @returns the results by their place */
async function converse(child: Child, ...calls: readonly (readonly [tool: string, query: string])[]) {
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const asked = calls.map(([name, query]) => message('tools/call', { name, arguments: { query } }));
  const messages = [message('initialize', hello), message('tools/list'), ...asked];
  for (const [id, sent] of messages.entries())
    child.process.stdin.write(`${JSON.stringify({ ...sent, id })}\n`);
  const results = [];
  for (const id of messages.keys())
    results.push(JSON.parse(await child.until('stdout', new RegExp(`^.*"id":${id}\\}$`, 'm'))).result);
  child.process.stdin.end();
  const { code, stderr } = await child.ended;
  assert.equal(code, 0, stderr);
  return results;
}

const namesOf = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name);

/** An MCP server over stdio that has the tools besides its own. */
async function runMcpServer(start: Start): Promise<void> {
  const [, listed, answer] = await converse(start({}), ['ask_brand', 'precio']);
  assert.equal(answer.structuredContent.brand, 'Norte Claro');
  const tools = ['apply_partner_program', 'ask_brand', 'opening_hours', 'request_diagnostic'];
  assert.deepEqual(namesOf(listed).toSorted(), tools);
}

/** A profile and an answer, without a server. */
async function runVerify(start: Start): Promise<void> {
  const { code, stdout, stderr } = await start({}).ended;
  assert.equal(stdout, 'true clm-diagnostic-price\ntrue []\n', stderr);
  assert.equal(code, 0);
}
