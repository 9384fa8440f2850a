import * as z from 'zod';
import { MEMBER_NOTES, type MemberNote } from '../brand/profile/members.ts';
import { Boundary, Claim, Metric, Profile, Proof } from '../brand/profile/schema.ts';
import { table } from './table.ts';

/** One table a part of the profile: every member with what it is, an example and why it matters. */
export const profileSections: Readonly<Record<string, () => string>> = {
  'profile-members': () => members(Profile.shape, MEMBER_NOTES.Profile),
  'claim-members': () => members(Claim.shape, MEMBER_NOTES.Claim),
  'metric-members': () => members(Metric.shape, MEMBER_NOTES.Metric),
  'boundary-members': () => members(Boundary.shape, MEMBER_NOTES.Boundary),
  'proof-members': () => members(Proof.shape, MEMBER_NOTES.Proof),
};

function members(shape: Readonly<Record<string, z.ZodType>>, notes: Readonly<Record<string, MemberNote>>): string {
  return table(
    ['Member', 'What it is', 'Example', 'Why it matters'],
    Object.entries(shape).map(([name, schema]) => {
      const { example, why } = notes[name] ?? { example: undefined, why: '' };
      const optional = schema.safeParse(undefined).success ? ' (optional)' : '';
      const { description = '' } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      return [`\`${name}\`${optional}`, description, shown(example), why];
    }),
  );
}

function shown(example: unknown): string {
  return Array.isArray(example) && example.length === 0 ? '' : `\`${JSON.stringify(example)}\``;
}
