import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  assertError,
  assertHeaders,
  assertOnlyVersion,
  callTool,
  close,
  DIAGNOSTIC,
  FORMS,
  type Json,
  mailbox,
  newClient,
  PARTNER,
  profileOf,
  readJson,
  type Server,
  signedProfile,
  start,
} from './contract-fixture.ts';

/** The main sentences of the contract on three brands, each in development and in production. */
after(close);

interface Target {
  readonly what: string;
  readonly isProduction: boolean;
  readonly server: Server;
  readonly profile: Json;
}

/** One claim, without a figure and without a proof, of a firm that describes itself in one sentence. */
const SMALL = {
  id: 'smallfirm',
  names: [{ en: 'Small Firm' }],
  url: 'https://small.example',
  description: 'Small Firm repairs pipe organs.',
  claims: [
    {
      claim_id: 'clm-organs',
      statement: 'We repair pipe organs built before 1900.',
      category: 'services',
      boundary: { applicable_for: 'Churches in Ireland.', not_applicable_for: 'Electronic organs.' },
      confidence: 'medium',
      proof_ids: [],
    },
  ],
  proofs: [],
  questions: [{ text: 'Do you repair pipe organs?', claim_id: 'clm-organs', language: 'en' }],
};

let opened: Promise<Target[]> | undefined;

function targets(): Promise<Target[]> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Target[]> {
  const brands = [await profileOf('es'), await profileOf('en'), await signedProfile(SMALL)];
  const { url: smtp } = await mailbox();
  const opening = brands.flatMap(({ brand, keys }) => {
    const profile = readJson(brand);
    const files = { BRAND_FILE: brand, BRAND_JWKS: keys };
    const production = {
      NODE_ENV: 'production',
      BASE_URL: profile.url,
      SMTP_URL: smtp,
      MAIL_FROM: `post@${new URL(profile.url).hostname}`,
      MAIL_TO: 'team@brand.example',
    };
    return [false, true].map(async isProduction => ({
      what: `${profile.id} ${isProduction ? 'in production' : 'in development'}`,
      isProduction,
      profile,
      server: await start({ ...files, ...(isProduction && production) }),
    }));
  });
  return Promise.all(opening);
}

/** The same on every target, at once. */
async function onEach(probe: (target: Target) => Promise<void>): Promise<void> {
  await Promise.all((await targets()).map(probe));
}

const client = () => ({ client: newClient() });

test('/ask returns ranked matches, verbatim from the profile, with every member of a match, and no generated text', () =>
  onEach(async ({ what, server, profile }) => {
    for (const claim of profile.claims) {
      const { status, json, ...answer } = await server.post('/ask', { query: claim.statement }, client());
      assert.equal(status, 200, what);
      assertHeaders(answer, what);
      assert.deepEqual(Object.keys(json), ['brand', 'query', 'matches'], what);
      assert.equal(json.query, claim.statement.trim());
      const similarities = json.matches.map(({ similarity }: Json) => similarity);
      assert.deepEqual(
        similarities,
        similarities.toSorted((a: number, b: number) => b - a),
        what,
      );
      for (const match of json.matches) {
        const source = profile.claims.find(({ claim_id }: Json) => claim_id === match.claim_id);
        const proofIds: readonly string[] = source.proof_ids ?? [];
        assert.deepEqual(match, {
          claim_id: source.claim_id,
          statement: source.statement,
          category: source.category,
          ...(source.metric && { metric: source.metric }),
          boundary: source.boundary,
          confidence: source.confidence,
          similarity: match.similarity,
          proofs: proofIds.map(id => profile.proofs.find(({ proof_id }: Json) => proof_id === id)),
        });
      }
    }
  }));

test('/ask: 400 missing_query without a question, over GET and POST', () =>
  onEach(async ({ what, server }) => {
    for (const body of [{}, { query: '' }, { query: ' ' }])
      assertError(await server.post('/ask', body, client()), [400, 'missing_query'], what);
    for (const path of ['/ask', '/ask?q='])
      assertError(await server.send(path, client()), [400, 'missing_query'], what);
  }));

test('The forms and their aliases answer SubmitOk; mode is present outside production alone', () =>
  onEach(async ({ what, isProduction, server }) => {
    for (const { path, body } of FORMS) {
      const { status, json, ...answer } = await server.post(path, body, client());
      assert.equal(status, 200, `${what} ${path}`);
      assertHeaders(answer, what);
      assert.equal(json.ok, true);
      assert.match(json.message, /^Hemos recibido tu .*48 horas\./, what);
      assert.equal('mode' in json, !isProduction, what);
    }
  }));

test('The forms answer 400 validation_error with one issue for each invalid field, and take no slot', () =>
  onEach(async ({ what, server }) => {
    for (const { path, body } of FORMS) {
      const ask = client();
      const answer = await server.post(path, { ...body, name: 'A', email: 'nobody', more: 'x' }, ask);
      assertError(answer, [400, 'validation_error'], what);
      const fields = answer.json.issues.map((issue: string) => issue.split(':')[0]);
      assert.deepEqual(fields.toSorted(), ['email', 'more', 'name']);
      assert.equal(answer.headers.get('ratelimit-remaining'), '10', what);
      const empty = await server.post(path, {}, ask);
      assert.equal(empty.json.issues.length, Object.keys(body).length);
    }
  }));

