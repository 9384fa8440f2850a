import * as z from 'zod';
import { Actions, ActionWords, Question } from '../brand/profile/action-schema.ts';
import { MEMBER_NOTES, type MemberNote } from '../brand/profile/members.ts';
import { Boundary, Claim, Metric, Profile, Proof } from '../brand/profile/schema.ts';
import { table } from '../discovery/documents/markdown.ts';

interface Part {
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly notes: Readonly<Record<string, MemberNote>>;
  /** Parts whose members follow the row of the part, by the path to them: `metric`, `words.es`. */
  readonly inside?: Readonly<Record<string, Part>>;
  /** The page shows the part in a block of JSON, so its table needs no examples. */
  readonly isShown?: boolean;
}

const METRIC: Part = { shape: Metric.shape, notes: MEMBER_NOTES.Metric };
const BOUNDARY: Part = { shape: Boundary.shape, notes: MEMBER_NOTES.Boundary };
const CLAIM: Part = {
  shape: Claim.shape,
  notes: MEMBER_NOTES.Claim,
  inside: { metric: METRIC, boundary: BOUNDARY },
};
const ACTION: Part = {
  shape: Actions.shape.request_diagnostic.unwrap().shape,
  notes: MEMBER_NOTES.Action,
  inside: { 'words.en': { shape: ActionWords.shape, notes: MEMBER_NOTES.ActionWords } },
  isShown: true,
};

/** One table a part of the profile: every member as one would write it, and what it means. */
export const profileSections: Readonly<Record<string, () => string>> = {
  'profile-members': () => members({ shape: Profile.shape, notes: MEMBER_NOTES.Profile }),
  'claim-members': () => members(CLAIM),
  'action-members': () => members(ACTION),
  'question-members': () => members({ shape: Question.shape, notes: MEMBER_NOTES.Question }),
  'proof-members': () => members({ shape: Proof.shape, notes: MEMBER_NOTES.Proof }),
};

const members = (part: Part): string => table(['Member', 'Meaning'], rowsOf(part));

function rowsOf({ shape, notes, inside = {}, isShown = false }: Part, at = ''): string[][] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const { example, why } = notes[name] ?? { example: undefined, why: '' };
    const optional = schema.safeParse(undefined).success ? ' (optional)' : '';
    const { description = '' } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const parts = Object.entries(inside).filter(([path]) => path.split('.')[0] === name);
    const written = `${at}${name}${isShown || parts.length > 0 ? '' : shown(example)}`;
    return [
      [`\`${written}\`${optional}`, `${description} ${why}`.trim()],
      ...parts.flatMap(([path, part]) => rowsOf({ isShown, ...part }, `${at}${path}.`)),
    ];
  });
}

/** A long example is left out: the page shows it elsewhere. */
function shown(example: unknown): string {
  const json = JSON.stringify(example);
  return json === '[]' || json.length > 60 ? '' : `: ${json}`;
}
