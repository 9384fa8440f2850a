import { ACTION_FIELDS } from '../../brand/profile/action-schema.ts';

/** How a member is written on the page: its control, and the bounds of the schema that the control can hold. */
export interface Field {
  /** Members on the way from the part: `boundary`, `applicable_for`. `*` stands for the profile's language. */
  readonly path: readonly (string | number)[];
  /** Its row in the words. */
  readonly word: string;
  readonly control:
    | { readonly is: 'line' | 'text' | 'color' | 'check' | 'date' }
    /** A number where it can be read as one, else the text. */
    | { readonly is: 'figure' | 'count' }
    | { readonly is: 'choice'; readonly of: readonly string[] }
    /** Ids of proofs, or names of fields. */
    | { readonly is: 'several'; readonly of: readonly string[] | 'proofs' };
  readonly most?: number;
  readonly optional?: true;
}

const field = (
  path: Field['path'],
  is: 'line' | 'text' | 'color' | 'check' | 'date' | 'figure' | 'count',
  most?: number,
) => ({
  path,
  word: path.filter(name => typeof name === 'string' && name !== '*').join('.'),
  control: { is },
  ...(most !== undefined && { most }),
});

const optional = <Of extends object>(of: Of) => ({ ...of, optional: true as const });

/** An action's own members; the fields that it may ask for are the contract's. */
const action = (fields: readonly string[], levels: readonly Field[] = []): readonly Field[] => [
  field(['words', '*', 'title'], 'line', 80),
  field(['words', '*', 'purpose'], 'text', 300),
  field(['words', '*', 'context'], 'text', 300),
  field(['words', '*', 'thanks'], 'line', 200),
  ...levels,
  field(['enabled'], 'check'),
  optional(field(['reply_hours'], 'count')),
  { path: ['fields'], word: 'fields', control: { is: 'several', of: fields }, optional: true },
];

/** What an owner can write without JSON, part by part. Everything else in the document stays as it is. */
export const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  brand: [
    field(['names', 0, '*'], 'line', 200),
    field(['url'], 'line', 2000),
    field(['language'], 'line', 35),
    optional(field(['description'], 'text', 2000)),
    optional(field(['contact', 'email'], 'line', 200)),
    optional(field(['contact', 'phone'], 'line', 60)),
    optional(field(['colors', 'primary'], 'color')),
    optional(field(['colors', 'accent'], 'color')),
    optional(field(['colors', 'background'], 'color')),
    optional(field(['colors', 'text'], 'color')),
    optional(field(['logos', 0, 'url'], 'line', 2000)),
    optional(field(['privacy_policy_url'], 'line', 2000)),
    field(['expires_at'], 'date'),
  ],
  claim: [
    field(['statement'], 'text', 2000),
    field(['boundary', 'applicable_for'], 'text', 2000),
    field(['boundary', 'not_applicable_for'], 'text', 2000),
    field(['category'], 'line', 120),
    { path: ['confidence'], word: 'confidence', control: { is: 'choice', of: ['high', 'medium', 'low'] } },
    { path: ['proof_ids'], word: 'proof_ids', control: { is: 'several', of: 'proofs' }, optional: true },
    optional(field(['metric', 'name'], 'line', 120)),
    optional(field(['metric', 'value'], 'figure', 120)),
    optional(field(['metric', 'unit'], 'line', 120)),
    optional(field(['metric', 'window'], 'line', 300)),
    optional(field(['metric', 'baseline'], 'figure', 300)),
    optional(field(['metric', 'n'], 'count')),
    field(['claim_id'], 'line', 100),
  ],
  proof: [
    field(['title'], 'line', 300),
    field(['summary'], 'text', 2000),
    field(['type'], 'line', 80),
    field(['client'], 'line', 300),
    field(['verifiable_by'], 'line', 500),
    {
      path: ['confidentiality'],
      word: 'confidentiality',
      control: { is: 'choice', of: ['public', 'anonymised', 'on_request', 'confidential'] },
    },
    field(['proof_id'], 'line', 100),
  ],
  request_diagnostic: action(ACTION_FIELDS.request_diagnostic),
  apply_partner_program: action(
    ACTION_FIELDS.apply_partner_program,
    [0, 1, 2, 3].map(level => optional(field(['words', '*', 'levels', level], 'line', 80))),
  ),
  question: [
    field(['text'], 'line', 200),
    { path: ['claim_id'], word: 'answered_by', control: { is: 'choice', of: [] } },
    optional({ ...field(['language'], 'line', 35), word: 'question.language' }),
  ],
};
