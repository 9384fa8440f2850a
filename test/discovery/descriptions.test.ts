import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { similarityMeaning } from '../../brand/retrieval/similarity.ts';
import { exampleBrand } from '../support/example.ts';
import { DIAGNOSTIC, MANY, postForm } from '../support/submission-support.ts';
import { bodyOf, post, startApp } from '../support/support.ts';

describe('the OpenAPI description', () => {
  it('has the fields that only forms take, in the form media types and not in JSON', async t => {
    const { url } = await startApp(t, { env: MANY });
    const { paths, components } = await bodyOf(await fetch(`${url}/openapi.json`));
    const { content } = paths['/api/v1/contact'].post.requestBody;
    const propertiesOf = (type: string) => {
      const schema = components.schemas[content[type].schema.$ref.split('/').at(-1)];
      assert.equal(schema.additionalProperties, false, 'a program gets a validation_error');
      return Object.keys(schema.properties);
    };
    assert.deepEqual(propertiesOf('application/json'), Object.keys(DIAGNOSTIC));
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      const properties = propertiesOf(type);
      for (const name of ['_next', '_key', '_gotcha', 'consent', 'page', 'utm_source'])
        assert.ok(properties.includes(name), `${type} ${name}`);
      const further = properties.map(name => [name, name === '_next' ? `${url}/` : 'x']);
      const form = { ...Object.fromEntries(further), ...DIAGNOSTIC };
      assert.equal((await postForm(`${url}/api/v1/contact`, form)).status, 200);
    }
  });

  it('says what a browser gets: 303 for a form post, a page for a question', async t => {
    const { url } = await startApp(t, { env: MANY });
    const { paths } = await bodyOf(await fetch(`${url}/openapi.json`));
    for (const path of ['/api/v1/contact', '/api/contact']) {
      const { responses, description } = paths[path].post;
      assert.ok(responses[303].headers.Location);
      assert.match(description, /prefers text\/html/);
      const response = await postForm(url + path, DIAGNOSTIC, { accept: 'text/html' });
      assert.deepEqual([response.status, response.headers.has('location')], [303, true]);
    }
    assert.equal(paths['/api/v1/partners'].post.responses[303], undefined, 'it takes JSON alone');
    assert.match(paths['/ask'].get.description, /prefers text\/html/);
  });

  it('fits every kind of answer: status, headers and body', async t => {
    const { url } = await startApp(t, { env: { LIMITS: 'default=9/60' } });
    const description = await bodyOf(await fetch(`${url}/openapi.json`));
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(description, 'openapi');
    const call = (method: string) => ({ jsonrpc: '2.0', id: 1, method });
    const question = description.paths['/a2a'].post.requestBody.content['application/json'].example;
    const foreign = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' };
    const large = 'x'.repeat(70_000);
    const posts: [status: number, path: string, body: unknown, headers?: Record<string, string>][] = [
      [200, '/ask', { query: 'precio' }],
      [400, '/ask', '{'],
      [200, '/api/v1/contact', DIAGNOSTIC],
      [400, '/api/contact', { ...DIAGNOSTIC, email: 'x' }],
      [403, '/api/v1/contact', DIAGNOSTIC, foreign],
      [413, '/api/v1/partners', large],
      [200, '/mcp', call('tools/list')],
      [200, '/mcp', call('unknown')],
      [202, '/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }],
      [400, '/mcp', '{'],
      [403, '/mcp', call('ping'), foreign],
      [413, '/mcp', large],
      [200, '/a2a', question, { 'a2a-version': '1.0' }],
      [200, '/a2a', question],
      [400, '/a2a', '{'],
      [413, '/a2a', large],
      ...['/ask', '/mcp', '/a2a'].flatMap(path =>
        Array.from({ length: 9 }, () => [0, path, call('ping')] as [number, string, unknown]),
      ),
      [429, '/ask', { query: 'precio' }],
      [429, '/mcp', call('ping')],
      [429, '/a2a', call('ping')],
    ];
    for (const [status, path, body, headers] of posts) {
      const response = await post(url + path, body, headers);
      const text = await response.text();
      const where = `${path} ${response.status}`;
      if (status !== 0) assert.equal(response.status, status, where);
      const described = description.paths[path].post.responses[response.status];
      for (const name of Object.keys(described.headers)) assert.ok(response.headers.has(name), where + name);
      const schema = described.content?.['application/json'].schema.$ref;
      if (schema === undefined) assert.equal(text, '', where);
      else assert.ok(ajv.validate(`openapi${schema}`, JSON.parse(text)), `${where} ${ajv.errorsText()}`);
    }
  });

  it('has no /a2a where the endpoint is switched off', async t => {
    const { url } = await startApp(t, { env: { PUBLISH_OFF: 'a2a' } });
    const { paths } = await bodyOf(await fetch(`${url}/openapi.json`));
    assert.equal(paths['/a2a'], undefined);
    assert.doesNotMatch(await (await fetch(`${url}/AGENTS.md`)).text(), /\/a2a/);
  });
});

