import * as z from 'zod';
import { type Action, receivedText } from './action.ts';
import {
  type DeliverOutcome,
  KEPT_HINT,
  type Mode,
  type Origin,
  type Submission,
  type Submitted,
} from './deliver.ts';
import { ServiceError } from './errors.ts';
import { context, formFields } from './fields.ts';
import {
  type Admit,
  type BrandContext,
  type Definition,
  defineTool,
  type Tool,
  type ToolContext,
} from './tool.ts';
import { countText } from './words/counts.ts';
import { es, type Messages } from './words/es.ts';
import { messagesOf } from './words/language.ts';

/** The body of a success. */
const SubmitOk = z.object({
  ok: z.literal(true).meta({ description: 'Always true.' }),
  message: z.string().meta({ description: 'Confirmation for the person, in Spanish.' }),
  reference: z
    .string()
    .optional()
    .meta({ description: 'Names the submission, ABCD-1234: people, mails and the team use it.' }),
  mode: z
    .string()
    .optional()
    .meta({ description: '`dry-run`, outside production only: mail goes to files and reaches nobody.' }),
});

/** The tool of an action, with examples and choices in the language of the profile. */
export function submissionTool(action: Action, brandContext: BrandContext): Tool {
  const profileMessages = messagesOf(action.language);
  const { levels, context: example } = action.wordsIn(profileMessages);
  const { name, email, ...optionalFields } = formFields(profileMessages, levels);
  return defineTool({
    name: action.name,
    title: brandContext.brand === undefined ? action.title : `${action.title}: ${brandContext.brand}`,
    description: describe(action, brandContext),
    when: action.when,
    schemas: [action.request, 'SubmitOk'],
    input: z.strictObject({
      name,
      email,
      ...Object.fromEntries(action.fields.map(field => [field, optionalFields[field]])),
      context: context(action.context, example),
    }),
    ...submission(action),
  });
}

/** The description for models: what they must know before they submit for a person. */
const describe = (
  { purpose, confirms, replyHours }: Action,
  { brand = 'the brand', mode }: BrandContext,
): string =>
  `${purpose} A human of ${brand} replies within ${countText(replyHours, 'hour')}` +
  `${confirms ? '; the person gets a confirmation by email' : ''}. ${MODE_SENTENCES[mode]} ` +
  'Show the person every field and get consent first; never invent one. ' +
  'Returns ok and a Spanish message; a failure says whether it was kept. Not for questions: use ask_brand.';

const MODE_SENTENCES: Readonly<Record<Mode, string>> = {
  production: 'A real submission: there is no sandbox.',
  'dry-run': 'Elsewhere a real submission, no sandbox. A dry run here: mail goes to files.',
};

type Fields = Submission['fields'];
type Shared = Pick<
  Definition<z.ZodObject, typeof SubmitOk, Submitted>,
  'submits' | 'output' | 'errors' | 'annotations' | 'body'
>;

/** The members that all tools of actions share: result, errors, and a handler that calls `deliver`. */
function submission(action: Action) {
  const { kind, confirms, replyHours, language } = action;
  const toSubmission = (fields: Fields, { notes, ...sender }: Origin): Submission => ({
    kind,
    confirms,
    replyHours,
    fields: { ...fields, ...notes },
    comparedFields: fields,
    ...sender,
    language: sender.language ?? messagesOf(language).tag,
  });
  const shared: Shared = {
    submits: action,
    output: SubmitOk,
    errors: ['validation_error', 'delivery_failed'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    body: result => ({
      ok: true,
      message: submittedText(es, action, result),
      reference: result.reference,
      ...(result.mode === 'dry-run' && { mode: result.mode }),
    }),
  };
  return {
    ...shared,
    async handler(fields: Fields, { deliver, origin, mode }: ToolContext, admit: Admit) {
      const result = await deliver(toSubmission(fields, origin));
      if (result.limits) admit(result.limits);
      return toSubmitted(result, mode);
    },
  };
}

/** The message for the person, on one line. */
function submittedText(
  words: Messages,
  action: Action,
  { reference, mode, confirmation }: Submitted,
): string {
  const referenceText = `${words.reference}: ${reference}.`;
  if (mode === 'dry-run') return [receivedText(words, action), words.dryRun, referenceText].join(' ');
  const sentences = [receivedText(words, action), referenceText];
  if (confirmation === 'waiting') sentences.push(words.confirmedLater);
  if (confirmation === 'skipped' || confirmation === 'failed') sentences.push(words.unconfirmed);
  return sentences.join(' ');
}

/**
 * The success of a submission, or its error.
 * @throws ServiceError `delivery_failed`, with the reference if the submission was kept
 * @throws ServiceError `validation_error` for an Idempotency-Key that was used with another body
 */
function toSubmitted(result: DeliverOutcome, mode: Mode): Submitted {
  switch (result.outcome) {
    case 'delivered':
    case 'replayed':
      return { reference: result.reference, confirmation: result.confirmation, mode };
    case 'conflict':
      throw new ServiceError('validation_error', {
        issues: [{ field: 'Idempotency-Key', rule: 'newKey' }],
        hint: 'Use a new key for a new submission.',
      });
    case 'kept':
      throw new ServiceError('delivery_failed', {
        message: `The submission could not be delivered yet. Reference: ${result.reference}.`,
        hint: KEPT_HINT,
        reference: result.reference,
      });
    case 'limited':
      // Not reached: `admit` has thrown this error with the seconds to wait.
      throw new ServiceError('rate_limited');
    case 'not-kept':
      throw new ServiceError('delivery_failed');
  }
}
