import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from './child.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { request as message } from './mcp-messages.ts';
import { DIAGNOSTIC, postForm } from './submission-support.ts';
import { bodyOf, EXAMPLE, post } from './support.ts';

/** Starts an example. */
type Start = (env: Record<string, string>) => Child;

/** The examples of docs/library.md by their files, each with what it has to do. */
export const EXAMPLES: Readonly<Record<string, (start: Start) => Promise<void>>> = {
  'node-http': runSite,
  express: runSite,
  fastify: runSite,
  h3: runSite,
  'mcp-server': runMcpServer,
  'two-brands': runTwoBrands,
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
  assert.equal((await bodyOf(await post(`${url}/mcp`, message('tools/list')))).result.tools.length, 3);
  assert.equal((await postForm(`${url}/api/v1/contact`, DIAGNOSTIC)).status, 200);
  assert.equal((await bodyOf(await post(`${url}/api/v1/contact`, { name: 'A' }))).code, 'validation_error');
  child.process.kill('SIGTERM');
  const { code, stderr } = await child.ended;
  assert.equal(code, 0, stderr);
}

/** An MCP server over stdio that has the tools besides its own. */
async function runMcpServer(start: Start): Promise<void> {
  const child = start({});
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const ask = { name: 'ask_brand', arguments: { query: 'precio' } };
  const messages = [
    { ...message('initialize', hello), id: 1 },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { ...message('tools/list'), id: 2 },
    { ...message('tools/call', ask), id: 3 },
  ];
  child.process.stdin.write(messages.map(message => `${JSON.stringify(message)}\n`).join(''));
  const answer = JSON.parse(await child.until('stdout', /^.*"id":3\}$/m));
  assert.equal(answer.result.structuredContent.brand, 'Norte Claro');
  for (const name of ['opening_hours', 'ask_brand', 'request_diagnostic', 'apply_partner_program']) {
    assert.ok(child.printed.stdout.includes(`"name":"${name}"`), name);
  }
  child.process.stdin.end();
  const { code, stderr } = await child.ended;
  assert.equal(code, 0, stderr);
}

/** An MCP server over stdio with the tools of two brands, under names of their own. */
async function runTwoBrands(start: Start): Promise<void> {
  const folder = temporaryFolder();
  const file = (name: string) => {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...EXAMPLE, names: [{ es: name }], signatures: [] }));
    return join(folder, `${name}.json`);
  };
  const child = start({ ONE: file('Uno'), TWO: file('Dos') });
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const asked = (name: string) => message('tools/call', { name, arguments: { query: 'precio' } });
  const messages = [
    { ...message('initialize', hello), id: 1 },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { ...message('tools/list'), id: 2 },
    { ...asked('one_ask_brand'), id: 3 },
    { ...asked('two_ask_brand'), id: 4 },
  ];
  child.process.stdin.write(messages.map(sent => `${JSON.stringify(sent)}\n`).join(''));
  const answerTo = async (id: number) =>
    JSON.parse(await child.until('stdout', new RegExp(`^.*"id":${id}\\}$`, 'm'))).result;
  const names = (await answerTo(2)).tools.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['one_ask_brand', 'one_request_diagnostic', 'one_apply_partner_program', 'two_ask_brand']);
  assert.match((await answerTo(1)).instructions, /Uno with one_ask_brand[\s\S]*Dos with two_ask_brand/);
  assert.equal((await answerTo(3)).structuredContent.brand, 'Uno');
  assert.equal((await answerTo(4)).structuredContent.brand, 'Dos');
  child.process.stdin.end();
  const { code, stderr } = await child.ended;
  assert.equal(code, 0, stderr);
}

/** A profile and an answer, without a server. */
async function runVerify(start: Start): Promise<void> {
  const { code, stdout, stderr } = await start({}).ended;
  assert.equal(stdout, 'true clm-diagnostic-price\ntrue []\n', stderr);
  assert.equal(code, 0);
}
