import { MAX_BODY_BYTES } from '../../rest/body.ts';
import { DEPRECATIONS, NOTICE_DAYS } from '../../rest/deprecations.ts';
import { routesOf, STATUS_PATH } from '../../rest/routes.ts';
import { STATUS } from '../../rest/status.ts';
import { ERRORS } from '../../tools/errors.ts';
import { en } from '../../tools/language/en.ts';
import { SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { ToolDescription } from '../../tools/tool.ts';
import { errorCodes } from '../documents/agents-md.ts';
import { A2A_PATH, type Documents, MCP_PATH } from '../documents/document.ts';
import { acts, answerRules, submissionRules, trust } from '../documents/guidance.ts';
import { adviceOn, limitRows, RPC_MEANINGS } from '../documents/limit-rows.ts';
import type { Site } from '../documents/site.ts';
import { frame } from '../look/frame.ts';
import { html, type Markup } from '../look/html.ts';
import { calls } from './calls.ts';
import { REFERENCE_SCRIPT } from './docs-script.ts';
import { RATE_LIMIT_HEADERS } from './responses.ts';

/** The reference of the service on one page, from the tables of the code: in English, as they are. */
export function docsPage(site: Site, documents: Documents): string {
  const { brandName } = site;
  const main = html`<div class="hero"><h1>API reference</h1>
<p class="lead">Questions about ${brandName}, answered verbatim from a brand profile${acts(site) ? ', and its forms' : ''}, over HTTP and as MCP tools. Everything is public: no authentication, no keys.</p>
<nav aria-label="Contents">${SECTIONS.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
<form class="search" role="search" hidden><label for="search">Search this page</label><input id="search" type="search" autocomplete="off"><p class="note" id="found" role="status"></p></form></div>
${SECTIONS.map(({ id, title, body }) => html`<section id="${id}"><h2>${title}</h2><div class="body">${body(site, documents)}</div></section>`)}`;
  const head = html`<meta name="description" content="Endpoints, fields, limits, errors and versions of the public API and MCP server of ${brandName}.">
<link rel="canonical" href="${site.baseUrl}/docs">`;
  return frame({ ...site, words: en }, { title: 'API reference', main, script: REFERENCE_SCRIPT, head });
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: (site: Site, documents: Documents) => Markup;
}

const SECTIONS: readonly Section[] = [
  { id: 'endpoints', title: 'Endpoints', body: endpoints },
  { id: 'calls', title: 'Requests and answers', body: calls },
  { id: 'agents', title: 'For agents', body: agents },
  {
    id: 'fields',
    title: 'Fields',
    body: ({ presentation, tools }) => html`${tools.map(tool => fieldsOf(tool.describe(presentation)))}`,
  },
  { id: 'limits', title: 'Limits', body: limits },
  { id: 'errors', title: 'Errors', body: errors },
  { id: 'mcp', title: 'MCP', body: mcp },
  { id: 'versions', title: 'Versions', body: site => paragraphs(versioning(site)) },
  { id: 'signatures', title: 'Signatures', body: site => paragraphs([trust(site), READING]) },
  { id: 'documents', title: 'Documents', body: published },
];

function endpoints({ baseUrl, presentation, off, tools }: Site): Markup {
  const rows = routesOf(tools).map(({ method, path, aliases, tool, input }) => [
    code(`${method} ${path}`),
    html`${tool.describe(presentation).title}${aliases.length > 0 ? html`. Alias: ${codes(aliases)}` : undefined}`,
    input.from === 'query'
      ? html`Query parameter ${codes(Object.keys(input.parameters))}`
      : html`${['application/json', ...input.forms].map(type => html`${code(type)}<br>`)} at most ${MAX_BODY_BYTES / 1024} KiB`,
  ]);
  const service = [
    [code(`GET ${STATUS_PATH}`), html`Liveness`, html``],
    [code(`POST ${MCP_PATH}`), html`Model Context Protocol, JSON-RPC 2.0`, code('application/json')],
    [code(`GET ${MCP_PATH}`), html`What the MCP endpoint is`, html``],
    ...(off.has('a2a')
      ? []
      : [[code(`POST ${A2A_PATH}`), html`A2A 1.0, read-only: a message is a question`, code('application/json')]]),
  ];
  return html`<p>Base address: ${code(baseUrl)}. Paths have no trailing slash.</p>
${table(['Endpoint', 'What it does', 'Takes'], [...rows, ...service])}`;
}

/** Where a program that speaks for a person begins, and how it behaves. */
function agents(site: Site): Markup {
  const { baseUrl } = site;
  const rules = [...answerRules(site), ...(acts(site) ? submissionRules(site) : [])].map(
    rule => html`<li>${rule}</li>`,
  );
  return html`<p>Add ${code(`${baseUrl}${MCP_PATH}`)} as a remote MCP server, or read <a href="/AGENTS.md">AGENTS.md</a> and <a href="/llms.txt">llms.txt</a>.</p><ul>${rules}</ul>`;
}

function fieldsOf({ name, title, inputSchema }: ToolDescription): Markup {
  const required = new Set(inputSchema.required);
  const rows = Object.entries(inputSchema.properties).map(([field, { description }]) => [
    code(field),
    html`${required.has(field) ? 'yes' : 'no'}`,
    html`${String(description)}`,
  ]);
  return html`<h3>${title} (${code(name)})</h3>${table(['Field', 'Required', 'Rule'], rows)}`;
}

function limits(site: Site): Markup {
  const rows = limitRows(site).map(row => [html`${row.scope}`, html`${row.text}`, code(row.policy)]);
  return html`${table(['What', 'Limit', 'Policy'], rows)}
<p>Every response shows them in ${codes(RATE_LIMIT_HEADERS)}; the 400 of ${code(`POST ${MCP_PATH}`)} is the exception. A refused request is a 429 with ${code('Retry-After')} in seconds.${acts(site) ? ' Failed validations do not count against the limits of submissions.' : ''}</p>`;
}

function errors(site: Site): Markup {
  const rows = errorCodes(site).map(name => [
    code(name),
    html`${STATUS[name]}`,
    html`${ERRORS[name].message} ${adviceOn(name)}`,
  ]);
  return html`<p>Over REST an error is JSON with ${codes(['ok', 'error', 'code', 'hint'])}, and ${code('issues')} where fields are invalid: one ${code('field: rule')} each. ${acts(site) ? 'A form post of a browser gets a page instead. ' : ''}${code('invalid_request')} also comes as 403, 408, 413 and 431.</p>
${table(['Code', 'HTTP', 'Meaning'], rows)}`;
}

function mcp({ baseUrl, presentation, tools }: Site): Markup {
  return html`<p>Streamable HTTP with JSON responses at ${code(`${baseUrl}${MCP_PATH}`)}, protocol versions ${SUPPORTED_REVISIONS.join(' and ')}. A tool that fails is a result with ${code('isError')} and the body of the REST error; protocol errors are ${RPC_MEANINGS.map(([code, meaning]) => `${code} (${meaning})`).join(', ')}.</p>
${tools.map(tool => html`<h3>${code(tool.name)}</h3><p>${tool.describe(presentation).description}</p>`)}`;
}

function published(_site: Site, documents: Documents): Markup {
  const rows = documents.flatMap(({ path, listed }) =>
    listed ? [[html`<a href="${path}">${listed.title}</a>`, html`${listed.note}`]] : [],
  );
  return table(['Document', 'What it is'], rows);
}

/** How the API changes. */
const versioning = (site: Site): readonly string[] => [
  `REST endpoints live under /api/v${SERVICE.apiVersion}${aliases(site)}. /ask follows a convention of its own, and /mcp the protocol versions named above. Every response carries API-Version.`,
  'Breaking changes ship only in a new major version. A new optional member of a response is no breaking change.',
  `A deprecated version keeps working for at least ${NOTICE_DAYS} days after its first Deprecation header (RFC 9745), and its responses carry Sunset (RFC 8594) and a Link to the notice. ${deprecated()}`,
];

function aliases({ tools }: Site): string {
  const paths = routesOf(tools).flatMap(route => route.aliases);
  return paths.length === 0
    ? ''
    : `; ${paths.join(' and ')} ${paths.length === 1 ? 'is an alias' : 'are aliases'} pinned to it`;
}

function deprecated(): string {
  if (DEPRECATIONS.length === 0) return 'Nothing is deprecated now.';
  return `Deprecated now: ${DEPRECATIONS.map(({ prefix, notice }) => `${prefix} (${notice})`).join(', ')}.`;
}

/** What a reader of a match may rely on. */
const READING =
  'Everything in a match stands verbatim in the profile. Each claim has a boundary: say where it applies, and never use it where it does not.';

/** Names in a row, with commas. */
const codes = (names: readonly string[]): Markup =>
  html`${names.map((name, index) => html`${index > 0 ? ', ' : ''}${code(name)}`)}`;

const code = (text: string): Markup => html`<code>${text}</code>`;

const paragraphs = (texts: readonly string[]): Markup => html`${texts.map(text => html`<p>${text}</p>`)}`;

function table(head: readonly string[], rows: readonly (readonly Markup[])[]): Markup {
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${head.map(cell => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(cells => html`<tr>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
