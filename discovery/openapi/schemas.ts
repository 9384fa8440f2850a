import { ERRORS, type ErrorCode } from '../../tools/errors.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Presentation } from '../../tools/presentation.ts';
import { SERVICE } from '../../tools/service.ts';
import type { Tool, ToolDescription } from '../../tools/tool.ts';
import { fieldRules } from './field-rules.ts';
import { MCP_SCHEMAS } from './mcp-schemas.ts';
import { withParts } from './parts.ts';

/** The contract's names of what goes into a tool and what comes out of it. */
const NAMES: Readonly<Record<string, readonly [request: string, response: string]>> = {
  ask_brand: ['AskRequest', 'AskResponse'],
  request_diagnostic: ['DiagnosticRequest', 'SubmitOk'],
  apply_partner_program: ['PartnerRequest', 'SubmitOk'],
};

/** A tool that the contract does not name gets names from its own: `some_tool` is SomeToolRequest. */
export function schemaNames({ name }: Pick<Tool, 'name'>): readonly [request: string, response: string] {
  const pascal = name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return NAMES[name] ?? [`${pascal}Request`, `${pascal}Response`];
}

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** `components.schemas` */
export function schemaComponents(presentation: Presentation): Record<string, object> {
  return {
    ...Object.fromEntries(TOOLS.flatMap(tool => toolSchemas(tool.describe(presentation)))),
    StatusOk: STATUS_OK,
    ApiError: errorSchema(ERROR_CODES),
    ValidationError: VALIDATION_ERROR,
    ...MCP_SCHEMAS,
  };
}

function toolSchemas(tool: ToolDescription): [string, object][] {
  const [request, response] = schemaNames(tool);
  const { inputSchema, outputSchema } = tool;
  const properties = Object.fromEntries(
    Object.entries(inputSchema.properties).map(([name, schema]) => [name, { ...schema, ...fieldRules(name, schema) }]),
  );
  return [
    [request, { description: `What \`${tool.name}\` needs.`, ...inputSchema, properties }],
    ...withParts(response, outputSchema),
  ];
}

const STATUS_OK = {
  type: 'object',
  description: 'The service is up.',
  required: ['ok', 'status', 'service', 'api_version', 'time'],
  properties: {
    ok: { type: 'boolean', const: true, description: 'Always true.' },
    status: { type: 'string', const: 'ok', description: 'Always ok.' },
    service: { type: 'string', const: SERVICE.name, description: 'Name of the service.' },
    api_version: { type: 'string', const: SERVICE.apiVersion, description: 'Major version of the API.' },
    time: { type: 'string', format: 'date-time', description: 'ISO 8601, UTC.', maxLength: 40 },
  },
};

const ERROR_CODES = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);

function errorSchema(codes: readonly ErrorCode[]) {
  const meanings = codes.map(code => `- \`${code}\` (${ERRORS[code].status}): ${ERRORS[code].message}`);
  return {
    type: 'object',
    description: 'Every error of the REST facade has this shape.',
    required: ['ok', 'error', 'code', 'hint'],
    properties: {
      ok: { type: 'boolean', const: false, description: 'Always false.' },
      error: { type: 'string', description: 'What happened, for people.', maxLength: 500 },
      code: { type: 'string', enum: codes, description: `What happened, for programs.\n${meanings.join('\n')}` },
      hint: { type: 'string', description: 'What to do about it.', maxLength: 500 },
    },
  };
}

const REFUSED = errorSchema(ERROR_CODES.filter(code => ERRORS[code].status === 400));

/** One shape for the codes of a 400, and neither `oneOf` nor `if`: generated clients and models read it without guessing. */
const VALIDATION_ERROR = {
  ...REFUSED,
  description: 'A request that was not accepted; `issues` is there when the code is `validation_error`.',
  properties: {
    ...REFUSED.properties,
    issues: {
      type: 'array',
      description: 'One entry for each invalid field: `field: rule`.',
      items: { type: 'string', maxLength: 400 },
      minItems: 1,
      maxItems: 10_000,
    },
  },
};
