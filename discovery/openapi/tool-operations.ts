import { MAX_BODY_BYTES } from '../../rest/body.ts';
import { isSubmission, routesOf, type ToolRoute } from '../../rest/routes.ts';
import { BUCKETS } from '../../tools/policies.ts';
import { isQuestion, type Tool } from '../../tools/tool.ts';
import { exampleArguments, exampleResult } from '../documents/examples.ts';
import { confirmationRules } from '../documents/guidance.ts';
import type { Site } from '../documents/site.ts';
import {
  type Answer,
  type Fault,
  faultAnswers,
  isLinked,
  jsonContent,
  limitSentence,
  responses,
} from './responses.ts';
import { bodySchema, fieldSchema, schemaRef } from './schemas.ts';

/** The path items of the REST facade: every route and its aliases. */
export function toolPaths(site: Site): Record<string, object> {
  const paths = new Set(routesOf(site.tools).flatMap(({ path, aliases }) => [path, ...aliases]));
  return Object.fromEntries([...paths].map(path => [path, pathItem(path, site)]));
}

function pathItem(path: string, site: Site): object {
  const rows = routesOf(site.tools).filter(route => route.path === path || route.aliases.includes(path));
  return Object.fromEntries(
    rows.map(route => [route.method.toLowerCase(), toolOperation(route, path, site)]),
  );
}

function toolOperation(route: ToolRoute, path: string, site: Site): object {
  const { tool, method, bucket, input } = route;
  const alias = path === route.path ? '' : ` Alias of ${route.path}, pinned to the same version.`;
  const free = isSubmission(route) ? ' Failed validations do not count.' : '';
  return {
    tags: [tool.submits ? 'Forms' : 'Questions'],
    operationId: `${camel(tool.name)}${method === 'GET' ? 'ByGet' : ''}${alias && 'Alias'}`,
    summary: `${tool.title}${method === 'GET' ? ' (GET)' : ''}${alias && ' (alias)'}`,
    description: [
      tool.description,
      ...(isSubmission(route) ? [AUTOMATE] : []),
      ...confirmationRules([tool]),
      ...pageSentence(route),
      `${limitSentence(BUCKETS[bucket], site)}${free}${alias}`,
    ].join(' '),
    ...(input.from === 'query'
      ? { parameters: queryParameters(route, input.parameters, site) }
      : {
          parameters: isSubmission(route) ? [IDEMPOTENCY_KEY_REF] : [],
          requestBody: requestBody(route, input, site),
        }),
    responses: responses(toolAnswers(route, site), isLinked(site)),
  };
}

const AUTOMATE = 'To automate submissions, use the tool at POST /mcp.';

/** The other representation of an address. */
function pageSentence({ input, tool }: ToolRoute): string[] {
  if (input.from === 'query')
    return ['A request that prefers text/html in Accept gets the answer, or the error, as a page.'];
  if (input.forms.length === 0 || !tool.submits) return [];
  return [
    'A form post that prefers text/html in Accept gets 303 to a page that names the reference, or to `_next`; an error is a page with the form and what was typed.',
  ];
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** In the order in which the description lists them. */
export const tagsOf = (site: Site) => [
  { name: 'Questions', description: 'Natural-language questions, answered from the brand profile.' },
  ...(routesOf(site.tools).some(isSubmission)
    ? [{ name: 'Forms', description: 'The forms of the website, which a human answers.' }]
    : []),
  { name: 'Status', description: 'Liveness.' },
  { name: 'MCP', description: 'The same as tools of the Model Context Protocol.' },
  ...(site.off.has('a2a') ? [] : [{ name: 'A2A', description: 'Questions over Agent2Agent.' }]),
];

function requestBody({ tool }: ToolRoute, { forms }: BodyInput, site: Site) {
  const [request] = tool.schemas;
  const example = exampleArguments(tool, site);
  const types = ['application/json', ...forms] as const;
  return {
    required: true,
    description: `At most ${MAX_BODY_BYTES} bytes, UTF-8, not compressed.`,
    content: Object.fromEntries(
      types.map(type => [
        type,
        { schema: schemaRef(bodySchema(request, type)), ...(example && { example }) },
      ]),
    ),
  };
}

type BodyInput = Extract<ToolRoute['input'], { from: 'body' }>;

function queryParameters({ tool }: ToolRoute, parameters: Readonly<Record<string, string>>, site: Site) {
  return Object.entries(parameters).map(([name, argument]) => {
    const { description, ...schema } = fieldSchema(tool, argument);
    const example = exampleArguments(tool, site)?.[argument];
    return {
      name,
      in: 'query',
      required: true,
      description,
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

const IDEMPOTENCY_KEY_REF = { $ref: '#/components/parameters/IdempotencyKey' };

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeat safe: the same key with the same body gets the stored answer and sends nothing again; the same key ' +
    'with another body is a `validation_error`, unless another client sends it. Without a key each submission is a new one.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};

/**
 * JSON alone has a schema. Browsers get pages at the same paths, which the description says: a second media
 * type beside JSON makes generators of strict clients answer with a union, or with code that does not
 * compile.
 */
function toolAnswers({ tool, input }: ToolRoute, site: Site): Answer[] {
  const [, response] = tool.schemas;
  return [
    {
      status: 200,
      description: successText(tool, site),
      content: jsonContent(response, exampleResult(tool, site)),
    },
    ...(input.from === 'body' && input.forms.length > 0 ? [SEE_OTHER] : []),
    ...faultAnswers([
      ...tool.errors.map(code => ({ code })),
      ...(input.from === 'query' ? QUERY_FAULTS : bodyFaults(input)),
      { code: 'rate_limited' },
      ...(tool.submits ? [CROSS_SITE] : []),
    ]),
  ];
}

function successText(tool: Tool, { mode }: Site): string {
  if (tool.submits) return DONE[mode];
  return isQuestion(tool) ? 'Matches, most similar first.' : tool.title;
}

const SEE_OTHER: Answer = {
  status: 303,
  description: 'A form post that prefers text/html has succeeded: go on to the page in Location.',
  headers: ['Location'],
};

const QUERY_FAULTS: readonly Fault[] = [
  { code: 'invalid_request', when: 'The query string is not valid UTF-8.' },
  { code: 'invalid_request', status: 431, when: 'URL and headers together are too large; use POST.' },
];

const DONE = {
  production: 'It has reached the team.',
  'dry-run': 'It is kept. This is a dry run: nobody gets mail.',
} as const;

const bodyFaults = ({ forms }: BodyInput): readonly Fault[] => [
  { code: 'invalid_request', ...(forms.length === 0 && { when: 'The body is not valid JSON in UTF-8.' }) },
  { code: 'invalid_request', status: 413, when: `The body is larger than ${MAX_BODY_BYTES} bytes.` },
];

const CROSS_SITE: Fault = {
  code: 'invalid_request',
  status: 403,
  when: 'A page of another site made a browser send this.',
};
