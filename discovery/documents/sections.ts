import { MAX_BODY_BYTES } from '../../rest/body.ts';
import { STATUS } from '../../rest/response.ts';
import { routesOf, STATUS_PATH, type ToolRoute } from '../../rest/routes.ts';
import { ERROR_CODES, ERRORS } from '../../tools/errors.ts';
import { RPC_MEANINGS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { isQuestion, type Tool } from '../../tools/tool.ts';
import { en } from '../../tools/words/en.ts';
import type { Messages } from '../../tools/words/es.ts';
import { A2A_VERSION } from './agent-card.ts';
import { A2A_PATH, MCP_PATH } from './document.ts';
import { exampleArguments, exampleQuestion, exampleResult } from './examples.ts';
import {
  answerRules,
  errorRules,
  hasActions,
  IDEMPOTENCY,
  limitRows,
  limitRules,
  submissionRules,
  trust,
  whenNotToUse,
  whenToUse,
} from './guidance.ts';
import { bullets, codeBlock, jsonBlock, table } from './markdown.ts';
import type { Site } from './site.ts';

type SectionName = keyof typeof SECTIONS;

/**
 * Sections of Markdown with headings. Empty sections are left out.
 * @example page(`# ${title}`, ...sections(site, 'when', 'limits'))
 */
export function sections(site: Site, ...names: readonly SectionName[]): string[] {
  return blocksOf(site, names, title => `## ${title}`);
}

/** The same without headings, which llms.txt allows only above lists of links. */
export function plainSections(site: Site, ...names: readonly SectionName[]): string[] {
  return blocksOf(site, names, title => `${title}:`);
}

function blocksOf(site: Site, names: readonly SectionName[], heading: (title: string) => string): string[] {
  return names.flatMap(name => {
    const { title, build } = SECTIONS[name];
    const blocks = build(site);
    return blocks.length > 0 ? [heading(title), ...blocks] : [];
  });
}

/** Every section for agents by name. A skill passes a site that has its tool alone. */
const SECTIONS = {
  start: { title: en.docs.title, build: (site: Site) => startBlocks(site, en.docs) },
  when: { title: 'When to use it, and when not', build: whenBlocks },
  mcp: { title: 'Connect over MCP', build: mcpBlocks },
  http: { title: 'Or over HTTP', build: httpBlocks },
  results: { title: 'What comes back', build: resultBlocks },
  answers: { title: 'Answering from claims', build: answerBlocks },
  submissions: { title: 'Submitting for a person', build: submissionBlocks },
  limits: { title: 'Limits', build: limitBlocks },
  errors: { title: 'Errors', build: errorBlocks },
  versions: { title: 'Versions', build: versionBlocks },
  trust: { title: 'Trust', build: trustBlocks },
} as const satisfies Record<string, { title: string; build: (site: Site) => string[] }>;

/** Three ways to start, each to be copied: a question, an MCP client, the embed. */
export function startBlocks(site: Site, words: Messages['docs']): string[] {
  const { baseUrl, off, profile } = site;
  const query = exampleQuestion(site, '…').replaceAll("'", '’');
  const server = { type: 'http', url: `${baseUrl}${MCP_PATH}` };
  const embed =
    `<script src="${baseUrl}/embed.js" async></script>\n` +
    '<aval-ask style="display:block;min-height:15rem"></aval-ask>';
  return [
    words.ask,
    codeBlock('sh', `curl -s --get '${baseUrl}/ask' --data-urlencode 'q=${query}'`),
    words.connect,
    jsonBlock({ mcpServers: { [serverName(profile?.id ?? SERVICE.name)]: server } }),
    ...(off.has('embed') ? [] : [words.embed, codeBlock('html', embed)]),
  ];
}

/** Clients call a tool `mcp__SERVER__TOOL`, and models take 64 characters, so a server has at most 32. */
const serverName = (id: string): string => id.slice(0, 32).replace(/[^a-z0-9]+$/i, '');

function whenBlocks(site: Site): string[] {
  return [bullets([...whenToUse(site), ...whenNotToUse(site).map(purpose => `not ${purpose}`)])];
}

function mcpBlocks(site: Site): string[] {
  return [
    `Streamable HTTP at \`POST ${site.baseUrl}${MCP_PATH}\`, MCP ` +
      `${SUPPORTED_REVISIONS.join(', ')}; every answer is JSON, there is no event stream and no ` +
      'session. The `params` of `tools/call`:',
    ...site.tools.flatMap(tool => [
      `### ${tool.name}`,
      tool.description,
      ...fieldTable(tool),
      jsonBlock({ name: tool.name, arguments: exampleArguments(tool, site) ?? { query: '…' } }),
    ]),
  ];
}

/** A table with one row a field, from the tool's schema. Empty for a tool without arguments. */
function fieldTable(tool: Tool): string[] {
  const { properties, required = [] } = tool.listing().inputSchema;
  const rows = Object.entries(properties).map(([name, { description }]) => [
    `\`${name}\``,
    required.includes(name) ? 'yes' : 'no',
    String(description),
  ]);
  return rows.length === 0 ? [] : [table(['Field', 'Required', 'Rule'], rows)];
}

function httpBlocks(site: Site): string[] {
  return [endpointTable(site), ...(hasActions(site) ? [IDEMPOTENCY] : [])];
}

/** A table of all endpoints and their arguments. */
export function endpointTable({ off, tools }: Pick<Site, 'off' | 'tools'>): string {
  const a2a =
    `A2A ${A2A_VERSION}, read-only, with the header \`A2A-Version: ${A2A_VERSION}\`: a message in ` +
    'words is a question';
  const rows = [
    ...routesOf(tools).map(route => [
      route.method,
      [route.path, ...route.aliases].map(path => `\`${path}\``).join(', '),
      inputText(route),
      `\`${route.tool.name}\``,
    ]),
    ['POST', `\`${MCP_PATH}\``, '`application/json`', 'the tools, over MCP'],
    ['GET', `\`${MCP_PATH}\``, '', 'what the MCP endpoint is: tools and limits'],
    ...(off.has('a2a') ? [] : [['POST', `\`${A2A_PATH}\``, '`application/json`', a2a]]),
    ['GET', `\`${STATUS_PATH}\``, '', 'whether the service is up'],
  ];
  return table(['Method', 'Path', 'Takes', 'Same as'], rows);
}

function inputText({ input }: ToolRoute): string {
  if (input.from === 'query') return Object.keys(input.parameters).map(queryText).join(', ');
  return `\`${['application/json', ...input.forms].join('`, `')}\`; at most ${MAX_BODY_BYTES} bytes`;
}

const queryText = (name: string) => `query parameter \`${name}\``;

function resultBlocks(site: Site): string[] {
  return site.tools.flatMap(tool => {
    const example = exampleResult(tool, site);
    if (example === undefined) return [];
    return [`\`${tool.name}\`${isQuestion(tool) ? ', with the first match alone' : ''}:`, jsonBlock(example)];
  });
}

function answerBlocks(site: Site): string[] {
  return site.tools.some(isQuestion) ? [bullets(answerRules(site))] : [];
}

function submissionBlocks(site: Site): string[] {
  return hasActions(site) ? [bullets(submissionRules(site))] : [];
}

function limitBlocks(site: Site): string[] {
  const rows = limitRows(site).map(({ scope, text, policy }) => [scope, text, `\`${policy}\``]);
  return [table(['What', 'Limit', 'Policy'], rows), bullets(limitRules(site))];
}

function errorBlocks(site: Site): string[] {
  const codes = RPC_MEANINGS.map(([code, meaning]) => `${code} ${meaning}`).join('; ');
  return [
    bullets([...errorRules(site), `Protocol errors of MCP: ${codes}.`]),
    table(
      ['Code', 'HTTP', 'When'],
      ERROR_CODES.map(code => [`\`${code}\``, STATUS[code], ERRORS[code].message]),
    ),
  ];
}

function trustBlocks(site: Site): string[] {
  const check =
    `To check it: \`aval verify ${site.baseUrl}\`, of the program that runs here, or any library ` +
    'for JWS.';
  return site.signed ? [trust(site), check] : [trust(site)];
}

function versionBlocks({ tools }: Site): string[] {
  const aliases = routesOf(tools).flatMap(route => route.aliases.map(alias => `\`${alias}\``));
  const pinned = aliases.length > 0 ? `; ${aliases.join(' and ')} are pinned to it` : '';
  return [
    bullets([
      `REST endpoints live under \`/api/v${SERVICE.apiVersion}\`${pinned}. Every response ` +
        'carries `API-Version`.',
      'Breaking changes ship only in a new major version. A new optional member of a response is ' +
        'no breaking change.',
      'A deprecated version keeps working for at least 180 days after its first `Deprecation` ' +
        'header (RFC 9745). Its responses carry `Sunset` (RFC 8594) and a `Link` to the notice.',
      'Nothing is deprecated now.',
    ]),
  ];
}