describe('the descriptions of the members of an answer', () => {
  it('have advice for authors in the schema of brand.json alone', async t => {
    const { url } = await startApp(t);
    const openapi = await (await fetch(`${url}/openapi.json`)).text();
    const schema = await (await fetch(`${url}/schemas/brand-profile.v1.json`)).text();
    const [description, advice] = ['What was measured.', 'Use the word that people use.'];
    assert.ok(openapi.includes(JSON.stringify(description)));
    assert.ok(schema.includes(JSON.stringify(`${description} ${advice}`)));
    assert.doesNotMatch(openapi + schema, /"advice"/);
  });
});

describe('llms.txt', () => {
  it('lists /ask, the forms, MCP and the status under Endpoints', async t => {
    const { url } = await startApp(t, { env: MANY });
    const text = await (await fetch(`${url}/llms.txt`)).text();
    const [, endpoints = ''] = text.split(/## (?:Endpoints|Documents)/);
    const paths = [...endpoints.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => new URL(link).pathname);
    assert.deepEqual(paths, ['/ask', '/forms/diagnostic', '/forms/partner', '/mcp', '/api/v1/status']);
    for (const path of ['/api/v1/contact', '/api/v1/partners']) assert.ok(endpoints.includes(path), path);
  });
});

describe('the documents for agents', () => {
  it('name one reply time once, and two with their actions', async t => {
    const { url } = await startApp(t);
    const text = await (await fetch(`${url}/AGENTS.md`)).text();
    assert.match(text, /a human replies within 48 hours\. /);
    assert.doesNotMatch(text, /48 hours \(/);
  });

  it('quote no claim without its limits', async t => {
    const { url } = await startApp(t);
    const { claims } = await bodyOf(await fetch(`${url}/.well-known/brand.json`));
    const text = await (await fetch(`${url}/index.md`)).text();
    for (const { statement, boundary } of claims.slice(0, 20)) {
      const quoted = text.slice(text.indexOf(statement)).slice(0, 2000);
      assert.ok(quoted.includes(boundary.applicable_for), statement);
      assert.ok(quoted.includes(boundary.not_applicable_for), statement);
    }
  });

  it('promise no reply in Markdown where nothing that is sent reaches people', async t => {
    const { url } = await startApp(t);
    const text = await (await fetch(`${url}/index.md`, { headers: { 'accept-language': 'en' } })).text();
    assert.match(text, /forms\/diagnostic\): This website is on trial/);
    assert.doesNotMatch(text, /will reply within/);
  });

  it('draw no verdict: they say how to read a similarity', async t => {
    const { url } = await startApp(t);
    const paths = [
      '/llms.txt',
      '/AGENTS.md',
      '/openapi.json',
      '/.well-known/agent-skills/ask-brand/SKILL.md',
    ];
    for (const path of paths) {
      const text = await (await fetch(url + path)).text();
      assert.ok(text.includes(similarityMeaning(true)), path);
      assert.match(text, /`confidence` is how sure the brand is/, path);
      assert.doesNotMatch(text, /near claim|answers directly|from 0\.8 it answers/, path);
    }
  });

  it('name no chance where the model is not calibrated', async t => {
    const { url } = await startApp(t, { brand: { ...(await exampleBrand()), calibrated: false } });
    const paths = [
      '/llms.txt',
      '/AGENTS.md',
      '/openapi.json',
      '/.well-known/agent-card.json',
      '/.well-known/mcp/server-card.json',
      '/.well-known/agent-skills/index.json',
      '/.well-known/agent-skills/ask-brand/SKILL.md',
    ];
    const documents = paths.map(async path => [path, await (await fetch(url + path)).text()] as const);
    const list = await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    for (const [place, text] of [
      ...(await Promise.all(documents)),
      ['tools/list', await list.text()] as const,
    ]) {
      assert.ok(text.includes(similarityMeaning(false)), place);
      assert.doesNotMatch(text, /From 0\.8 up/, place);
    }
  });
});
