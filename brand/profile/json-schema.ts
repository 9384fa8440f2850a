import * as z from 'zod';
import { Actions, ActionWords, Question } from './action-schema.ts';
import { MEMBER_NOTES, type MemberNote } from './members.ts';
import { Boundary, Claim, Metric, Profile, Proof } from './schema.ts';

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
    override: explain,
  });
  return {
    ...schema,
    title: 'brand-profile/1',
    description: 'Claims of a brand with their boundaries and proofs.',
  };
}

const NOTES = new Map<unknown, Readonly<Record<string, MemberNote>>>([
  [Profile, MEMBER_NOTES.Profile],
  ...Object.values(Actions.shape).map(action => [action.unwrap(), MEMBER_NOTES.Action] as const),
  [ActionWords, MEMBER_NOTES.ActionWords],
  [Question, MEMBER_NOTES.Question],
  [Claim, MEMBER_NOTES.Claim],
  [Metric, MEMBER_NOTES.Metric],
  [Boundary, MEMBER_NOTES.Boundary],
  [Proof, MEMBER_NOTES.Proof],
]);

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** Adds to each member why it matters and an example. */
const explain: Override = ({ zodSchema, jsonSchema }) => {
  for (const [member, { example, why }] of Object.entries(NOTES.get(zodSchema) ?? {})) {
    const property = jsonSchema.properties?.[member];
    if (typeof property !== 'object') continue;
    property.description = [property.description, why].filter(Boolean).join(' ');
    if (!Array.isArray(example) || example.length > 0) property.examples = [example];
  }
  // `format` is enough; editors would show this pattern of 300 characters.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Python's validators cannot read classes of Unicode. `aval check` tests the exact form of an id.
  if (jsonSchema.pattern?.includes('\\p{')) jsonSchema.pattern = '^\\S+$';
  // zod leaves a `refine` out of the schema.
  if (zodSchema === Profile && typeof jsonSchema.properties?.url === 'object')
    jsonSchema.properties.url.pattern = '^https?://\\S+$';
};
