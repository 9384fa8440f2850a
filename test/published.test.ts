// contract: 1.2, 9
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ServedBrand } from '../server/run/served-brand.ts';
import { TYPES } from './discovery-support.ts';
import { describedBy, operationsOf } from './openapi-support.ts';
import { initedBrand, mailbox } from './published-support.ts';
import { bodyOf, exampleBrand, PRODUCTION, post, startApp } from './support.ts';

/**
 * The published sentences that a machine can check, held against the server that publishes them: each test reads the
 * documents as an agent would, and does what they say.
 */

interface Setting {
  readonly title: string;
  readonly baseUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly brand: () => Promise<ServedBrand>;
}

const LOCAL = { title: 'in development', baseUrl: 'https://norteclaro.example', env: {}, brand: exampleBrand };
const OTHER_LIMITS = {
  LIMIT_DEFAULT: '90/30',
  LIMIT_SUBMISSIONS: '4/600',
  LIMIT_ACTIONS: '2/900',
  LIMIT_ACTIONS_SERVICE: '7/7200',
};
const SETTINGS: readonly Setting[] = [
  LOCAL,
  {
    ...LOCAL,
    title: 'in production',
    // Of this machine: in production no other name than that of BASE_URL is let in.
    baseUrl: 'http://127.0.0.1:8787',
    env: PRODUCTION,
  },
  { ...LOCAL, title: 'without A2A', env: { PUBLISH_OFF: 'a2a' } },
  { ...LOCAL, title: 'with other limits', env: OTHER_LIMITS },
  { title: 'of another brand', baseUrl: 'https://faro.example', env: OTHER_LIMITS, brand: initedBrand },
];

const PERSON = {
  name: 'Ana Ruiz',
  email: 'ana@example.org',
  company: 'Conservas',
  country: 'España',
  context: 'El margen baja.',
};
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ask_brand: { query: 'precio' },
  request_diagnostic: { ...PERSON, role: 'Directora' },
  apply_partner_program: { ...PERSON, size: '3 a 5', level: 'No estoy seguro' },
};

async function start(t: TestContext, { baseUrl, env, brand }: Setting) {
  const mails = mailbox();
  const app = await startApp(t, { env: { BASE_URL: baseUrl, ...env }, brand: await brand(), mailer: mails.mailer });
  const off = new Set(env.PUBLISH_OFF?.split(','));
  const paths = [...Object.keys(TYPES).filter(path => !/security/.test(path)), '/mcp'];
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await (await fetch(app.url + path)).text());
  return {
    ...app,
    baseUrl,
    mails,
    off,
    texts,
    page: (path: string) => texts.get(path) ?? '',
    /** A request when all limits are free again. */
    async fresh(path: string, init?: RequestInit): Promise<Response> {
      app.clock.advance(8000);
      return fetch(app.url + path, init);
    },
    async send(path: string, body: unknown, headers?: Record<string, string>): Promise<Response> {
      app.clock.advance(8000);
      return post(app.url + path, body, headers);
    },
  };
}

type Walk = Awaited<ReturnType<typeof start>>;

const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const call = (name: string, input: object) => rpc('tools/call', { name, arguments: input });

/** The policies of a response: name to `quota/seconds`. */
function policiesOf({ headers }: Response): Map<string, string> {
  const shown = (headers.get('ratelimit-policy') ?? '').matchAll(/"([\w-]+)";q=(\d+);w=(\d+)/g);
  return new Map([...shown].map(([, name = '', quota, seconds]) => [name, `${quota}/${seconds}`]));
}

const UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };
const LIMIT = /(\d+) (requests|submissions) per (?:(\d+) )?(second|minute|hour|day)s? (per client|service-wide)/g;

async function checkLimits({ texts, send, fresh, off }: Walk): Promise<void> {
  const ask = policiesOf(await fresh('/ask?q=precio'));
  const forms = policiesOf(await send('/api/v1/contact', {}));
  const actions = policiesOf(await send('/mcp', call('request_diagnostic', {})));
  const allowed: Readonly<Record<string, readonly (string | undefined)[]>> = {
    'requests per client': [ask.get('default'), ask.get('default')?.replace(/^\d+/, quota => `${10 * Number(quota)}`)],
    'submissions per client': [forms.get('submissions'), actions.get('actions')],
    'submissions service-wide': [
      actions.get('actions-service'),
      forms.get('submissions')?.replace(/^\d+/, quota => `${50 * Number(quota)}`),
    ],
  };
  let found = 0;
  for (const [path, text] of texts)
    for (const [sentence, quota, what, count = '1', unit = '', per] of text.matchAll(LIMIT)) {
      found += 1;
      const stated = `${quota}/${Number(count) * (UNITS[unit] ?? 0)}`;
      assert.ok(allowed[`${what} ${per}`]?.includes(stated), `${path}: ${sentence}`);
    }
  assert.ok(found > 40, `${found} limits`);
  for (const [path, text] of texts) if (off.has('a2a')) assert.doesNotMatch(text, /\/a2a/, path);
}

