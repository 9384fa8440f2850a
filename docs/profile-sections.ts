import * as z from 'zod';
import { Actions, ActionWords, Question } from '../brand/profile/action-schema.ts';
import { MEMBER_NOTES, type MemberNote } from '../brand/profile/members.ts';
import { Boundary, Claim, Metric, Profile, Proof } from '../brand/profile/schema.ts';
import { table } from './table.ts';

/** One table a part of the profile: every member with an example and what it means. */
export const profileSections: Readonly<Record<string, () => string>> = {
  'profile-members': () => members(Profile.shape, MEMBER_NOTES.Profile),
  'claim-members': () => members(Claim.shape, MEMBER_NOTES.Claim),
  'metric-members': () => members(Metric.shape, MEMBER_NOTES.Metric),
  'boundary-members': () => members(Boundary.shape, MEMBER_NOTES.Boundary),
  'action-members': () => members(Actions.shape.request_diagnostic.unwrap().shape, MEMBER_NOTES.Action),
  'action-word-members': () => members(ActionWords.shape, MEMBER_NOTES.ActionWords),
  'question-members': () => members(Question.shape, MEMBER_NOTES.Question),
  'proof-members': () => members(Proof.shape, MEMBER_NOTES.Proof),
};

function members(shape: Readonly<Record<string, z.ZodType>>, notes: Readonly<Record<string, MemberNote>>): string {
  return table(
    ['Member', 'Example', 'Meaning'],
    Object.entries(shape).map(([name, schema]) => {
      const { example, why } = notes[name] ?? { example: undefined, why: '' };
      const optional = schema.safeParse(undefined).success ? ' (optional)' : '';
      const { description = '' } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      return [`\`${name}\`${optional}`, shown(example), `${description} ${why}`.trim()];
    }),
  );
}

/** A long example is left out: the page or the next table shows it. */
function shown(example: unknown): string {
  const json = JSON.stringify(example);
  return json === '[]' || json.length > 120 ? '' : `\`${json}\``;
}
