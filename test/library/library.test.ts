import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as TransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import {
  createServer,
  openBrand,
  registerTools,
  type Settings,
  verifyAnswer,
} from '../../server/library/index.ts';
import { request, send } from '../mcp/mcp-messages.ts';
import { dataFolder } from '../support/example.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { DIAGNOSTIC, postForm } from '../support/submission-support.ts';
import { bodyOf, EXAMPLE, type LogLine } from '../support/support.ts';

const BASE_URL = 'http://127.0.0.1:3000';
const BRAND = `${ROOT}examples/brand.json`;
const KEYS = `${ROOT}examples/brand.jwks.json`;

/** The service as a program has it that mounts it. */
async function mounted(t: TestContext, settings: Settings = {}) {
  const lines: LogLine[] = [];
  const log = (level: string, event: string, fields = {}) => lines.push({ level, event, ...fields });
  const aval = await createServer({ BASE_URL, DATA_DIR: dataFolder(), ...settings }, { log });
  t.after(aval.close);
  return { aval, lines };
}

/** A site of node:http that answers what Aval leaves to it. */
async function site(t: TestContext, settings?: Settings) {
  const { aval, lines } = await mounted(t, settings);
  const url = await serve(t, (request, response) =>
    aval.handler(request, response, () => response.end('the site')),
  );
  return { aval, lines, url };
}

describe('createServer', () => {
  it('answers its own paths inside a server that is there already, and leaves every other to it', async t => {
    const { url, lines } = await site(t, { PUBLISH_OFF: 'home' });
    const answer = await fetch(`${url}/ask?q=precio`);
    assert.equal(answer.headers.get('api-version'), '1');
    assert.equal((await bodyOf(answer)).brand, 'Norte Claro');
    assert.equal((await postForm(`${url}/api/v1/contact`, DIAGNOSTIC)).status, 200);
    assert.equal((await send(url, request('ping'))).status, 200);
    assert.equal((await fetch(`${url}/ask`, { method: 'DELETE' })).status, 405);
    for (const path of ['/', '/about', '/ask/', '/api/v1/other']) {
      assert.equal(await (await fetch(url + path)).text(), 'the site', path);
    }
    assert.equal(lines.filter(({ event }) => event === 'request').length, 4);
  });

  it('refuses a body that the program around it has read already, and waits for nothing', {
    timeout: 60_000,
  }, async t => {
    const { aval } = await mounted(t);
    const url = await serve(t, async (request, response) => {
      for await (const _ of request);
      aval.handler(request, response, () => response.end('the site'));
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/ask`, { method: 'POST', headers, body: '{"query":"precio"}' });
    assert.deepEqual([answer.status, (await bodyOf(answer)).code], [400, 'invalid_request']);
  });

  it('answers the page of a claim whose id has accents', async t => {
    const file = join(temporaryFolder(), 'brand.json');
    const { signatures: _, questions: _questions, ...unsigned } = EXAMPLE;
    const [claim] = unsigned.claims;
    writeFileSync(file, JSON.stringify({ ...unsigned, claims: [{ ...claim, claim_id: 'clm-análisis' }] }));
    const { url } = await site(t, { BRAND_FILE: file });
    assert.match(await (await fetch(`${url}/claims/clm-análisis`)).text(), /<article class="claim">/);
  });

  it('answers from the changed profile after reload', async t => {
    const file = join(temporaryFolder(), 'brand.json');
    copyFileSync(BRAND, file);
    const { aval, url } = await site(t, { BRAND_FILE: file });
    const { signatures: _, ...unsigned } = EXAMPLE;
    writeFileSync(file, JSON.stringify({ ...unsigned, names: [{ es: 'Sur Claro' }] }));
    await aval.reload();
    assert.equal((await bodyOf(await fetch(`${url}/ask?q=precio`))).brand, 'Sur Claro');
  });
});

describe('openBrand', () => {
  it('asks a verified profile without a server', async () => {
    const brand = await openBrand(BRAND, { DATA_DIR: dataFolder(), BRAND_JWKS: KEYS });
    assert.equal(brand.verified, true);
    const { matches } = await brand.ask('¿Cuánto cuesta el diagnóstico?');
    assert.equal(matches[0]?.claim_id, 'clm-diagnostic-price');
    await brand.close();
    await assert.rejects(brand.ask('¿Qué cuesta una sesión?'), /closed/);
  });
});

describe('verifyAnswer', () => {
  it('proves what a server answered, and names what was changed in it', async t => {
    const { url } = await site(t);
    const text = await (await fetch(`${url}/ask?q=precio`)).text();
    assert.deepEqual((await verifyAnswer(text, url)).reasons, []);
    const proof = await verifyAnswer(new TextEncoder().encode(text), BRAND);
    assert.equal(proof.verified, true);
    assert.equal(proof.kids.length, 1);
    const forged = await verifyAnswer(text.replace('7.900', '900'), BRAND);
    assert.equal(forged.verified, false);
    assert.match(forged.reasons.join(), /matches\[0\]\.statement: differs from the profile/);
  });

  it('proves no answer without a match, since it claims nothing', async () => {
    const empty = JSON.stringify({ brand: 'Norte Claro', query: 'precio', matches: [] });
    const { verified, matches, reasons } = await verifyAnswer(empty, BRAND);
    assert.deepEqual([verified, matches], [false, 0]);
    assert.match(reasons.join(), /no match/);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Listed = any;

const INFO = { name: 'test', version: '1' };

/** Of each version of the SDK a server, a client, and the two ends of what joins them. */
const HOSTS = {
  v1: () => [new ServerV1(INFO), new ClientV1(INFO), TransportV1.createLinkedPair()] as const,
  v2: () => [new McpServer(INFO), new Client(INFO), InMemoryTransport.createLinkedPair()] as const,
};

for (const [version, host] of Object.entries(HOSTS)) {
  describe(`registerTools on a server of the SDK ${version}`, () => {
    it('shows the tools as /mcp does, and answers and refuses as it does', async t => {
      const { aval, url } = await site(t);
      const [server, client, [mine, theirs]] = host();
      registerTools(server, aval.tools());
      await Promise.all([server.connect(Object(theirs)), client.connect(Object(mine))]);
      t.after(() => client.close());
      const own = (await send(url, request('tools/list'))).result.tools;
      const listed: Listed[] = JSON.parse(JSON.stringify((await client.listTools()).tools));
      for (const [at, { inputSchema, outputSchema, execution: _, ...words }] of listed.entries()) {
        const { $schema: __, ...input } = inputSchema;
        const { $schema: ___, ...output } = outputSchema;
        assert.deepEqual({ ...words, inputSchema: input, outputSchema: output }, own[at]);
      }
      assert.equal(listed.length, own.length);

      const answer: Listed = await client.callTool({ name: 'ask_brand', arguments: { query: 'precio' } });
      assert.equal(answer.structuredContent.matches[0].claim_id, 'clm-diagnostic-price');
      const refused: Listed = await client.callTool({
        name: 'request_diagnostic',
        arguments: { name: 'Ana' },
      });
      assert.equal(refused.isError, true);
      const { code, issues } = JSON.parse(refused.content[0].text);
      assert.equal(code, 'validation_error');
      assert.equal(issues.length, 5);
    });
  });
}