/** Every `METHOD /path` of a text, tables included. */
function endpointsOf(text: string, baseUrl: string): string[] {
  const plain = text.replaceAll(baseUrl, '').replaceAll('&amp;', '&');
  const inline = [...plain.matchAll(/\b(GET|POST|HEAD|OPTIONS) (\/[\w./-]*)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const rows = [...plain.matchAll(/^\| (GET|POST) \| ([^|]+) \|/gm)].flatMap(([, method, cell = '']) =>
    [...cell.matchAll(/`(\/[^`]*)`/g)].map(([, path]) => `${method} ${path}`),
  );
  return [...inline, ...rows].map(endpoint => endpoint.replace(/\.$/, ''));
}

async function checkEndpoints({ texts, url, fresh, baseUrl }: Walk): Promise<void> {
  const endpoints = new Set([...texts.values()].flatMap(text => endpointsOf(text, baseUrl)));
  assert.ok(endpoints.size >= 9, [...endpoints].join());
  for (const endpoint of endpoints) {
    const [method = '', path = ''] = endpoint.split(' ');
    const { status, headers } = await fresh(path, { method: 'OPTIONS' });
    assert.equal(status, 204, `${endpoint} at ${url}`);
    assert.ok(headers.get('allow')?.split(', ').includes(method), endpoint);
  }
}

async function checkSizes({ page, send }: Walk): Promise<void> {
  for (const [, cell = '', size] of page('/AGENTS.md').matchAll(/^\| POST \| ([^|]+) \| .*at most (\d+) bytes/gm))
    for (const [, path = ''] of cell.matchAll(/`([^`]+)`/g)) {
      const filled = (bytes: number) => send(path, ' '.repeat(bytes - 2).concat('{}'));
      assert.equal((await filled(Number(size))).status, 400, path);
      assert.equal((await filled(Number(size) + 1)).status, 413, path);
    }
}

const ROUTE: Readonly<Record<string, string>> = {
  ask_brand: '/ask',
  request_diagnostic: '/api/v1/contact',
  apply_partner_program: '/api/v1/partners',
};

const skills = ({ page }: Pick<Walk, 'page'>) =>
  Object.keys(ROUTE).map(tool => {
    const path = `/.well-known/agent-skills/${tool.replaceAll('_', '-')}/SKILL.md`;
    return [path, page(path)] as const;
  });

const blocksOf = (text: string) => [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));

async function checkExamples(walk: Walk): Promise<void> {
  for (const [path, text] of skills(walk)) {
    const [example] = blocksOf(text);
    const { result } = await bodyOf(await walk.send('/mcp', rpc('tools/call', example)));
    assert.ok(result.structuredContent && !result.isError, path);
  }
  const [, ...shown] = blocksOf(walk.page('/AGENTS.md'));
  const success = shown.find(({ ok }) => ok);
  for (const answer of shown.filter(({ matches }) => matches)) {
    const given = await bodyOf(await walk.send('/ask', { query: answer.query }));
    assert.deepEqual(answer, { ...given, matches: given.matches.slice(0, 1) });
  }
  const got = await bodyOf(await walk.send('/api/v1/contact', FIELDS.request_diagnostic));
  assert.deepEqual(Object.keys(got), Object.keys(success));
  assert.equal(got.mode, success.mode);
}

async function checkOpenapiExamples({ url, send, fresh }: Walk): Promise<void> {
  const description = await describedBy(url);
  for (const { path, method, operation } of operationsOf(description)) {
    for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
      if (type !== 'application/json' || example === undefined) continue;
      assert.equal((await send(path, example)).status, 200, `${method} ${path}`);
    }
    for (const { name, in: place, example } of operation.parameters ?? [])
      if (place === 'query' && example !== undefined)
        assert.equal((await fresh(`${path}?${new URLSearchParams({ [name]: String(example) })}`)).status, 200);
  }
}

async function checkPromises({ texts, page, send, config }: Walk): Promise<void> {
  const [, hours] = /replies within (\d+) hours/.exec(page('/llms.txt')) ?? [];
  const { message } = await bodyOf(
    await send('/api/v1/contact', { ...FIELDS.request_diagnostic, email: 'eva@example.org' }),
  );
  assert.match(message, new RegExp(`\\b${hours} horas`));
  const stated = [...texts.values()].flatMap(text =>
    [...text.matchAll(/at most (\d+) an hour and (\d+) a day, and (\d+) an hour/g)].map(([, ...bounds]) =>
      bounds.join(' '),
    ),
  );
  assert.ok(stated.length > 3 && stated.every(bounds => bounds === '10 20 60'), String(stated));
  for (const [path, text] of texts) {
    if (config.production) assert.doesNotMatch(text, /dry.run|Development/, path);
    else assert.doesNotMatch(text, /There is no sandbox|It is a real submission/, path);
    // Keys and signatures are letters at random, and scripts have a word for what is not there.
    const words = path === '/embed.js' ? '' : text.replace(/[\w-]{40,}|<script>.*?<\/script>/gs, '');
    assert.doesNotMatch(words, /undefined|\[object|NaN/, path);
  }
}

async function checkVersions({ texts, send }: Walk): Promise<void> {
  const { result } = await bodyOf(await send('/mcp', rpc('initialize', { protocolVersion: '2025-06-18' })));
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
  const discovered = await bodyOf(await send('/mcp', rpc('server/discover', { _meta: meta }), headers));
  const spoken = new Set([result.protocolVersion, ...discovered.result.supportedVersions]);
  for (const [path, text] of texts)
    for (const [, version] of text.matchAll(/MCP (\d{4}-\d\d-\d\d)/g))
      assert.ok(spoken.has(version), `${path} ${version}`);
}

const CHECKS: readonly [title: string, check: (walk: Walk) => Promise<void>][] = [
  ['names each limit as it is kept', checkLimits],
  ['names no method and no path that does not answer', checkEndpoints],
  ['names the size of a body to the byte', checkSizes],
  ['shows examples that work as they stand', checkExamples],
  ['shows examples in openapi.json that work as they stand', checkOpenapiExamples],
  ['promises what happens in this mode', checkPromises],
  ['names the protocol versions that are spoken', checkVersions],
];

describe('what a server publishes is so', () => {
  for (const setting of SETTINGS)
    it(setting.title, async t => {
      const walk = await start(t, setting);
      for (const [title, check] of CHECKS) await t.test(title, () => check(walk));
    });
});
