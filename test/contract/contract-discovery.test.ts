import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import canonicalize from 'canonicalize';
import { createLocalJWKSet, flattenedVerify } from 'jose';
import { RPC } from '../../tools/protocol.ts';
import { mirrors, modern } from '../mcp/mcp-modern-messages.ts';
import {
  type Answer,
  assertHeaders,
  BRANDS,
  close,
  FIELDS,
  type Json,
  newClient,
  profileOf,
  QUESTIONS,
  readJson,
  type Server,
  sharedServer,
  signedProfile,
  start,
} from './contract-fixture.ts';

after(close);

const DOCUMENTS: Record<string, RegExp> = {
  '/openapi.json': /^application\/(vnd\.oai\.openapi\+)?json/,
  '/.well-known/api-catalog': /^application\/linkset\+json/,
  '/.well-known/ai-catalog.json': /^application\/([a-z.-]+\+)?json/,
  '/.well-known/agent-skills/index.json': /^application\/json/,
  '/.well-known/mcp.json': /^application\/([a-z.-]+\+)?json/,
  '/.well-known/mcp/server-card.json': /^application\/([a-z.-]+\+)?json/,
  '/.well-known/agent-card.json': /^application\/([a-z0-9.-]+\+)?json/,
  '/.well-known/brand.json': /^application\/json/,
  '/llms.txt': /^text\/(plain|markdown)/,
  '/AGENTS.md': /^text\/markdown/,
};

for (const [path, type] of Object.entries(DOCUMENTS)) {
  test(`${path} is published, parses, and is cached`, async () => {
    for (const name of BRANDS) {
      const server = await sharedServer(name);
      const answer = await server.send(path);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', type);
      if (!path.endsWith('.txt') && !path.endsWith('.md')) assert.equal(typeof answer.json, 'object');
      assertHeaders(answer, path);
      assert.match(answer.headers.get('cache-control') ?? '', /public, max-age=3600/);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      const etag = answer.headers.get('etag') ?? '';
      assert.match(etag, /^"[^"]+"$/);
      const head = await server.send(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag]);
      assert.doesNotMatch(
        answer.text,
        /0\.0\.0\.0|undefined|\[object|\{base_url\}/,
        'an address that nobody can reach',
      );
    }
  });
}

/** Every address of this server that a text names. */
const addresses = (server: Server, text: string): Set<string> =>
  new Set(text.match(new RegExp(`${server.url}[^\\s"'<>)\\]\`{},]*`, 'g')) ?? []);

/** Asks for an address as its kind wants to be asked. */
async function visit(server: Server, address: string): Promise<Answer> {
  const path = address.slice(server.url.length).replace(/[.,;:]$/, '') || '/';
  return server.send(path, { client: newClient() });
}

test('Every address that a published document names exists', async () => {
  const server = await sharedServer('en');
  const named = new Set<string>();
  for (const path of Object.keys(DOCUMENTS)) {
    for (const address of addresses(server, (await server.send(path)).text)) named.add(address);
  }
  assert.ok(named.size > 10, `${named.size} addresses`);
  for (const address of named) {
    const { status } = await visit(server, address);
    assert.ok(status < 500 && status !== 404, `${address}: ${status}`);
  }
});

/** The OpenAPI description of the English brand. */
const description = async (): Promise<Json> => (await (await sharedServer('en')).send('/openapi.json')).json;

test('The OpenAPI 3.1 description has every endpoint with its methods and answers', async () => {
  const json = await description();
  assert.match(json.openapi, /^3\.1\./);
  const expected: Record<string, string[]> = {
    'post /ask': ['200', '400', '429', '503'],
    'get /ask': ['200', '400', '429'],
    'post /api/v1/contact': ['200', '400', '429', '500'],
    'post /api/contact': ['200', '400', '429', '500'],
    'post /api/v1/partners': ['200', '400', '429', '500'],
    'post /api/partners': ['200', '400', '429', '500'],
    'get /api/v1/status': ['200', '429'],
    'post /mcp': ['200', '202', '400', '429'],
    'get /mcp': ['200', '405'],
  };
  for (const [operation, codes] of Object.entries(expected)) {
    const [method = '', path = ''] = operation.split(' ');
    const { responses } = json.paths[path][method];
    for (const code of codes) assert.ok(responses[code], `${operation}: ${code}`);
  }
  const described = operationsOf(json).map(({ method, path }) => `${method} ${path}`);
  // Beyond the contract, and switched off by PUBLISH_OFF=a2a.
  const beyond = described.filter(operation => operation === 'post /a2a');
  assert.deepEqual(described.toSorted(), [...Object.keys(expected), ...beyond].toSorted());
});

/** Every operation with its path and method. */
const operationsOf = ({ paths }: Json) =>
  Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, { responses }]) => ({ path, method, responses })),
  );

