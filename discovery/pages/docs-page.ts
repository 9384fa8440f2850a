import { MAX_BODY_BYTES } from '../../rest/body.ts';
import { DEPRECATIONS, NOTICE_DAYS } from '../../rest/deprecations.ts';
import { routesOf, STATUS_PATH } from '../../rest/routes.ts';
import { STATUS } from '../../rest/status.ts';
import { ERRORS } from '../../tools/errors.ts';
import { SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Tool } from '../../tools/tool.ts';
import { errorCodes } from '../documents/agents-md.ts';
import { A2A_PATH, type Documents, listing, MCP_PATH } from '../documents/document.ts';
import { acts, answerRules, submissionRules } from '../documents/guidance.ts';
import { adviceOn, limitRows, RPC_MEANINGS } from '../documents/limit-rows.ts';
import { fieldRows } from '../documents/markdown.ts';
import type { Site } from '../documents/site.ts';
import { RATE_LIMIT_HEADERS } from '../openapi/responses.ts';
import { calls, endpoint } from './calls.ts';
import { frame, inLanguage } from './frame.ts';
import { html, type Markup } from './html.ts';

/** The reference of the service on one page, in the reader's language; what the service itself sends is quoted in English. */
export function docsPage(site: Site, documents: Documents): string {
  const { brandName, words } = site;
  const { apiDocs } = words;
  const main = html`<div class="hero"><h1>${apiDocs.title}</h1>
<p class="lead">${apiDocs.lead(brandName)}</p><p class="note">${apiDocs.quoted}</p>
<nav aria-label="${apiDocs.contents}">${SECTIONS.map(([id]) => html`<a href="#${id}">${apiDocs.sections[id]}</a>`)}</nav></div>
${SECTIONS.map(([id, body]) => html`<section id="${id}"><h2>${apiDocs.sections[id]}</h2><div class="body">${body(site, documents)}</div></section>`)}`;
  return frame(site, { title: apiDocs.title, main, path: '/docs', about: apiDocs.lead(brandName) });
}

type SectionName = keyof Site['words']['apiDocs']['sections'];

const SECTIONS: readonly (readonly [
  name: SectionName,
  body: (site: Site, documents: Documents) => Markup,
])[] = [
  ['endpoints', endpoints],
  ['calls', calls],
  ['agents', agents],
  ['fields', site => html`${site.tools.map(tool => fieldsOf(tool, site))}`],
  ['limits', limits],
  ['errors', errors],
  ['mcp', mcp],
  ['versions', versions],
  ['signatures', signatures],
  ['documents', published],
];

function endpoints(site: Site): Markup {
  const { baseUrl, off, tools, words } = site;
  const { apiDocs } = words;
  const rows = routesOf(tools).map(({ method, path, aliases, tool, input }) => [
    endpoint(method, path),
    html`${titleOf(tool, site)}${aliases.length > 0 ? html`. ${apiDocs.alias}: ${codes(aliases)}` : undefined}`,
    input.from === 'query'
      ? codes(Object.keys(input.parameters).map(name => `?${name}=`))
      : html`${['application/json', ...input.forms].map(type => html`${code(type)}<br>`)} ${apiDocs.atMost} ${MAX_BODY_BYTES / 1024} KiB`,
  ]);
  const service = [
    [endpoint('GET', STATUS_PATH), html`${apiDocs.status}`, html``],
    [endpoint('POST', MCP_PATH), html`Model Context Protocol, JSON-RPC 2.0`, code('application/json')],
    [endpoint('GET', MCP_PATH), html`${apiDocs.descriptor}`, html``],
    ...(off.has('a2a') ? [] : [[endpoint('POST', A2A_PATH), html`${apiDocs.a2a}`, code('application/json')]]),
  ];
  return html`<p>${apiDocs.base}: ${code(baseUrl)}.</p>
${table(apiDocs.heads.endpoints, [...rows, ...service])}`;
}

/** What people call a tool. */
const titleOf = ({ submits }: Tool, { words }: Site) => submits?.wordsIn(words).title ?? words.ask.title;

