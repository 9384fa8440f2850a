import * as z from 'zod';
import { type Action, receivedText } from './action.ts';
import type { DeliverOutcome, Mode, Submission, Submitted } from './deliver.ts';
import { ServiceError } from './errors.ts';
import { context, formFields } from './fields.ts';
import { type BrandContext, defineTool, type Tool } from './tool.ts';
import { countText } from './words/counts.ts';
import { es, SPANISH_MESSAGE } from './words/es.ts';
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

/**
 * The tool of an action, with examples and choices in the language of the profile. Its handler gives the
 * fields to `deliver`.
 */
export function submissionTool(action: Action, brandContext: BrandContext): Tool {
  const { kind, confirms, replyHours } = action;
  const messages = messagesOf(action.language);
  const { levels } = action.wordsIn(messages);
  const { name, email, ...optionalFields } = formFields(messages, levels);
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
      context: context(action.context, messages.placeholders.context[kind]),
    }),
    output: SubmitOk,
    errors: ['validation_error', 'delivery_failed'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    submits: action,
    async handler(fields: Submission['fields'], { deliver, origin, mode }, admit) {
      const { notes, language = messages.tag, ...sender } = origin;
      const result = await deliver({
        kind,
        confirms,
        replyHours,
        fields: { ...fields, ...notes },
        comparedFields: fields,
        language,
        ...sender,
      });
      if (result.limits) admit(result.limits);
      return toSubmitted(result, mode);
    },
    body: result => ({
      ok: true as const,
      message: spanishMessage(action, result),
      reference: result.reference,
      ...(result.mode === 'dry-run' && { mode: result.mode }),
    }),
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

/** The contract's message for the person: Spanish, on one line. */
function spanishMessage(action: Action, { reference, mode, confirmation }: Submitted): string {
  const referenceText = `${es.reference}: ${reference}.`;
  if (mode === 'dry-run') return [receivedText(es, action), SPANISH_MESSAGE.dryRun, referenceText].join(' ');
  const sentences = [receivedText(es, action), referenceText];
  if (confirmation === 'waiting') sentences.push(SPANISH_MESSAGE.confirmedLater);
  if (confirmation === 'skipped' || confirmation === 'failed') sentences.push(SPANISH_MESSAGE.unconfirmed);
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
        hint: 'We have kept your request and keep trying; no need to send it again.',
        reference: result.reference,
      });
    // `admit` has thrown for `limited`.
    case 'limited':
    case 'not-kept':
      throw new ServiceError('delivery_failed');
  }
}