test('The OpenAPI description shows the rate-limit headers and API-Version on every response but the 400 of POST /mcp', async () => {
  const json = await description();
  const five = ['RateLimit-Policy', 'RateLimit', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
  for (const { path, method, responses } of operationsOf(json))
    for (const [status, { headers }] of Object.entries<Json>(responses)) {
      const where = `${method} ${path} ${status}`;
      assert.ok('API-Version' in headers, where);
      for (const name of five) assert.equal(name in headers, where !== 'post /mcp 400', `${where} ${name}`);
      assert.equal('Retry-After' in headers, status === '429', where);
      assert.equal('Allow' in headers, status === '405', where);
    }
});

test('The OpenAPI description names the methods and the error codes that /mcp has, no more and no fewer', async () => {
  const server = await sharedServer('en');
  const { JsonRpcRequest, JsonRpcError } = (await server.send('/openapi.json')).json.components.schemas;
  const said = async (message: Json, headers = {}) =>
    (await server.mcp(message, { headers, client: newClient() })).json.error.message;
  const message = modern('x');
  const both = [await said({ jsonrpc: '2.0', id: 1, method: 'x' }), await said(message, mirrors(message))];
  const named = new Set(both.flatMap(text => text.match(/initialize|ping|[a-z]+\/[a-z]+/g) ?? []));
  assert.deepEqual([...named].sort(), JsonRpcRequest.properties.method.enum.toSorted());
  const codes = JsonRpcError.properties.error.properties.code.enum;
  assert.deepEqual(codes.toSorted(), Object.values(RPC).toSorted());
});

test('The OpenAPI description needs no authentication, and has the bounds of a message id', async () => {
  const json = await description();
  assert.deepEqual(json.security ?? [], []);
  assert.equal(json.components.securitySchemes, undefined);
  const { minimum, maximum } = json.components.schemas.JsonRpcRequest.properties.id;
  assert.deepEqual([minimum, maximum], [-9007199254740991, 9007199254740991]);
});

test('The OpenAPI description has the field rules of the contract', async () => {
  const json = await description();
  const { schemas } = json.components;
  const rules = { DiagnosticRequest: FIELDS.diagnostic, PartnerRequest: FIELDS.partner };
  for (const [schema, fields] of Object.entries(rules)) {
    const { properties, required, additionalProperties } = schemas[schema];
    assert.equal(additionalProperties, false);
    assert.deepEqual(required.toSorted(), Object.keys(fields).toSorted());
    assert.equal(properties.email.format, 'email');
    for (const [field, [min, max]] of Object.entries(fields)) {
      const { minLength, maxLength } = properties[field];
      assert.deepEqual([field === 'email' ? 0 : minLength, maxLength], [min, max], field);
    }
  }
  assert.deepEqual(
    [schemas.AskRequest.required, schemas.AskRequest.additionalProperties],
    [['query'], false],
  );
  assert.deepEqual(schemas.StatusOk.required.toSorted(), ['api_version', 'ok', 'service', 'status', 'time']);
  assert.deepEqual(schemas.SubmitOk.required.toSorted(), ['message', 'ok']);
});

/** The examples of a media type, whichever of the two ways writes them. */
const examplesOf = ({ example, examples }: Json): Json[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples ?? {}).map((one: Json) => one.value),
];

test('Every example request of the OpenAPI description is accepted', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    const { json } = await server.send('/openapi.json');
    for (const path of ['/ask', '/api/v1/contact', '/api/v1/partners']) {
      const examples = examplesOf(json.paths[path].post.requestBody.content['application/json']);
      // A brand without questions of its own has no example question.
      if (path !== '/ask' || name === 'es') assert.ok(examples.length > 0, path);
      for (const example of examples) {
        const { status, text } = await server.post(path, example, { client: newClient() });
        assert.equal(status, 200, `${path}: ${text}`);
      }
    }
  }
});

/** The answers to a question that a document prints. */
const printedAnswers = (text: string): Json[] =>
  [...text.matchAll(/```json\n([\s\S]*?)```/g)]
    .map(([, block = '']) => JSON.parse(block))
    .filter(({ matches }) => matches);

test('A published example answer is what the service gives', async () => {
  const wrong = { text: QUESTIONS.en.query, language: 'en', claim_id: 'clm-price' };
  const { brand, keys } = await signedProfile({ questions: [wrong] });
  const misled = await start({ BRAND_FILE: brand, BRAND_JWKS: keys });
  for (const server of [await sharedServer('es'), await sharedServer('en'), misled]) {
    const { json: openapi } = await server.send('/openapi.json');
    const described = examplesOf(openapi.paths['/ask'].post.responses[200].content['application/json']);
    const printed = printedAnswers((await server.send('/AGENTS.md')).text);
    if (server === (await sharedServer('es'))) assert.ok(described.length > 0);
    for (const example of [...described, ...printed]) {
      const { json } = await server.post('/ask', { query: example.query }, { client: newClient() });
      assert.equal(example.brand, json.brand);
      assert.deepEqual(example.matches[0], json.matches[0], example.query);
    }
  }
  await misled.stop();
});

test('The API catalog is a linkset whose status link is /api/v1/status', async () => {
  const server = await sharedServer('en');
  const { json } = await server.send('/.well-known/api-catalog');
  const links: Json[] = json.linkset;
  assert.ok(links.length > 0);
  const hrefs = links.flatMap(link => (link.status ?? []).map(({ href }: Json) => href));
  assert.ok(hrefs.includes(`${server.url}/api/v1/status`));
});

