import fc from 'fast-check';
import { anyText } from './any-text.ts';
import type { Schema } from './openapi-support.ts';

type Json = unknown;

/** Values of a schema of openapi.json; and values that break it in one place. */
export function valid(schema: Schema): fc.Arbitrary<Json> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map(type => valid({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return validObject(schema);
    case 'string':
      return schema.format === 'email'
        ? fc.emailAddress()
        : text(Number(schema.minLength ?? 0), Number(schema.maxLength ?? 40));
    case 'integer':
      return fc.integer();
    default:
      return fc.constant(null);
  }
}

const properties = (schema: Schema) => Object.entries<Schema>(Object(schema.properties));
const required = (schema: Schema): string[] => (Array.isArray(schema.required) ? schema.required : []);

function validObject(schema: Schema): fc.Arbitrary<Json> {
  const members = Object.fromEntries(properties(schema).map(([name, member]) => [name, valid(member)]));
  return fc.record(members, { requiredKeys: required(schema) });
}

/** Any characters, with ink at both ends: spaces there are not counted. The bounds themselves come often. */
function text(min: number, max: number): fc.Arbitrary<string> {
  const [shortest, longest] = [Math.max(min, 1), Math.min(max, 300)];
  const any = anyText({ minLength: Math.max(shortest - 2, 0), maxLength: longest - 2 });
  return fc.oneof(
    fc.constantFrom('x'.repeat(shortest), '€'.repeat(max)),
    any.map(middle => `ñ${middle}ñ`),
  );
}

/** One fault: a field left out, of another type, too short, too long, or not known. */
export function invalid(schema: Schema): fc.Arbitrary<Json> {
  const fields = properties(schema);
  const name = fc.constantFrom(...fields.map(([field]) => field));
  const changed = (change: (body: Record<string, Json>, field: string) => Json) =>
    fc.tuple(validObject(schema), name).map(([body, field]) => change(Object.assign({}, body), field));
  const bound = (field: string, keyword: string) => Number(Object(schema.properties)[field][keyword]);
  return fc.oneof(
    fc.constantFrom<Json>(null, [], 'text', 7, {}),
    changed((body, field) => Object.fromEntries(Object.entries(body).filter(([member]) => member !== field))),
    changed((body, field) => ({ ...body, [field]: [body[field]] })),
    changed((body, field) => ({ ...body, [field]: null })),
    changed((body, field) => ({ ...body, [field]: ' '.repeat(bound(field, 'minLength')) })),
    changed((body, field) => ({ ...body, [field]: 'x'.repeat(bound(field, 'maxLength') + 1) })),
    changed(body => ({ ...body, surprise: true })),
  );
}