/** Where a program that speaks for a person begins, and how it behaves. */
function agents(site: Site): Markup {
  const { baseUrl, words } = site;
  const rules = [...answerRules(site), ...(acts(site) ? submissionRules(site) : [])];
  return html`<p>${words.page.mcp} ${code(`${baseUrl}${MCP_PATH}`)}. <a href="/AGENTS.md">AGENTS.md</a>, <a href="/llms.txt">llms.txt</a></p><ul lang="en">${rules.map(rule => html`<li>${prose(rule)}</li>`)}</ul>`;
}

function fieldsOf(tool: Tool, site: Site): Markup {
  const { apiDocs } = site.words;
  const rows = fieldRows(tool).map(({ name, isRequired, rule }) => [
    code(name),
    html`${isRequired ? apiDocs.yes : apiDocs.no}`,
    prose(rule),
  ]);
  return html`<h3>${titleOf(tool, site)} (${code(tool.name)})</h3>${table(apiDocs.heads.fields, rows)}`;
}

function limits(site: Site): Markup {
  const { apiDocs } = site.words;
  const rows = limitRows(site).map(row => [quoted(row.scope), quoted(row.text), code(row.policy)]);
  return html`${table(apiDocs.heads.limits, rows)}
<p>${apiDocs.headers}: ${codes(RATE_LIMIT_HEADERS)}. ${apiDocs.limited}${acts(site) ? ` ${apiDocs.unlimited}` : ''}</p>`;
}

function errors(site: Site): Markup {
  const { apiDocs } = site.words;
  const rows = errorCodes(site).map(name => [
    code(name),
    html`${STATUS[name]}`,
    quoted(`${ERRORS[name].message} ${adviceOn(name)}`),
  ]);
  return html`<p>${apiDocs.errors}${acts(site) ? ` ${apiDocs.errorPage}` : ''}</p>
${table(apiDocs.heads.errors, rows)}`;
}

function mcp({ baseUrl, tools, words }: Site): Markup {
  const { apiDocs } = words;
  return html`<p>${apiDocs.mcp(`${baseUrl}${MCP_PATH}`, SUPPORTED_REVISIONS)} <span lang="en">${RPC_MEANINGS.map(([code, meaning]) => `${code} (${meaning})`).join(', ')}.</span></p>
${tools.map(tool => html`<h3>${code(tool.name)}</h3><p lang="en">${prose(tool.description)}</p>`)}`;
}

function versions({ tools, words: { apiDocs } }: Site): Markup {
  const paths = routesOf(tools).flatMap(route => route.aliases);
  const now = DEPRECATIONS.map(({ prefix, notice }) => `${prefix} (${notice})`).join(', ');
  return paragraphs([
    apiDocs.paths(`/api/v${SERVICE.apiVersion}`, paths),
    apiDocs.breaking,
    `${apiDocs.notice(NOTICE_DAYS)} ${apiDocs.deprecated(now)}`,
  ]);
}

function signatures({ baseUrl, off, signed, words: { apiDocs, verify } }: Site): Markup {
  if (!signed) return paragraphs([verify.unsigned, apiDocs.reading]);
  const keys = off.has('jwks') ? '' : `, ${baseUrl}/.well-known/jwks.json`;
  return paragraphs([
    verify.signed,
    `${apiDocs.signed} ${baseUrl}/.well-known/brand.json${keys}`,
    apiDocs.reading,
  ]);
}

function published(site: Site, documents: Documents): Markup {
  const { words } = site;
  const rows = documents.flatMap(document => {
    const listed = listing(document, words);
    const path = document.localized ? inLanguage(site, document.path) : document.path;
    return listed ? [[html`<a href="${path}">${listed.title}</a>`, html`${listed.note}`]] : [];
  });
  return table(words.apiDocs.heads.documents, rows);
}

/** What the service sends in English, whatever the reader's language. */
const quoted = (text: string): Markup => html`<span lang="en">${prose(text)}</span>`;

/** Names in a row, with commas. */
const codes = (names: readonly string[]): Markup =>
  html`${names.map((name, index) => html`${index > 0 ? ', ' : ''}${code(name)}`)}`;

/** What stands between two backticks is code. */
const prose = (text: string): Markup =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? code(part) : html`${part}`))}`;

const code = (text: string): Markup => html`<code>${text}</code>`;

const paragraphs = (texts: readonly string[]): Markup => html`${texts.map(text => html`<p>${text}</p>`)}`;

function table(head: readonly string[], rows: readonly (readonly Markup[])[]): Markup {
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${head.map(cell => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(cells => html`<tr>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
