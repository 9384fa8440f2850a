import { bodyOf, post } from './support.ts';

/** What a scanner for agent readiness asks, and what it wants to see (Cloudflare isitagentready; Ora). */
export interface Probe {
  readonly name: string;
  readonly passes: (site: Visitor) => Promise<boolean>;
}

export interface Visitor {
  readonly url: string;
  readonly get: (path: string, accept?: string) => Promise<Response>;
  readonly text: (path: string, accept?: string) => Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: a scanner looks into whatever it finds
  readonly json: (path: string) => Promise<any>;
}

const type = (response: Response) => response.headers.get('content-type') ?? '';

export const CLOUDFLARE: readonly Probe[] = [
  {
    name: 'robotsTxt',
    passes: async ({ get, text }) =>
      type(await get('/robots.txt')).startsWith('text/plain') && /^User-agent:/m.test(await text('/robots.txt')),
  },
  {
    name: 'sitemap',
    passes: async ({ text }) =>
      /<urlset/.test(await text('/sitemap.xml')) && /^Sitemap: http/m.test(await text('/robots.txt')),
  },
  {
    name: 'linkHeaders',
    passes: async ({ get }) => {
      const link = (await get('/')).headers.get('link') ?? '';
      return ['api-catalog', 'service-desc', 'service-doc'].every(rel => link.includes(`rel="${rel}"`));
    },
  },
  {
    name: 'markdownNegotiation',
    passes: async ({ get }) => {
      const response = await get('/', 'text/markdown');
      return (
        type(response).startsWith('text/markdown') &&
        response.headers.get('vary')?.split(', ').includes('Accept') === true
      );
    },
  },
  { name: 'robotsTxtAiRules', passes: async ({ text }) => /^User-agent: \*$/m.test(await text('/robots.txt')) },
  {
    name: 'contentSignals',
    passes: async ({ text }) => /^Content-Signal: .*ai-train=(yes|no)/m.test(await text('/robots.txt')),
  },
  {
    name: 'apiCatalog',
    passes: async ({ get, json }) => {
      const { linkset } = await json('/.well-known/api-catalog');
      const described = (context: object) =>
        'anchor' in context && ('service-desc' in context || 'service-doc' in context);
      return (
        type(await get('/.well-known/api-catalog')).startsWith('application/linkset+json') && linkset.some(described)
      );
    },
  },
  {
    name: 'agentSkills',
    passes: async ({ url, json, get }) => {
      const { $schema, skills } = await json('/.well-known/agent-skills/index.json');
      const first = await get(new URL(skills[0].url, url).pathname);
      return $schema.includes('0.2.0') && /^sha256:[0-9a-f]{64}$/.test(skills[0].digest) && first.status === 200;
    },
  },
  {
    name: 'mcpServerCard',
    passes: async ({ json }) => {
      const { serverInfo, transport, capabilities } = await json('/.well-known/mcp/server-card.json');
      return Boolean(serverInfo.name && serverInfo.version && transport.endpoint && capabilities);
    },
  },
  {
    name: 'ard',
    passes: async ({ get, json }) => {
      const { specVersion, entries } = await json('/.well-known/ai-catalog.json');
      const complete = entries.every((entry: Record<string, unknown>) => entry.identifier && entry.type && entry.url);
      return (
        type(await get('/.well-known/ai-catalog.json')) === 'application/ai-catalog+json' &&
        specVersion === '1.0' &&
        complete
      );
    },
  },
  {
    name: 'a2aAgentCard',
    passes: async ({ json }) => {
      const { name, version, supportedInterfaces, skills } = await json('/.well-known/agent-card.json');
      return Boolean(name && version && supportedInterfaces[0].url && skills.length > 0);
    },
  },
];

