import { MAX_BODY_BYTES } from '../../rest/body.ts';
import { routesOf, STATUS_PATH, type ToolRoute } from '../../rest/routes.ts';
import { ERROR_CODES } from '../../tools/errors.ts';
import { SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { isQuestion, type Tool } from '../../tools/tool.ts';
import { A2A_VERSION } from './agent-card.ts';
import { A2A_PATH, type Documents, MCP_PATH, targets } from './document.ts';
import { exampleArguments, exampleResult } from './examples.ts';
import {
  answerRules,
  CLIENT,
  hasActions,
  IDEMPOTENCY,
  serverSentence,
  submissionRules,
  trust,
  whenNotToUse,
  whenToUse,
} from './guidance.ts';
import { RPC_MEANINGS } from './limit-rows.ts';
import {
  bullets,
  documentLinks,
  errorTable,
  fieldTable,
  jsonBlock,
  limitTable,
  page,
  table,
} from './markdown.ts';
import type { Site } from './site.ts';

/** AGENTS.md of the site: one page from which an agent can do all there is to do. */
export function agentsMd(site: Site, documents: Documents): string {
  const { baseUrl, tools } = site;
  const contract = targets(site, documents, '/openapi.json');
  return page(
    `# ${site.serverInfo.title}: for agents`,
    serverSentence(site),
    `Everything here is public: no authentication, no keys. ${contract.map(({ href }) => `The contract: ${href}`).join('')}`,
    '## In one minute',
    ...inOneMinute(site),
    '## When to use it',
    bullets([...whenToUse(site), ...whenNotToUse(site).map(not => `not ${not}`)]),
    '## Connect over MCP',
    `Streamable HTTP at \`POST ${baseUrl}${MCP_PATH}\`, MCP ${SUPPORTED_REVISIONS.join(', ')}; every answer is JSON, there is no event stream and no session.`,
    ...tools.flatMap(tool => [`### ${tool.name}`, tool.description, fieldTable(tool)]),
    '## Or over HTTP',
    endpointTable(site),
    ...(hasActions(site) ? [IDEMPOTENCY] : []),
    '## What comes back',
    ...tools.flatMap(tool => successOf(tool, site)),
    '## Answering from claims',
    bullets(answerRules(site)),
    ...(hasActions(site) ? ['## Submitting for a person', bullets(submissionRules(site))] : []),
    '## Limits',
    limitTable(site),
    bullets(limitRules(site)),
    '## Errors',
    bullets([...errorRules(site), PROTOCOL_ERRORS]),
    errorTable(errorCodes(site)),
    '## Versions',
    bullets(versionRules(site)),
    '## Trust',
    trust(site),
    '## More',
    bullets(documentLinks(site, documents, AGENTS_PATH)),
  );
}

export const AGENTS_PATH = '/AGENTS.md';

export function endpointTable({ off, tools }: Pick<Site, 'off' | 'tools'>): string {
  const mcp = ['POST', `\`${MCP_PATH}\``, '`application/json`', 'the tools, over MCP'];
  const a2a = [
    'POST',
    `\`${A2A_PATH}\``,
    '`application/json`',
    `A2A ${A2A_VERSION}, read-only, with the header \`A2A-Version: ${A2A_VERSION}\`: a message in words is a question`,
  ];
  return table(
    ['Method', 'Path', 'Takes', 'Same as'],
    [
      ...routesOf(tools).map(route => [route.method, paths(route), takes(route), `\`${route.tool.name}\``]),
      mcp,
      ['GET', `\`${MCP_PATH}\``, '', 'what the MCP endpoint is: tools and limits'],
      ...(off.has('a2a') ? [] : [a2a]),
      ['GET', `\`${STATUS_PATH}\``, '', 'whether the service is up'],
    ],
  );
}

const paths = ({ path, aliases }: ToolRoute) => [path, ...aliases].map(name => `\`${name}\``).join(', ');

function takes({ input }: ToolRoute): string {
  if (input.from === 'query')
    return Object.keys(input.parameters)
      .map(name => `query parameter \`${name}\``)
      .join(', ');
  return `${['application/json', ...input.forms].map(type => `\`${type}\``).join(', ')}; at most ${MAX_BODY_BYTES} bytes`;
}

function successOf(tool: Tool, site: Site): string[] {
  const example = exampleResult(tool, site);
  if (example === undefined) return [];
  return [`\`${tool.name}\`${isQuestion(tool) ? ', with the first match alone' : ''}:`, jsonBlock(example)];
}

/** The codes that a client of this service can meet. */
export const errorCodes = (site: Site) =>
  ERROR_CODES.filter(code => code !== 'delivery_failed' || hasActions(site));

export const limitRules = (site: Site): readonly string[] => [
  CLIENT,
  ...(hasActions(site) ? ['Failed validations do not count against the limits of submissions.'] : []),
  `Every response shows the limits in its \`RateLimit\` headers; the 400 of \`POST ${MCP_PATH}\` is the exception.`,
  'A request over a limit gets 429 with `Retry-After` in seconds; over MCP that is the JSON-RPC error -32000.',
];

export const errorRules = (site: Site): readonly string[] => [
  'Over REST an error is JSON: `ok` false, `error`, `code`, `hint` and, for a `validation_error`, `issues` with one `field: rule` each.',
  ...(hasActions(site) ? ['A form post of a browser gets a page instead of JSON.'] : []),
  'Over MCP a tool that failed is a result with `isError` true and that JSON as text.',
];

const PROTOCOL_ERRORS = `Protocol errors of MCP: ${RPC_MEANINGS.map(([code, meaning]) => `${code} ${meaning}`).join('; ')}.`;

/**
 * The three ways in, each to be copied: a question over HTTP, the setting of an MCP client, the box on a
 * website.
 */
function inOneMinute(site: Site): string[] {
  const { baseUrl, off, profile, tools } = site;
  const server = { type: 'http', url: `${baseUrl}${MCP_PATH}` };
  const asking = tools.find(isQuestion);
  const query = String((asking && exampleArguments(asking, site)?.query) ?? '…').replaceAll("'", '’');
  const embed = `<script src="${baseUrl}/embed.js" async></script>\n<aval-ask style="display:block;min-height:15rem"></aval-ask>`;
  return [
    'Ask over HTTP:',
    codeBlock('sh', `curl -s --get '${baseUrl}/ask' --data-urlencode 'q=${query}'`),
    'Add the server to an MCP client:',
    jsonBlock({ mcpServers: { [profile?.id ?? SERVICE.name]: server } }),
    ...(off.has('embed') ? [] : ['Put the question box on a web page:', codeBlock('html', embed)]),
  ];
}

const codeBlock = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

function versionRules({ tools }: Site): string[] {
  const aliases = routesOf(tools).flatMap(route => route.aliases.map(alias => `\`${alias}\``));
  return [
    `REST endpoints live under \`/api/v${SERVICE.apiVersion}\`${aliases.length > 0 ? `; ${aliases.join(' and ')} are pinned to it` : ''}. Every response carries \`API-Version\`.`,
    'Breaking changes ship only in a new major version. A new optional member of a response is no breaking change.',
    `A deprecated version keeps working for at least 180 days after its first \`Deprecation\` header (RFC 9745). Its responses carry \`Sunset\` (RFC 8594) and a \`Link\` to the notice.`,
    'Nothing is deprecated now.',
  ];
}
