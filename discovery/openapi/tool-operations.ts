import { ROUTES, type ToolRoute } from '../../rest/routes.ts';
import { BUCKETS, limitText } from '../../tools/policies.ts';
import type { ToolDescription } from '../../tools/tool.ts';
import type { Site } from '../documents/site.ts';
import { type Fault, faultAnswers, PAGE } from './faults.ts';
import { fieldRules } from './field-rules.ts';
import { PURPOSES } from './purposes.ts';
import { requestBody } from './request-body.ts';
import { type Answer, responses } from './responses.ts';
import { schemaNames, schemaRef } from './schemas.ts';

/** The path items of the REST facade: every row and alias of ROUTES. */
export function toolPaths(site: Site): Record<string, object> {
  const paths = new Set(ROUTES.flatMap(({ path, aliases }) => [path, ...aliases]));
  return Object.fromEntries([...paths].map(path => [path, pathItem(path, site)]));
}

function pathItem(path: string, site: Site): object {
  const rows = ROUTES.filter(route => route.path === path || route.aliases.includes(path));
  return Object.fromEntries(rows.map(route => [route.method.toLowerCase(), operation(route, path, site)]));
}

function operation(route: ToolRoute, path: string, { policies, presentation }: Site): object {
  const { tool, method, limit, input } = route;
  const described = tool.describe(presentation);
  const { tag, purpose } = PURPOSES[tool.name] ?? { tag: '', purpose: '' };
  const alias = path === route.path ? '' : ` Alias of ${route.path}, pinned to the same version.`;
  const counted = limit.counts === 'accepted' ? ' Failed validations do not count.' : '';
  return {
    tags: [tag],
    operationId: `${camel(tool.name)}${method === 'GET' ? 'ByGet' : ''}${alias && 'Alias'}`,
    summary: `${described.title}${method === 'GET' ? ' (GET)' : ''}${alias && ' (alias)'}`,
    description: `${purpose} Limit: ${limitText(BUCKETS[limit.bucket], policies)}.${counted}${alias}`,
    ...(input.from === 'query'
      ? { parameters: queryParameters(described, input.parameters) }
      : { parameters: acts(route) ? [IDEMPOTENCY_KEY] : [], requestBody: requestBody(described, input) }),
    responses: responses(`${method} ${route.path}`, answers(route)),
  };
}

/** It sends something in somebody's name, rather than reading. */
const acts = ({ tool }: ToolRoute) => !tool.annotations.readOnlyHint;

function queryParameters({ inputSchema }: ToolDescription, parameters: Readonly<Record<string, string>>) {
  return Object.entries(parameters).map(([name, argument]) => {
    const { description, examples, ...schema } = inputSchema.properties[argument] ?? {};
    return {
      name,
      in: 'query',
      required: inputSchema.required?.includes(argument) ?? false,
      description,
      schema: { ...schema, ...fieldRules(argument, schema) },
      ...(Array.isArray(examples) && { example: examples[0] }),
    };
  });
}

const IDEMPOTENCY_KEY = { $ref: '#/components/parameters/IdempotencyKey' };

function answers(route: ToolRoute): Answer[] {
  const [, response] = schemaNames(route.tool);
  const forms = takesForms(route);
  const json = { 'application/json': schemaRef(response) };
  return [
    {
      status: 200,
      description: PURPOSES[route.tool.name]?.result ?? '',
      content: { ...json, ...(forms && { 'text/html': PAGE }) },
    },
    ...(forms ? [SENT_ON] : []),
    ...faultAnswers(faults(route), forms),
  ];
}

const takesForms = ({ input }: ToolRoute) => input.from === 'body' && input.forms.length > 0;

const SENT_ON: Answer = {
  status: 303,
  description: 'A plain form post of a browser was accepted, and the operator has a page to show next.',
  headers: ['Location'],
};

/** What the tool raises, and what the way to it adds. */
function faults({ tool, input, readableFrom }: ToolRoute): Fault[] {
  return [
    ...tool.errors.map(code => ({ code })),
    { code: 'rate_limited' },
    ...(input.from === 'query' ? QUERY_FAULTS : bodyFaults(input.maxBytes)),
    ...(readableFrom === 'listed' ? [CROSS_SITE] : []),
  ];
}

const QUERY_FAULTS: readonly Fault[] = [
  { code: 'invalid_request', when: 'The query string is not valid UTF-8.' },
  { code: 'invalid_request', status: 431, when: 'URL and headers together are too large; use POST.' },
];

const bodyFaults = (maxBytes: number): readonly Fault[] => [
  { code: 'invalid_request' },
  { code: 'invalid_request', status: 413, when: `The body is larger than ${maxBytes} bytes.` },
];

const CROSS_SITE: Fault = {
  code: 'invalid_request',
  status: 403,
  when: 'A page of another site made a browser send this.',
};

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