export const ORA: readonly Probe[] = [
  {
    name: 'mcp-well-known-discovery',
    passes: async ({ json }) => {
      const cards = await Promise.all(['/.well-known/mcp', '/.well-known/mcp.json'].map(json));
      return cards.every(({ name, description, version, serverUrl, tools }) =>
        Boolean(name && description && version && serverUrl && tools.length >= 3),
      );
    },
  },
  {
    name: 'mcp-server-card',
    passes: async ({ get, json }) => {
      const [mcp] = (await json('/.well-known/ai-catalog.json')).entries;
      return type(await get(new URL(mcp.url).pathname)) === 'application/mcp-server-card+json';
    },
  },
  {
    name: 'mcp-tools (described, annotated, with instructions)',
    passes: async ({ url }) => {
      const call = async (method: string) =>
        (await bodyOf(await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method, params: {} }))).result;
      const { tools } = await call('tools/list');
      const { instructions } = await call('initialize');
      const good = (tool: { description: string; annotations: object }) =>
        tool.description.length >= 20 && 'readOnlyHint' in tool.annotations && 'destructiveHint' in tool.annotations;
      return Boolean(instructions) && tools.length >= 3 && tools.every(good);
    },
  },
  {
    name: 'api-catalog-rfc9727',
    passes: async ({ json }) => 'item' in (await json('/.well-known/api-catalog')).linkset[0],
  },
  {
    name: 'agent-skills-index-v2 with agent-instruction',
    passes: async ({ json }) => Boolean((await json('/.well-known/agent-skills/index.json')).instructions),
  },
  {
    name: 'llms-txt (100 to 30,000 characters, five links answer)',
    passes: async ({ text }) => {
      const llms = await text('/llms.txt');
      const links = [...llms.matchAll(/\]\((http[^)]+)\)/g)].slice(0, 5).map(([, href = '']) => href);
      const answers = await Promise.all(links.map(async href => (await fetch(href)).status));
      return llms.length >= 100 && llms.length <= 30_000 && answers.every(status => status === 200);
    },
  },
  {
    name: 'agents-md, either case',
    passes: async ({ text }) => (await text('/AGENTS.md')) === (await text('/agents.md')),
  },
  {
    name: 'openapi with servers and operation ids',
    passes: async ({ json }) => {
      const { openapi, servers, paths } = await json('/openapi.json');
      return openapi.startsWith('3.1') && servers.length > 0 && Boolean(paths['/ask'].post.operationId);
    },
  },
  { name: 'nlweb-ask', passes: async ({ json }) => (await json('/ask?q=precio')).matches.length > 0 },
  {
    name: 'rate-limit-headers',
    passes: async ({ get }) => {
      const { headers } = await get('/ask?q=precio');
      return ['ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining'].every(name =>
        headers.has(name),
      );
    },
  },
  {
    name: 'json-error-responses (code, message, hint), and a real 404',
    passes: async ({ get }) => {
      const response = await get('/no-such-page');
      const { code, error, hint } = await bodyOf(response);
      return response.status === 404 && Boolean(code && error && hint);
    },
  },
  {
    name: 'api-versioning-policy',
    passes: async ({ get }) => (await get('/ask?q=precio')).headers.get('api-version') === '1',
  },
  {
    name: 'home (one H1, 500 characters without scripts, JSON-LD, canonical)',
    passes: async ({ text }) => {
      const home = await text('/');
      const words = home.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replace(/\s+/g, ' ');
      return (
        home.match(/<h1/g)?.length === 1 &&
        words.length >= 500 &&
        home.includes('application/ld+json') &&
        /rel="canonical"/.test(home)
      );
    },
  },
  {
    name: 'markdown twin of the home page',
    passes: async ({ get }) => type(await get('/index.md')).startsWith('text/markdown'),
  },
  { name: 'docs linked from home', passes: async ({ text }) => /href="\/docs[?"]/.test(await text('/')) },
  {
    name: 'security.txt',
    passes: async ({ text }) => /^Contact: [\s\S]*^Expires: /m.test(await text('/.well-known/security.txt')),
  },
  {
    name: 'cors on what may be read by anyone',
    passes: async ({ get }) => (await get('/openapi.json')).headers.get('access-control-allow-origin') === '*',
  },
];
