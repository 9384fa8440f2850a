import * as z from 'zod';
import { isRecord } from './record.ts';

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

/**
 * A published output as tools/list shows it: its members and theirs, with nothing but their types. What they mean stands
 * in the description of the tool; most hosts never show a model this schema, and yet count every byte of it.
 */
export function outline({ properties, required }: ObjectSchema): ObjectSchema {
  return { type: 'object', properties: outlined(properties, 2), ...(required && { required }) };
}

type Schemas = Readonly<Record<string, unknown>>;

function outlined(properties: Schemas, levels: number): ObjectSchema['properties'] {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, shape(schema, levels - 1)]));
}

function shape(schema: unknown, levels: number): Schemas {
  if (!isRecord(schema)) return {};
  const { type, properties, items } = schema;
  return {
    ...(type !== undefined && { type }),
    ...(levels > 0 && isRecord(items) && { items: shape(items, levels) }),
    ...(levels > 0 && isRecord(properties) && { properties: outlined(properties, levels) }),
  };
}

function dropUnwelcome({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.pattern;
  delete jsonSchema.format;
}

/**
 * An output may gain a member in a later version, and says nothing about who may write it. Nor about bounds: they are
 * the business of whoever writes a profile, and every model that sees the tool pays for them.
 */
function openUp(context: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  dropUnwelcome(context);
  for (const keyword of UNSAID) delete context.jsonSchema[keyword];
}

const UNSAID = [
  'additionalProperties',
  'readOnly',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'maxItems',
] as const;

function plain(properties: z.core.JSONSchema.BaseSchema['properties']): ObjectSchema['properties'] {
  return Object.fromEntries(Object.entries(properties ?? {}).filter(isSchema));
}

function isSchema(entry: [string, z.core.JSONSchema._JSONSchema]): entry is [string, z.core.JSONSchema.BaseSchema] {
  return typeof entry[1] === 'object';
}