test('Each agent skill of the index exists and has its digest', async () => {
  const server = await sharedServer('en');
  const { json } = await server.send('/.well-known/agent-skills/index.json');
  assert.equal(json.skills.length, 3);
  for (const { name, description, url, digest } of json.skills) {
    const { status, text } = await server.send(new URL(url, server.url).pathname);
    assert.equal(status, 200);
    assert.match(text, new RegExp(`^---\\n[\\s\\S]*?name: "?${name}"?\\n`));
    assert.ok(description.length > 0);
    assert.equal(digest, `sha256:${createHash('sha256').update(text).digest('hex')}`);
  }
});

test('MCP discovery leads to a server that speaks 2025-06-18', async () => {
  const server = await sharedServer('en');
  for (const path of ['/.well-known/mcp.json', '/.well-known/mcp/server-card.json']) {
    const { json, text } = await server.send(path);
    assert.ok(text.includes('2025-06-18'), path);
    const [{ type, url }] = json.remotes;
    assert.deepEqual([type, url], ['streamable-http', `${server.url}/mcp`]);
  }
});

test('The agent card names an agent that answers', async () => {
  const server = await sharedServer('en');
  const { json } = await server.send('/.well-known/agent-card.json');
  assert.equal(json.name, QUESTIONS.en.brand);
  assert.ok(json.skills.length > 0);
  const [{ url }] = json.supportedInterfaces;
  const message = { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: QUESTIONS.en.query }] };
  const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
  const answer = await server.post(new URL(url).pathname, call, { headers: { 'A2A-Version': '1.0' } });
  assert.equal(answer.status, 200);
  assert.match(answer.text, new RegExp(QUESTIONS.en.claim));
});

test('The brand profile is published as it was signed, and its signature verifies with the published keys', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    const { json } = await server.send('/.well-known/brand.json');
    assert.deepEqual(json, readJson((await profileOf(name)).brand));
    const { signatures, ...document } = json;
    const keys = createLocalJWKSet((await server.send('/.well-known/jwks.json')).json);
    const bytes = (value: unknown) => Buffer.from(canonicalize(value) ?? '').toString('base64url');
    for (const { protected: header, signature } of signatures) {
      await flattenedVerify({ protected: header, signature, payload: bytes(document) }, keys);
      const changed = bytes({ ...document, url: 'https://other.example' });
      await assert.rejects(flattenedVerify({ protected: header, signature, payload: changed }, keys));
    }
  }
});

test('llms.txt begins with the brand and links the other documents', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    const { text } = await server.send('/llms.txt');
    assert.ok(text.startsWith(`# ${QUESTIONS[name].brand}\n`));
    for (const path of ['/openapi.json', '/.well-known/brand.json', '/AGENTS.md', '/mcp'])
      assert.ok(text.includes(server.url + path), path);
  }
});

test('The documents say the limits of the contract and no others', async () => {
  const server = await sharedServer('en');
  for (const path of ['/llms.txt', '/AGENTS.md', '/openapi.json', '/docs']) {
    const { text } = await server.send(path, { headers: { Accept: '*/*' } });
    for (const limit of [
      '60 requests per minute',
      '10 submissions per hour',
      '5 submissions per hour',
      '20 submissions per hour',
    ]) {
      assert.ok(text.includes(limit), `${path}: ${limit}`);
    }
    assert.doesNotMatch(text, /\b600 requests|\b500 submissions/, path);
  }
});

test('The documents say that a human replies within 48 hours and that no payments are processed', async () => {
  const server = await sharedServer('en');
  for (const path of ['/llms.txt', '/AGENTS.md']) {
    const { text } = await server.send(path);
    assert.match(text, /48 hours/, path);
    assert.match(text, /payments/, path);
  }
});

test('The documents name every error code', async () => {
  const { text } = await (await sharedServer('en')).send('/openapi.json');
  const codes = [
    ...['validation_error', 'invalid_request', 'missing_query', 'not_found', 'method_not_allowed'],
    ...['rate_limited', 'delivery_failed', 'not_configured'],
  ];
  for (const code of codes) assert.ok(text.includes(code), code);
});

test('The OpenAPI description says nothing of form data where JSON alone is taken', async () => {
  const json = await description();
  const partners = json.paths['/api/v1/partners'].post;
  assert.deepEqual(Object.keys(partners.requestBody.content), ['application/json']);
  assert.doesNotMatch(JSON.stringify(partners.responses[400]), /form data/);
  const contact = json.paths['/api/v1/contact'].post;
  assert.deepEqual(Object.keys(contact.requestBody.content).toSorted(), [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ]);
});

test('An English brand asks nothing in Spanish', async () => {
  const server = await sharedServer('en');
  for (const path of ['/', ...Object.keys(DOCUMENTS)]) {
    const { text } = await server.send(path, { headers: { 'Accept-Language': 'en', Accept: '*/*' } });
    assert.doesNotMatch(text, /¿|What is behind/, path);
  }
});
