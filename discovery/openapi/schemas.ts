import * as z from 'zod';
import { Boundary, Metric, Proof } from '../../brand/profile/schema.ts';
import { NOTE_FIELDS } from '../../rest/form-fields.ts';
import { STATUS } from '../../rest/response.ts';
import { routesOf } from '../../rest/routes.ts';
import { Match } from '../../tools/ask-brand.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../tools/errors.ts';
import { MOST_FAULTS } from '../../tools/faults.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Tool } from '../../tools/tool.ts';
import { errorCodes } from '../documents/agents-md.ts';
import type { Site } from '../documents/site.ts';
import {
  A2aRequest,
  A2aResponse,
  JsonRpcError,
  JsonRpcRequest,
  JsonRpcResponse,
  McpDescriptor,
} from './mcp-schemas.ts';

export const schemaRef = (name: string) => ({ $ref: pointer(name) });

const pointer = (name: string) => `#/components/schemas/${name}`;

/** `components.schemas`: every schema by its name, with a reference wherever one stands inside another. */
export function schemaComponents(site: Site): Record<string, object> {
  const rows: readonly SchemaRow[] = [...site.tools.flatMap(toolRows), apiError(errorCodes(site)), ...ROWS];
  const registry = z.registry<{ id: string }>();
  for (const { id, schema } of rows) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: pointer,
    override: removeForeignKeywords,
  });
  return Object.fromEntries(
    rows.map(({ id, description, isInput }) => {
      const { $schema, $id, additionalProperties, ...schema } = schemas[id] ?? {};
      return [id, { description, ...schema, ...(isInput && { additionalProperties }) }];
    }),
  );
}

/** One field of a tool, as it stands in the schema of its request. */
export function fieldSchema({ input }: Tool, name: string): Readonly<Record<string, unknown>> {
  const field = z.toJSONSchema(input, { io: 'input' }).properties?.[name];
  if (typeof field !== 'object') throw new Error(`there is no field ${name}`);
  return field;
}

interface SchemaRow {
  readonly id: string;
  readonly schema: z.ZodObject;
  readonly description: string;
  /** Members that it does not name are refused. An output may gain a member in a later version. */
  readonly isInput?: boolean;
}

/**
 * Ends of the names of request schemas. openapi-python-client sends a class as every media type that names
 * it.
 */
const NAME_ENDS = {
  'application/json': '',
  'application/x-www-form-urlencoded': 'Form',
  'multipart/form-data': 'Multipart',
} as const;

export const bodySchema = (request: string, type: keyof typeof NAME_ENDS) => `${request}${NAME_ENDS[type]}`;

/** What a form may carry besides the fields of the tool. JSON may not. */
const FORM_FIELDS = z.object({
  _next: formField(
    'The full address of the page after success, of this server or of an origin that the operator allows. It gets `?reference=`.',
  ),
  _key: formField('Any text. The same client with the same key and fields sends one submission.'),
  _gotcha: formField('Hidden and empty. Filled in, the mail is marked as suspect.'),
  ...Object.fromEntries(
    NOTE_FIELDS.map(name => [name, formField("For the team's mail, shortened to 500 characters.")]),
  ),
});

function formField(description: string) {
  return z.string().max(4000).optional().meta({ description });
}

function toolRows(tool: Tool, _: number, tools: readonly Tool[]): SchemaRow[] {
  const [request, response] = tool.schemas;
  const answering = tools.flatMap(({ name, schemas }) => (schemas[1] === response ? [`\`${name}\``] : []));
  const forms = routesOf([tool]).flatMap(({ input }) => (input.from === 'body' ? input.forms : []));
  return [
    ...(['application/json', ...forms] as const).map(type => ({
      id: bodySchema(request, type),
      schema: type === 'application/json' ? tool.input.clone() : tool.input.extend(FORM_FIELDS.shape),
      description: `What \`${tool.name}\` needs, as ${type}.${type === 'application/json' ? '' : FURTHER_FIELDS}`,
      isInput: true,
    })),
    { id: response, schema: tool.output, description: `Answers of ${answering.join(' and ')}.` },
  ];
}

