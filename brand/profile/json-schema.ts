import * as z from 'zod';
import { Profile } from './schema.ts';

/** Where a server publishes the schema; `aval init` writes it beside the profile under the same name. */
export const PROFILE_SCHEMA_PATH = '/schemas/brand-profile.v1.json';

/**
 * The format of brand.json as JSON Schema, draft 7. Editors complete and underline with it. It describes the
 * shape only; `aval check` also checks links between claims and proofs, dates and the signature.
 */
export function profileJsonSchema(): object {
  const schema = z.toJSONSchema(Profile, {
    target: 'draft-7',
    io: 'input',
    reused: 'inline',
    override: adapt,
  });
  return {
    ...schema,
    title: 'brand-profile/1',
    description: 'Claims of a brand with their boundaries and proofs.',
  };
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** Says what editors and other validators read better, and what zod leaves out. */
const adapt: Override = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.advice !== undefined) jsonSchema.description += ` ${jsonSchema.advice}`;
  delete jsonSchema.advice;
  // `format` is enough; editors would show this pattern of 300 characters.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Python's validators cannot read classes of Unicode. `aval check` tests the exact form of an id.
  if (jsonSchema.pattern?.includes('\\p{')) jsonSchema.pattern = '^\\S+$';
  // zod leaves a `refine` out of the schema.
  if (zodSchema === Profile && typeof jsonSchema.properties?.url === 'object')
    jsonSchema.properties.url.pattern = '^https?://\\S+$';
};
