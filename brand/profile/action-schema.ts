import * as z from 'zod';

/** The longest text of a profile, in code points: a statement, a boundary, a summary. */
export const MAX_TEXT = 2000;

/** A text of 1 to `max` code points. It is not trimmed, because the signed text must be served as it is. */
export const text = (max: number) => z.string().min(1, { abort: true }).max(max).regex(/\S/, 'blank');

/** A language tag (RFC 5646) that pages can write figures in: `es`, `en-GB`. */
export const languageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { error: 'language_tag', abort: true })
  .refine(isLocale, 'language_tag');

/** Whether Intl knows a tag. It throws for `es-ES-ES`, which has the right form but two regions. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/**
 * The contract's actions by the names of their tools, with the fields that each may ask for. Every action
 * asks for name, e-mail and context too.
 */
export const ACTION_FIELDS = {
  request_diagnostic: ['company', 'role', 'country'],
  apply_partner_program: ['company', 'size', 'level', 'country'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The action that sends the team a question without an answer. */
export const QUESTION_ACTION = 'request_diagnostic' satisfies ActionName;

export type ActionName = keyof typeof ACTION_FIELDS;
export type ActionField = (typeof ACTION_FIELDS)[ActionName][number];

/** The owner's texts of an action, in one language. */
export const ActionWords = z.strictObject({
  title: text(80).describe('Name of the action in a few words: heading, link and subject of the mail.'),
  purpose: text(300).describe('What it is for, in one sentence, by which agents decide.'),
  context: text(300).min(10).describe('What to write in the field for text: only what you need to reply.'),
  thanks: text(200).describe(
    'Said on the page and in the confirmation once it has arrived, before the reply time.',
  ),
  levels: z.array(text(80)).length(4).describe('Names of the four levels of the partner program.').optional(),
});

/** The contract promises a reply within 48 hours; a profile may promise an earlier one. */
const MAX_REPLY_HOURS = 48;

/** The schema of an action. @param fields the fields that it may have */
const action = <Field extends string>(fields: readonly Field[]) =>
  z.strictObject({
    enabled: z.boolean().describe('Whether the service offers the action; false removes every mention.'),
    reply_hours: z
      .number()
      .int()
      .min(1)
      .max(MAX_REPLY_HOURS)
      .describe(
        'Hours within which a person replies, as pages and mails promise: 48 at most. Without it: 48.',
      )
      .optional(),
    fields: z
      .array(z.enum(fields))
      .max(fields.length)
      .describe('Fields besides name, e-mail and context. [] adds none; without it: all.')
      .optional(),
    words: z
      .record(languageTag, ActionWords)
      .describe("The action's words by language, the profile's among them. Without it: the contract's.")
      .optional(),
  });

/** The actions of a profile, by the names of their tools. */
export const Actions = z.strictObject({
  request_diagnostic: action(ACTION_FIELDS.request_diagnostic)
    .describe('The form at /api/v1/contact.')
    .optional(),
  apply_partner_program: action(ACTION_FIELDS.apply_partner_program)
    .describe('The form at /api/v1/partners.')
    .optional(),
});

/** A question that people really ask, with the claim that answers it. */
export const Question = z.strictObject({
  text: text(200).describe('The question in the words of visitors, never the statement turned round.'),
  language: languageTag.describe("Its language. Without it: the profile's.").optional(),
  claim_id: z.string().min(1).max(100).describe('The claim that answers it, with which it is searched.'),
});

export type ActionWords = z.infer<typeof ActionWords>;
export type Question = z.infer<typeof Question>;