const FURTHER_FIELDS =
  " A browser may send further fields, which go into the team's mail; from a program they are a `validation_error`.";

/**
 * Removes `readOnly`, which is TypeScript's, and patterns with classes of Unicode, which many validators
 * cannot read.
 */
function removeForeignKeywords({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.readOnly;
  if (jsonSchema.pattern?.includes('\\p{')) delete jsonSchema.pattern;
}

const StatusOk = z.object({
  ok: z.literal(true).meta({ description: 'Always true.' }),
  status: z.literal('ok').meta({ description: 'Always ok.' }),
  service: z.literal(SERVICE.name).meta({ description: 'Name of the service.' }),
  api_version: z.literal(SERVICE.apiVersion).meta({ description: 'Major version of the API.' }),
  time: z.string().max(40).meta({ description: 'ISO 8601, UTC.', format: 'date-time' }),
  profile: z
    .literal('expired')
    .meta({ description: 'Present once the brand profile has expired.' })
    .optional(),
});

/** @param codes those that can stand in it */
function errorShape(codes: readonly ErrorCode[]) {
  const meanings = codes.map(code => `- \`${code}\` (${STATUS[code]}): ${ERRORS[code].message}`);
  return {
    ok: z.literal(false).meta({ description: 'Always false.' }),
    error: z.string().max(500).meta({ description: 'What happened, for people.' }),
    code: z.enum(codes).meta({ description: `What happened, for programs.\n${meanings.join('\n')}` }),
    hint: z.string().max(500).meta({ description: 'What to do about it: follow it.' }),
  };
}

const apiError = (codes: readonly ErrorCode[]): SchemaRow => ({
  id: 'ApiError',
  schema: z.object(errorShape(codes)),
  description: 'The body of every error of the REST endpoints and of a failed tool.',
});

/**
 * One shape for the codes of a 400, and no `oneOf`: generated clients and models read it without guessing.
 */
const ValidationError = z.object({
  ...errorShape(ERROR_CODES.filter(code => STATUS[code] === 400)),
  issues: z.array(z.string().max(400)).min(1).max(MOST_FAULTS).optional().meta({
    description: 'Where the code is `validation_error`: one entry for each invalid field, `field: rule`.',
  }),
});

const ROWS: readonly SchemaRow[] = [
  { id: 'Match', schema: Match, description: 'A claim that answers the question.' },
  { id: 'Metric', schema: Metric, description: 'The figure behind a claim.' },
  { id: 'Boundary', schema: Boundary, description: 'Where a claim applies and where it does not.' },
  { id: 'Proof', schema: Proof, description: 'What backs a claim.' },
  { id: 'StatusOk', schema: StatusOk, description: 'The service is up.' },
  { id: 'ValidationError', schema: ValidationError, description: 'A request that was not accepted.' },
  {
    id: 'JsonRpcRequest',
    schema: JsonRpcRequest,
    description:
      'One JSON-RPC 2.0 message. Without an id it is a notification, which is acknowledged with an empty 202.',
  },
  {
    id: 'JsonRpcResponse',
    schema: JsonRpcResponse,
    description:
      'The answer to a request: a result, or a protocol error. A tool that failed is a result with `isError` true and ' +
      'an ApiError as text.',
  },
  {
    id: 'JsonRpcError',
    schema: JsonRpcError,
    description: 'A protocol error. An id that is not known is null, or absent in MCP 2026-07-28.',
  },
  { id: 'A2aRequest', schema: A2aRequest, description: 'A JSON-RPC 2.0 request of A2A 1.0.' },
  {
    id: 'A2aResponse',
    schema: A2aResponse,
    description: 'The answer: a message with the matches, or an error of JSON-RPC or A2A.',
  },
  { id: 'McpDescriptor', schema: McpDescriptor, description: 'What the MCP endpoint is.' },
];
