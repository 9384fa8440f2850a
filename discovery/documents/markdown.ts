import { STATUS } from '../../rest/response.ts';
import { routesOf, type ToolRoute } from '../../rest/routes.ts';
import type { ErrorCode } from '../../tools/errors.ts';
import { BUCKETS, type BucketName } from '../../tools/policies.ts';
import type { Tool } from '../../tools/tool.ts';
import { en } from '../../tools/words/en.ts';
import { type Documents, listing, MCP_PATH } from './document.ts';
import { exampleArguments } from './examples.ts';
import { adviceOn, limitRows, limitText } from './limit-rows.ts';
import type { Site } from './site.ts';

export const bullets = (items: readonly string[]): string => items.map(item => `- ${item}`).join('\n');

/** A table; cells are plain text. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string | number) => String(text).replaceAll('|', '\\|');

export const jsonBlock = (value: object): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** Links to all documents that lists name. @param listPath path of the list itself, which is left out */
export const documentLinks = (
  { baseUrl }: Site,
  documents: Documents,
  listPath: string,
  words = en,
): string[] =>
  documents.flatMap(document => {
    const entry = listing(document, words);
    if (!entry || document.path === listPath) return [];
    return [`[${entry.title}](${baseUrl}${document.path}): ${entry.note}`];
  });

/** Paragraphs, lists and tables, a blank line between them. */
export const page = (...blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;

export function fieldTable(tool: Tool): string {
  const rows = fieldRows(tool).map(({ name, isRequired, rule }) => [
    `\`${name}\``,
    isRequired ? 'yes' : 'no',
    rule,
  ]);
  return table(['Field', 'Required', 'Rule'], rows);
}

/** One row a field, from the tool's own schema. */
export function fieldRows(tool: Tool) {
  const { properties, required = [] } = tool.listing().inputSchema;
  return Object.entries(properties).map(([name, { description }]) => {
    return { name, isRequired: required.includes(name), rule: String(description) };
  });
}

/** How the tool is called over MCP and over REST. */
export function callGuide(tool: Tool, site: Site): string[] {
  const { baseUrl } = site;
  const call = { name: tool.name, arguments: exampleArguments(tool, site) ?? { query: '…' } };
  const calls = routesOf([tool]).map(
    route => `\`${route.method} ${baseUrl}${route.path}${queryOf(route)}\`${bodyOf(route)}`,
  );
  return [
    `Over MCP, the server at \`${baseUrl}${MCP_PATH}\` (Streamable HTTP, no authentication), as the \`params\` of \`tools/call\`:`,
    jsonBlock(call),
    ...(calls.length > 0 ? ['Over REST:', bullets(calls)] : []),
  ];
}

const queryOf = ({ input }: ToolRoute) =>
  input.from === 'query' ? `?${Object.keys(input.parameters).map(name => `${name}=…`)}` : '';

const bodyOf = ({ input }: ToolRoute) =>
  input.from === 'body' ? ` with the fields as ${['application/json', ...input.forms].join(', ')}` : '';

/** What to do about each of the codes. */
export function errorTable(codes: readonly ErrorCode[]): string {
  return table(
    ['Code', 'HTTP', 'What to do'],
    codes.map(code => [`\`${code}\``, STATUS[code], adviceOn(code)]),
  );
}

/** Every limit that is in use. */
export function limitTable(site: Pick<Site, 'policies' | 'off' | 'tools'>): string {
  return table(
    ['What', 'Limit', 'Policy'],
    limitRows(site).map(({ scope, text, policy }) => [scope, text, `\`${policy}\``]),
  );
}

/** The limits that a call of the tool meets, over MCP and over REST. */
export function limitLines(tool: Tool, { policies }: Site): string[] {
  const buckets: BucketName[] = [
    'mcp',
    ...(tool.submits ? (['actions', 'actions-service'] as const) : []),
    ...new Set(routesOf([tool]).map(route => route.bucket)),
  ];
  return buckets.map(name => `${BUCKETS[name].covers}: ${limitText(BUCKETS[name], policies)}`);
}
