import { MAX_BODY_BYTES } from '../../rest/body.ts';
import { hasPage } from '../../rest/reply.ts';
import { isSubmission, routesOf, type ToolRoute } from '../../rest/routes.ts';
import type { ErrorCode } from '../../tools/errors.ts';
import { BUCKETS } from '../../tools/policies.ts';
import { exampleArguments, exampleResult } from '../documents/examples.ts';
import { limitText } from '../documents/guidance.ts';
import type { Site } from '../documents/site.ts';
import { type Answer, errorAnswers, refusal, responses } from './responses.ts';
import { bodySchema, fieldSchema, schemaRef } from './schemas.ts';

/** Path items of the REST API: every route and its aliases. */
export function toolPaths(site: Site): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const route of routesOf(site.tools)) {
    for (const path of [route.path, ...route.aliases]) {
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: toolOperation(route, path, site) };
    }
  }
  return paths;
}

function toolOperation(route: ToolRoute, path: string, site: Site): object {
  const { tool, method, bucket, input } = route;
  const isAlias = path !== route.path;
  const name = tool.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const limit = `Limit: ${limitText(BUCKETS[bucket], site.policies)}.`;
  return {
    tags: [tool.submits ? 'Forms' : 'Questions'],
    operationId: `${name}${method === 'GET' ? 'ByGet' : ''}${isAlias ? 'Alias' : ''}`,
    summary: `${tool.title}${method === 'GET' ? ' (GET)' : ''}${isAlias ? ' (alias)' : ''}`,
    description: [
      tool.description,
      ...(isSubmission(route) ? ['To automate submissions, use the tool at POST /mcp.'] : []),
      ...pageSentence(route),
      limit,
      ...(isSubmission(route) ? ['Failed validations do not count.'] : []),
      ...(isAlias ? [`Alias of ${route.path}, pinned to the same version.`] : []),
    ].join(' '),
    ...(input.from === 'query'
      ? { parameters: queryParameters(route, input.parameters, site) }
      : { requestBody: requestBody(route, input.forms, site) }),
    ...(isSubmission(route) && {
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    }),
    responses: responses(toolAnswers(route, site)),
  };
}

/** Describes what a browser gets at the same path. */
function pageSentence({ input, tool }: ToolRoute): string[] {
  if (!hasPage(tool)) return [];
  if (input.from === 'query')
    return ['A request that prefers text/html in Accept gets the answer, or the error, as a page.'];
  if (input.forms.length === 0 || !tool.submits) return [];
  return [
    'A form post that prefers text/html in Accept gets 303 to a page that names the reference, ' +
      'or to `_next`; an error is a page with the form and what was typed.',
  ];
}

function requestBody({ tool }: ToolRoute, forms: readonly FormType[], site: Site): object {
  const [request] = tool.schemas;
  const example = exampleArguments(tool, site);
  const types = ['application/json', ...forms] as const;
  const content = types.map(type => {
    const schema = schemaRef(bodySchema(request, type));
    return [type, { schema, ...(example && { example }) }];
  });
  return {
    required: true,
    description: `At most ${MAX_BODY_BYTES} bytes, UTF-8, not compressed.`,
    content: Object.fromEntries(content),
  };
}

type FormType = Extract<ToolRoute['input'], { from: 'body' }>['forms'][number];

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

/**
 * The answers of a route, with schemas for JSON only. The description mentions the pages: with text/html as a
 * second media type, client generators make unions, or code that does not compile.
 */
function toolAnswers({ tool, input }: ToolRoute, site: Site): Answer[] {
  const [, schema] = tool.schemas;
  const codes: ErrorCode[] = [...tool.errors, 'invalid_request', 'rate_limited'];
  const description = tool.submits ? 'The request was accepted.' : 'The answer.';
  const success: Answer = { status: 200, description, schema, example: exampleResult(tool, site) };
  if (input.from === 'query') {
    const texts = { invalid_request: 'The query string is not valid UTF-8.' };
    return [success, ...errorAnswers(codes, texts), refusal(431)];
  }
  const takesForms = input.forms.length > 0;
  const texts = takesForms ? {} : { invalid_request: 'The body is not valid JSON in UTF-8.' };
  return [
    success,
    ...(takesForms ? [SEE_OTHER] : []),
    ...errorAnswers(codes, texts),
    ...(tool.submits ? [refusal(403)] : []),
    refusal(413),
  ];
}

const SEE_OTHER: Answer = {
  status: 303,
  description: 'A form post that prefers text/html has succeeded: go on to the page in Location.',
};
