import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exampleBrand } from '../support/example.ts';
import { ROOT } from '../support/folder.ts';
import { EXAMPLE, startApp } from '../support/support.ts';

const SITE = 'https://norteclaro.example';
const FULL = { SECURITY_CONTACT: 'mailto:security@norteclaro.example' };

/** JSON Schemas that others wrote for what we publish; they are no part of the project. */
const SCHEMAS = `${ROOT}../shared/schemas/`;
const NO_SCHEMAS = existsSync(SCHEMAS) ? false : 'no ../shared/schemas (see its NOTICE.md for the sources)';

/** Faults of a document against the schema of that file, as text; empty where there are none. */
function schemaFaults(file: string, document: unknown): string {
  const schema = JSON.parse(readFileSync(`${SCHEMAS}${file}`, 'utf8'));
  const options = { strict: false, validateFormats: false, allErrors: true };
  const ajv = /2020-12/.test(schema.$schema) ? new Ajv2020(options) : new Ajv(options);
  if (file === 'adcp-brand.bundle.json') {
    for (const part of Object.values<object>(schema)) ajv.addSchema(part);
    // One of the documents that it describes: the Brand Canonical Document.
    const { $id } = schema['brand.json'];
    ajv.addSchema({ allOf: [{ $ref: $id }, { $ref: `${$id}#/oneOf/4` }] }, 'whole');
  } else ajv.addSchema(schema, 'whole');
  const isValid = ajv.validate(schema.$defs?.ServerCard ? 'whole#/$defs/ServerCard' : 'whole', document);
  return isValid ? '' : ajv.errorsText();
}

async function start(t: TestContext, env: Record<string, string> = {}) {
  const { url, use } = await startApp(t, { env: { ...FULL, ...env } });
  const text = async (path: string) => (await fetch(`${url}${path}`)).text();
  return { url, use, text, json: async (path: string) => JSON.parse(await text(path)) };
}

describe('the JSON Schemas that others wrote', { skip: NO_SCHEMAS }, () => {
  it('accept the server cards, the AI catalog and brand.json, at a public address and a local one', async t => {
    for (const env of [{}, { BASE_URL: SITE, PUBLISH_OFF: 'jwks,a2a,docs,home' }]) {
      const { json } = await start(t, env);
      for (const path of ['/mcp/server-card', '/.well-known/mcp.json'])
        assert.equal(schemaFaults('mcp-server-card.schema.json', await json(path)), '', path);
      const catalog = await json('/.well-known/ai-catalog.json');
      assert.equal(schemaFaults('ard-ai-catalog.schema.json', catalog), '');
      assert.equal(schemaFaults('adcp-brand.bundle.json', await json('/.well-known/brand.json')), '');
    }
  });
});

describe('the texts', () => {
  it('never claim that the signature proves truth, and say that it does not', async t => {
    const { text } = await start(t);
    for (const path of ['/llms.txt', '/AGENTS.md', '/.well-known/agent-card.json', '/.well-known/mcp.json'])
      assert.match(await text(path), /proves origin and integrity, not truth/, path);
  });

  it('say so where the profile is not signed', async t => {
    const { text, use } = await start(t);
    const { signatures: _, ...profile } = EXAMPLE;
    await use({ ...(await exampleBrand()), profile, jwks: undefined });
    assert.match(await text('/llms.txt'), /is not signed here/);
    assert.doesNotMatch(await text('/llms.txt'), /jwks/);
  });
});

describe('the files for crawlers and for people with a concern', () => {
  it('robots.txt carries a Content-Signal, the sitemap and the AI catalog', async t => {
    const { url, text } = await start(t);
    const expected = `User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n\nSitemap: ${url}/sitemap.xml\nAgentmap: ${url}/.well-known/ai-catalog.json\n`;
    assert.equal(await text('/robots.txt'), expected);
  });

  it('security.txt exists only where a contact is known, and ends with the profile', async t => {
    const { url, text } = await start(t);
    const content = await text('/.well-known/security.txt');
    const contact = 'Contact: mailto:security@norteclaro.example\nExpires: 2036-11-01T00:00:00.000Z\n';
    assert.ok(content.startsWith(`${contact}Canonical: ${url}/.well-known/security.txt\n`));
    const without = await startApp(t);
    assert.equal((await fetch(`${without.url}/.well-known/security.txt`)).status, 404);
    await assert.rejects(start(t, { SECURITY_CONTACT: 'me' }), /SECURITY_CONTACT/);
  });
});

describe('a limit that the operator changes', () => {
  it('is found in the descriptor, the texts and the OpenAPI description', async t => {
    const { text } = await start(t, { LIMITS: 'default=7/30,actions=3/7200' });
    for (const place of ['/mcp', '/llms.txt', '/AGENTS.md', '/openapi.json', '/docs']) {
      const content = await text(place);
      assert.match(content, /7 requests per 30 seconds per client/, place);
      assert.match(content, /3 submissions per 2 hours per client/, place);
      assert.doesNotMatch(content, /60 requests per minute|5 submissions per hour/, place);
    }
  });
});
