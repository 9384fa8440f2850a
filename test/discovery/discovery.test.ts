import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { receive } from '../http/receive.ts';
import { exampleBrand } from '../support/example.ts';
import { assertRefused, post, startApp } from '../support/support.ts';

/** The documents of the service. */
const PATHS = [
  '/',
  '/index.md',
  '/docs',
  '/openapi.json',
  '/.well-known/api-catalog',
  '/.well-known/ai-catalog.json',
  '/mcp/server-card',
  '/.well-known/mcp/server-card.json',
  '/.well-known/agent-card.json',
  '/.well-known/agent-skills/index.json',
  '/.well-known/agent-skills/ask-brand/SKILL.md',
  '/.well-known/brand.json',
  '/schemas/brand-profile.v1.json',
  '/.well-known/jwks.json',
  '/llms.txt',
  '/AGENTS.md',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/security.txt',
];

/** With everything published that needs a setting. */
const FULL = { SECURITY_CONTACT: 'mailto:security@norteclaro.example' };

async function start(t: TestContext, env: Record<string, string> = {}) {
  const { url, use } = await startApp(t, { env: { ...FULL, ...env } });
  const get = (
    path: string,
    { headers, ...init }: { method?: string; headers?: Record<string, string> } = {},
  ) => fetch(`${url}${path}`, { ...init, headers: { 'accept-encoding': 'identity', ...headers } });
  return { url, use, get };
}

describe('every published document', () => {
  it('answers 304 with its validator, cache, CORS and Vary to who has it, and 200 to who has another', async t => {
    const { get } = await start(t);
    for (const path of PATHS) {
      const full = await get(path);
      const etag = full.headers.get('etag') ?? '';
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const response = await get(path, { headers: { 'if-none-match': known } });
        assert.deepEqual([response.status, await response.text()], [304, ''], path);
        for (const name of ['etag', 'cache-control', 'access-control-allow-origin', 'vary', 'link'])
          assert.equal(response.headers.get(name), full.headers.get(name), `${path} ${name}`);
      }
      assert.equal((await get(path, { headers: { 'if-none-match': '"other"' } })).status, 200, path);
    }
  });

  it('has the same bytes whatever the Host header says', async t => {
    const { url, get } = await start(t, { BASE_URL: 'https://norteclaro.example' });
    for (const path of PATHS) {
      const expected = await (await get(path)).text();
      const { status, text } = await receive(`${url}${path}`, { headers: { host: 'evil.example' } });
      assert.deepEqual([status, text], [200, expected], path);
      assert.ok(!text.includes(new URL(url).host), path);
    }
  });

  it('goes on without a profile in neutral words; 503 not_configured is what cannot exist without one', async t => {
    const { url } = await startApp(t, { env: FULL, brand: null });
    const gone = [
      '/',
      '/index.md',
      '/.well-known/brand.json',
      '/.well-known/jwks.json',
      '/.well-known/security.txt',
    ];
    for (const path of PATHS) {
      if (gone.includes(path)) {
        await assertRefused(fetch(`${url}${path}`), 'not_configured', 503);
        continue;
      }
      const response = await fetch(`${url}${path}`);
      const text = (await response.text()).replace(/<script>.*?<\/script>/gs, '');
      assert.equal(response.status, 200, path);
      assert.doesNotMatch(text, /undefined|Norte Claro/, path);
      const links = `${response.headers.get('link')} ${text}`;
      if (path === '/openapi.json') continue;
      for (const missing of gone.slice(1)) assert.ok(!links.includes(missing), `${path} names ${missing}`);
    }
  });

  it('is made whole before a reload puts it in place: where one cannot be, all stay as they were', async t => {
    const { get, use } = await start(t);
    const before = await (await get('/llms.txt')).text();
    const brand = await exampleBrand();
    const profile = {
      ...brand.profile,
      get issued_at(): string {
        throw new Error('no document can be dated');
      },
    };
    await assert.rejects(use({ ...brand, name: 'Norte Roto', profile }), /no document can be dated/);
    assert.equal(await (await get('/llms.txt')).text(), before);
  });
});

describe('a document with two media types', () => {
  const PAIRS = [
    ['/.well-known/ai-catalog.json', 'application/ai-catalog+json', 'application/json'],
    ['/.well-known/agent-card.json', 'application/json', 'application/a2a-agent-card+json'],
  ] as const;

  it('comes as the second only where the client names it and not the first, and varies by Accept', async t => {
    const { get } = await start(t);
    for (const [path, first, second] of PAIRS) {
      for (const [accept, type] of [
        ['*/*', first],
        ['text/html', first],
        [second, second],
        [`${first};q=0.5, ${second}`, second],
      ] as const) {
        const { headers } = await get(path, { headers: { accept } });
        assert.deepEqual(
          [headers.get('content-type'), headers.get('vary')],
          [type, 'Accept'],
          `${path} ${accept}`,
        );
      }
    }
  });
});

describe('the Link header', () => {
  it('leads from the API and every document to the catalogs, descriptions and texts', async t => {
    const { get, url } = await start(t);
    const responses = [await get('/ask?q=precio'), await get('/llms.txt'), await get('/ask')];
    responses.push(await post(`${url}/api/v1/contact`, {}));
    for (const { headers } of responses) {
      const link = headers.get('link') ?? '';
      assert.match(
        link,
        /<\/\.well-known\/api-catalog>; rel="api-catalog"; type="application\/linkset\+json"/,
      );
      assert.match(link, /<\/llms\.txt>; rel="describedby"; type="text\/plain"/);
    }
  });

  it('is absent where links are switched off, and names nothing that is switched off', async t => {
    const off = await start(t, { PUBLISH_OFF: 'links' });
    assert.equal((await off.get('/ask?q=precio')).headers.get('link'), null);
    const { get } = await start(t, { PUBLISH_OFF: 'sitemap' });
    assert.doesNotMatch((await get('/ask?q=precio')).headers.get('link') ?? '', /sitemap/);
  });
});

describe('PUBLISH_OFF', () => {
  const SWITCHES: Readonly<Record<string, readonly string[]>> = {
    jwks: ['/.well-known/jwks.json'],
    'server-card': ['/mcp/server-card'],
    robots: ['/robots.txt'],
    sitemap: ['/sitemap.xml'],
    security: ['/.well-known/security.txt'],
    docs: ['/docs'],
    home: ['/', '/index.md'],
    a2a: ['/a2a'],
    embed: ['/embed.js'],
  };

  it('turns each document off for every method, and every mention of it', async t => {
    for (const [feature, paths] of Object.entries(SWITCHES)) {
      const { url, get } = await start(t, { PUBLISH_OFF: feature });
      for (const path of paths) {
        for (const method of ['GET', 'POST', 'OPTIONS'])
          await assertRefused(get(path, { method }), 'not_found', 404);
      }
      for (const path of [
        '/llms.txt',
        '/AGENTS.md',
        '/.well-known/api-catalog',
        '/.well-known/ai-catalog.json',
      ]) {
        const text = await (await get(path)).text();
        for (const gone of paths.filter(gone => gone !== '/'))
          assert.ok(!text.includes(`${url}${gone}`), `${path} names ${gone}`);
      }
    }
  });

  it('refuses a name that it does not know, and says which it does', async t => {
    await assert.rejects(
      start(t, { PUBLISH_OFF: 'robots,humans' }),
      /PUBLISH_OFF.*must be of jwks, .*robots/,
    );
  });
});
