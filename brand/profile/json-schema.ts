import * as z from 'zod';
import { Actions, ActionWords, Question } from './action-schema.ts';
import { MEMBER_NOTES, type MemberNote } from './members.ts';
import { Boundary, Claim, Metric, Profile, Proof } from './schema.ts';

/** Where a server publishes the schema; `aval init` writes it beside the profile under the same name. */
export const PROFILE_SCHEMA_PATH = '/schemas/brand-profile.v1.json';

/**
 * The format of brand.json as JSON Schema, draft 7, which every editor completes and underlines with. It knows the shape;
 * `aval check` knows more: links between claims and proofs, dates, signature.
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
  // The format says it, and the expression is a line of 300 characters in every hover.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Validators without the flag u, as Python's, cannot read classes of Unicode: an id has no space, and `aval check` knows more.
  if (jsonSchema.pattern?.includes('\\p{')) jsonSchema.pattern = '^\\S+$';
  // `refine` leaves no trace in a schema.
  if (zodSchema === Profile && typeof jsonSchema.properties?.url === 'object')
    jsonSchema.properties.url.pattern = '^https?://\\S+$';
};
