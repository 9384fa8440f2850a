import * as z from 'zod';
import { ServiceError } from '../../../tools/errors.ts';
import type { Tool, ToolListing } from '../../../tools/tool.ts';

/** The tools that the conformance suite calls by name. They exist in `npm run check:clients` alone. */
export const FIXTURES: readonly Tool[] = [
  fixture('test_simple_text', { type: 'object', properties: {} }, { text: 'a simple text' }),
  fixture(
    'test_error_handling',
    { type: 'object', properties: {} },
    new ServiceError('not_configured', { message: 'This tool intentionally returns an error for testing.' }),
  ),
  fixture(
    'json_schema_2020_12_tool',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    { ok: true },
  ),
];

function fixture(name: string, inputSchema: ToolListing['inputSchema'], body: object): Tool {
  const described = {
    name,
    title: name,
    description: 'A fixture of the conformance suite.',
    inputSchema,
    outputSchema: { type: 'object' as const, properties: {} },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
  return {
    ...described,
    when: '',
    schemas: ['Request', 'Response'],
    listing: () => described,
    input: z.object({}),
    output: z.object({}),
    errors: [],
    async call() {
      if (body instanceof ServiceError) throw body;
      return { brand: '', query: '', matches: [] };
    },
    body: () => body,
  };
}