test('/api/v1/contact takes form data; what is neither JSON nor form data is 400 invalid_request', () =>
  onEach(async ({ what, server }) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(DIAGNOSTIC).toString();
    const posted = await server.send('/api/v1/contact', { method: 'POST', headers, body, ...client() });
    assert.equal(posted.status, 200, what);
    for (const { path } of FORMS) {
      const json = { 'Content-Type': 'application/json' };
      const broken = await server.send(path, { method: 'POST', headers: json, body: '{', ...client() });
      assertError(broken, [400, 'invalid_request'], what);
    }
  }));

test('/api/v1/status answers StatusOk', () =>
  onEach(async ({ what, server }) => {
    const { status, json, ...answer } = await server.send('/api/v1/status', client());
    assert.equal(status, 200, what);
    assertHeaders(answer, what);
    assert.deepEqual(Object.keys(json), ['ok', 'status', 'service', 'api_version', 'time'], what);
    assert.deepEqual([json.ok, json.status, json.api_version], [true, 'ok', '1']);
    assert.equal(new Date(json.time).toISOString(), json.time);
  }));

test('Unknown paths are 404 not_found, wrong methods 405 with Allow, all with the headers of every response', () =>
  onEach(async ({ what, server }) => {
    const lost = await server.send('/api/v1/nothing', client());
    assertError(lost, [404, 'not_found'], what);
    assertHeaders(lost, what);
    const paths = { '/ask': 'GET, HEAD, POST, OPTIONS', '/api/v1/contact': 'POST, OPTIONS' };
    for (const [path, allow] of Object.entries(paths)) {
      const refused = await server.send(path, { method: 'DELETE', ...client() });
      assertError(refused, [405, 'method_not_allowed'], what);
      assert.equal(refused.headers.get('allow'), allow);
      assertHeaders(refused, what);
    }
  }));

test('/mcp: initialize, ping, tools/list with three tools, and a notification with an empty 202', () =>
  onEach(async ({ what, server }) => {
    const rpc = async (method: string, params: object = {}) =>
      (await server.mcp({ jsonrpc: '2.0', id: 'a', method, params }, client())).json;
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    assert.equal((await rpc('initialize', hello)).result.protocolVersion, '2025-06-18', what);
    assert.deepEqual(await rpc('ping'), { jsonrpc: '2.0', id: 'a', result: {} });
    const { tools } = (await rpc('tools/list')).result;
    const names = tools.map(({ name }: Json) => name);
    assert.deepEqual(names, ['ask_brand', 'request_diagnostic', 'apply_partner_program'], what);
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const { status, text } = await server.mcp(notification, client());
    assert.deepEqual([status, text], [202, ''], what);
    assert.equal((await rpc('no/method')).error.code, -32601);
    assert.equal((await rpc('tools/call', { name: 'no_tool', arguments: {} })).error.code, -32602);
  }));

test('/mcp: a tool gives what its endpoint gives, a failure with isError and the same body', () =>
  onEach(async ({ what, server, profile }) => {
    const query = profile.claims[0].statement;
    const asked = await server.post('/ask', { query }, client());
    const called = await server.mcp(callTool('ask_brand', { query }), client());
    assert.deepEqual(JSON.parse(called.json.result.content[0].text), asked.json, what);
    const faults: [tool: string, path: string, body: object][] = [
      ['ask_brand', '/ask', {}],
      ['request_diagnostic', '/api/v1/contact', { ...DIAGNOSTIC, email: 'nobody' }],
      ['apply_partner_program', '/api/v1/partners', { ...PARTNER, context: 'short' }],
    ];
    for (const [tool, path, body] of faults) {
      const refused = await server.post(path, body, client());
      const { result } = (await server.mcp(callTool(tool, body), client())).json;
      assert.equal(result.isError, true, `${what} ${tool}`);
      assert.deepEqual(JSON.parse(result.content[0].text), refused.json);
    }
    const { result } = (await server.mcp(callTool('request_diagnostic', DIAGNOSTIC), client())).json;
    assert.match(result.structuredContent.message, /48 horas/, what);
  }));

test('/mcp: parse errors and invalid requests are 400 with API-Version alone; an event stream is refused with 405', () =>
  onEach(async ({ what, server }) => {
    const headers = { 'Content-Type': 'application/json' };
    const broken = await server.send('/mcp', { method: 'POST', headers, body: '{', ...client() });
    assert.deepEqual([broken.status, broken.json.error.code], [400, -32700], what);
    assertOnlyVersion(broken, what);
    const invalid = await server.mcp({ id: 1, method: 'ping' }, client());
    assert.deepEqual([invalid.status, invalid.json.error.code], [400, -32600], what);
    assertOnlyVersion(invalid, what);
    const stream = await server.send('/mcp', { headers: { Accept: 'text/event-stream' }, ...client() });
    assert.equal(stream.status, 405, what);
    const descriptor = await server.send('/mcp', client());
    assert.deepEqual([descriptor.status, typeof descriptor.json.name], [200, 'string'], what);
  }));

test('Every published document exists', () =>
  onEach(async ({ what, server }) => {
    for (const path of [
      '/openapi.json',
      '/.well-known/api-catalog',
      '/.well-known/ai-catalog.json',
      '/.well-known/agent-skills/index.json',
      '/.well-known/mcp.json',
      '/.well-known/mcp/server-card.json',
      '/.well-known/agent-card.json',
      '/.well-known/brand.json',
      '/llms.txt',
      '/AGENTS.md',
    ]) {
      const document = await server.send(path, client());
      assert.equal(document.status, 200, `${what} ${path}`);
      assertHeaders(document, path);
    }
  }));
