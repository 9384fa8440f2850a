import { routesOf, STATUS_PATH, type ToolRoute } from '../../rest/routes.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { MCP_PATH } from '../documents/document.ts';
import { exampleArguments, exampleResult } from '../documents/examples.ts';
import type { Site } from '../documents/site.ts';
import { attributes, copyButton, html, type Markup } from './html.ts';

/** Every call of the REST facade with a request in four languages and its answer, made of the profile in use. */
export function calls(site: Site): Markup {
  const { name: service, apiVersion: api_version } = SERVICE;
  const status = { ok: true, status: 'ok', service, api_version, time: '2026-11-01T09:00:00.000Z' };
  return html`${routesOf(site.tools).map(route => call(site, requestOf(route, site), exampleResult(route.tool, site)))}
${call(site, { method: 'GET', path: STATUS_PATH }, status)}`;
}

interface Request {
  readonly method: ToolRoute['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** It sends something in somebody's name. */
  readonly acts?: boolean;
  /** The same over MCP. */
  readonly call?: { readonly name: string; readonly arguments: object };
}

function requestOf({ method, path, tool, input }: ToolRoute, site: Site): Request {
  const named = exampleArguments(tool, site) ?? { query: '…' };
  const call = { name: tool.name, arguments: named };
  if (input.from === 'body') return { method, path, body: named, call, acts: tool.submits !== undefined };
  const query = Object.entries(input.parameters).map(([parameter, argument]) => [
    parameter,
    String(named[argument]),
  ]);
  return { method, path, call, query: Object.fromEntries(query) };
}

function call(site: Site, request: Request, result: object | undefined): Markup {
  const { method, path, acts = false } = request;
  const { apiDocs, trial } = site.words;
  const block = (text: string) => html`<pre tabindex="0">${text}</pre>${copyButton('', apiDocs)}`;
  const examples = LANGUAGES.map(({ name, write }, at) => {
    const text = write(site.baseUrl, request);
    // Of those with one name a browser opens one at a time.
    const fold = attributes({ name: `${method} ${path}`, open: at === 0 });
    return text !== undefined && html`<details${fold}><summary>${name}</summary>${block(text)}</details>`;
  });
  return html`<article class="call"><h3>${endpoint(method, path)}</h3>
<div>${examples}${acts && html`<p class="note">${site.mode === 'production' ? apiDocs.real : trial}</p>`}</div>
${result && html`<div><p class="eyebrow">200</p>${block(JSON.stringify(result, null, 2))}</div>`}
</article>`;
}

/** The method as a badge, the path in bold. */
export const endpoint = (method: string, path: string): Markup =>
  html`<span class="method">${method}</span> <strong><code>${path}</code></strong>`;

/** Nothing where the call has no such example. */
type Write = (base: string, request: Request) => string | undefined;

const LANGUAGES: readonly { readonly name: string; readonly write: Write }[] = [
  { name: 'curl', write: (base, request) => curl(`${base}${request.path}`, request) },
  { name: 'JavaScript', write: (base, request) => fetched(`${base}${request.path}`, request) },
  { name: 'Python', write: (base, request) => python(`${base}${request.path}`, request) },
  { name: 'MCP', write: (base, { call: params }) => params && toolCall(`${base}${MCP_PATH}`, params) },
];

function curl(url: string, { query, body }: Request): string {
  if (query) {
    const data = Object.entries(query).map(
      ([name, value]) => ` \\\n  --data-urlencode ${quoted(`${name}=${value}`)}`,
    );
    return `curl -s --get '${url}'${data.join('')}`;
  }
  if (!body) return `curl -s '${url}'`;
  return `curl -s '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body, null, 2))}`;
}

const toolCall = (url: string, params: object): string =>
  curl(url, {
    method: 'POST',
    path: MCP_PATH,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function fetched(url: string, { query, body, acts }: Request): string {
  const address = query ? `'${url}?' + new URLSearchParams(${JSON.stringify(query)})` : `'${url}'`;
  if (!body) return `const response = await fetch(${address});\nconst answer = await response.json();`;
  const key = acts ? ", 'Idempotency-Key': crypto.randomUUID()" : '';
  return `const response = await fetch(${address}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json'${key} },
  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),
});
const answer = await response.json();`;
}

function python(url: string, { query, body }: Request): string {
  const given = [
    ...(query ? [`params=${JSON.stringify(query)}`] : []),
    ...(body ? [`json=${JSON.stringify(body, null, 4)}`] : []),
    'timeout=30',
  ];
  return `import requests\n\nanswer = requests.${body ? 'post' : 'get'}("${url}", ${given.join(', ')}).json()`;
}
