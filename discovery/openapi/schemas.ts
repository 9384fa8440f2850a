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
import { A2aRequest, JsonRpcError, JsonRpcRequest, JsonRpcResponse, McpDescriptor } from './rpc-schemas.ts';

export const schemaRef = (name: string) => ({ $ref: pointer(name) });

const pointer = (name: string) => `#/components/schemas/${name}`;

/** `components.schemas`: every schema by its name. A schema inside another is a reference. */
export function schemaComponents(tools: readonly Tool[]): Record<string, object> {
  const named = { ...Object.assign({}, ...tools.map(toolSchemas)), ...SCHEMAS };
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries<z.ZodObject>(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: pointer,
    override: removeForeignKeywords,
  });
  for (const [id, schema] of Object.entries(schemas)) {
    delete schema.$schema;
    delete schema.$id;
    // A later version may add members to parts of an answer.
    if (id in SCHEMAS) delete schema.additionalProperties;
  }
  return schemas;
}

/** The schema of one field of a tool's request. */
export function fieldSchema({ input }: Tool, name: string): Readonly<Record<string, unknown>> {
  const field = z.toJSONSchema(input, { io: 'input' }).properties?.[name];
  if (typeof field !== 'object') throw new Error(`there is no field ${name}`);
  return field;
}

/**
 * Each media type has its own request schema, named with one of these ends: openapi-python-client would send
 * a shared class as every media type.
 */
const NAME_ENDS = {
  'application/json': '',
  'application/x-www-form-urlencoded': 'Form',
  'multipart/form-data': 'Multipart',
} as const;

export const bodySchema = (request: string, type: keyof typeof NAME_ENDS) => `${request}${NAME_ENDS[type]}`;

/** Fields that a form may have besides the tool's. JSON may not. */
const FORM_FIELDS = z.object({
  _next: formField(
    'The full address of the page after success, of this server or of an origin that the ' +
      'operator allows. It gets `?reference=`.',
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

function toolSchemas(tool: Tool): Readonly<Record<string, z.ZodObject>> {
  const { name, input, output, schemas } = tool;
  const [request, response] = schemas;
  const forms = routesOf([tool]).flatMap(route => (route.input.from === 'body' ? route.input.forms : []));
  const formSchemas = forms.map(type => {
    const description = `What \`${name}\` needs, as ${type}. ${FURTHER_FIELDS}`;
    return [bodySchema(request, type), input.extend(FORM_FIELDS.shape).meta({ description })];
  });
  return { [request]: input.clone(), ...Object.fromEntries(formSchemas), [response]: output };
}

const FURTHER_FIELDS =
  "A browser may send further fields, which go into the team's mail; from a program they are a " +
  '`validation_error`.';

/**
 * Removes `advice` for authors of a profile, `readOnly`, a mark of TypeScript's types, and Unicode patterns,
 * which many validators cannot read.
 */
function removeForeignKeywords({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.advice;
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

/** The schema of an error. @param codes values of `code` */
function errorShape(codes: readonly ErrorCode[]) {
  const meanings = codes.map(code => `- \`${code}\` (${STATUS[code]}): ${ERRORS[code].message}`);
  return z.object({
    ok: z.literal(false).meta({ description: 'Always false.' }),
    error: z.string().max(500).meta({ description: 'What happened, for people.' }),
    code: z.enum(codes).meta({ description: `What happened, for programs.\n${meanings.join('\n')}` }),
    hint: z.string().max(500).meta({ description: 'What to do about it: follow it.' }),
  });
}

/**
 * One schema for all codes of a 400 instead of a `oneOf`, which generated clients and models have to guess
 * at.
 */
const ValidationError = errorShape(ERROR_CODES.filter(code => STATUS[code] === 400)).extend({
  issues: z.array(z.string().max(400)).min(1).max(MOST_FAULTS).optional().meta({
    description: 'Where the code is `validation_error`: one entry for each invalid field, `field: rule`.',
  }),
});

const SCHEMAS = {
  Match,
  Metric,
  Boundary,
  Proof,
  StatusOk,
  ApiError: errorShape(ERROR_CODES).meta({
    description: 'The body of every error of the REST endpoints and of a failed tool.',
  }),
  ValidationError,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcError,
  A2aRequest,
  McpDescriptor,
};
