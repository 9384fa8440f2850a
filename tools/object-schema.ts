import * as z from 'zod';

/** Whether a value from JSON is an object, no array and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * A tool's arguments for tools/list: flat, without `$schema`, `$ref`, `pattern`, `format` and `examples`,
 * because some hosts and model APIs reject each of these. The descriptions state the rules and an example;
 * the server checks.
 */
export function flatSchema(schema: z.ZodObject): ObjectSchema {
  const { $schema: _, ...published } = z.toJSONSchema(schema, {
    reused: 'inline',
    override({ jsonSchema }) {
      const [example] = jsonSchema.examples ?? [];
      if (example !== undefined) jsonSchema.description += ` Example: ${example}`;
      delete jsonSchema.examples;
      delete jsonSchema.pattern;
      delete jsonSchema.format;
    },
  });
  return { ...published, type: 'object', properties: propertiesOf(published) };
}

/**
 * A tool's result for tools/list: members and items with their types only. The tool's description says what
 * they mean. Most hosts never show a model this schema, but count every byte.
 */
export function outlineSchema(schema: z.ZodObject): ObjectSchema {
  const { $schema: _, ...published } = z.toJSONSchema(schema, {
    reused: 'inline',
    io: 'input',
    override({ jsonSchema, path }) {
      const depth = path.filter(step => step === 'properties').length;
      for (const keyword of Object.keys(jsonSchema)) {
        const isKept =
          keyword === 'type' ||
          keyword === 'items' ||
          (keyword === 'properties' && depth < 2) ||
          (keyword === 'required' && depth === 0);
        if (!isKept) delete jsonSchema[keyword];
      }
    },
  });
  return { ...published, type: 'object', properties: propertiesOf(published) };
}

function propertiesOf({ properties = {} }: z.core.JSONSchema.BaseSchema): ObjectSchema['properties'] {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, isRecord(schema) ? schema : {}]),
  );
}
