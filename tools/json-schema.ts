import * as z from 'zod';

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/**
 * The published JSON Schema of a zod object: flat and self-contained, without `$schema`, `$ref`, `pattern` and
 * `format`, each of which some MCP hosts reject. Those rules stand in the descriptions and are enforced at run time.
 * @throws Error at start when a schema cannot be published this way
 */
export function publishedSchema(schema: z.ZodObject, side: 'input' | 'output'): ObjectSchema {
  const override = side === 'input' ? dropUnwelcome : openUp;
  const { $schema: _, ...published } = z.toJSONSchema(schema, { reused: 'inline', override });
  if (published.type !== 'object' || published.$defs) throw new Error('a published schema is one flat object');
  return { ...published, type: 'object', properties: plain(published.properties) };
}

function dropUnwelcome({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.pattern;
  delete jsonSchema.format;
}

/** An output may gain a member in a later version, and says nothing about who may write it. */
function openUp(context: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  dropUnwelcome(context);
  delete context.jsonSchema.additionalProperties;
  delete context.jsonSchema.readOnly;
}

function plain(properties: z.core.JSONSchema.BaseSchema['properties']): ObjectSchema['properties'] {
  return Object.fromEntries(Object.entries(properties ?? {}).filter(isSchema));
}

function isSchema(entry: [string, z.core.JSONSchema._JSONSchema]): entry is [string, z.core.JSONSchema.BaseSchema] {
  return typeof entry[1] === 'object';
}
