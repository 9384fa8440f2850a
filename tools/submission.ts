import * as z from 'zod';
import { type Action, notFor, receivedText } from './actions.ts';
import { type DeliverOutcome, KEPT_HINT, type Mode, type Origin, type Submission, type Submitted } from './deliver.ts';
import { type ErrorCode, ServiceError } from './errors.ts';
import { context, formFields } from './fields.ts';
import type { Presentation } from './presentation.ts';
import { SERVICE } from './service-facts.ts';
import { defineTool, type Tool, type ToolAnnotations, type ToolContext } from './tool.ts';
import { counted } from './words/counts.ts';
import { es, type Messages } from './words/es.ts';
import { messagesOf } from './words/language.ts';

/** The answer to a submission that reached the team. */
export const SubmitOk = z.object({
  ok: z.literal(true).meta({ description: 'Always true.' }),
  message: z.string().meta({ description: 'Confirmation for the person, in Spanish.' }),
  mode: z.string().optional().meta({ description: 'Present outside production only: no mail was sent.' }),
});

/** It sends real mail, nobody can undo it, and a second call sends a second submission. */
const ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

const ERRORS: readonly ErrorCode[] = ['validation_error', 'delivery_failed'];

/** What all submission tools share: their answer, and the way to the outbox. */
export function submission(action: Action) {
  const { kind, confirms, replyHours, language } = action;
  const toSubmission = (sent: Fields, { visitor: _, notes, ...from }: Origin): Submission => ({
    ...{ kind, confirms, replyHours, fields: { ...sent, ...notes } },
    ...from,
    language: from.language ?? messagesOf(language).tag,
  });
  return {
    submits: action,
    output: SubmitOk,
    errors: ERRORS,
    annotations: ANNOTATIONS,
    isReplay: (sent: Fields, { isReplay, origin }: ToolContext) => isReplay(toSubmission(sent, origin)),
    handler: async (sent: Fields, { deliver, origin, mode }: ToolContext) =>
      submitted(await deliver(toSubmission(sent, origin)), mode),
    body: (result: Submitted): z.input<typeof SubmitOk> => ({
      ok: true,
      message: submittedText(es, action, result),
      ...(result.mode === 'dry-run' && { mode: result.mode }),
    }),
  };
}

/** The tool of an action, with examples and choices in the language of the profile. */
export function submissionTool(action: Action): Tool {
  const { name, fields, confirms, replyHours, ...texts } = action;
  const house = messagesOf(action.language);
  const { name: person, email, ...further } = formFields(house, texts.wordsIn(house).levels);
  return defineTool({
    name,
    ...submission(action),
    title: ({ brand }) => `${texts.title}${brand ? `${texts.preposition} ${brand}` : ''}`,
    description: presentation => describe(action, presentation),
    operation: {
      tag: 'Forms',
      schemas: [texts.schema, 'SubmitOk'],
      purpose: ({ mode }) =>
        [texts.sends, realPost(replyHours, mode), ...(confirms ? [confirmationRule([action])] : [])].join(' '),
    },
    input: z.strictObject({
      name: person,
      email,
      ...Object.fromEntries(fields.map(field => [field, further[field]])),
      context: context(texts.asks, texts.wordsIn(house).context),
    }),
  });
}

function describe(action: Action, { brand = 'this brand', mode, actions }: Presentation): string {
  const { emails, confirms, replyHours, whom } = action;
  const copy = ', and a confirmation to that person';
  return (
    `${emails} to the team of ${brand}${confirms ? copy : ''}; ` +
    `a human replies within ${counted(replyHours, 'hour')}. ${realSubmission(whom, mode)} ` +
    `Not for ${notFor(action, actions)}.`
  );
}

type Fields = Submission['fields'];

/** What a model must know before it sends something for a person. @param whom whose consent it needs */
const realSubmission = (whom: Action['whom'], mode: Mode) =>
  `A real submission, no sandbox${mode === 'dry-run' ? ' (a dry run here)' : ''}: show the ${whom} ` +
  'every field and get consent first; never invent one. Returns ok and a Spanish message; a failure says whether ' +
  'it was kept.';

/** The same for programmers. */
const realPost = (replyHours: number, mode: Mode) =>
  `A human replies within ${counted(replyHours, 'hour')}. ` +
  (mode === 'production' ? 'A real submission: there is no sandbox. ' : 'A dry run here: mail goes to files. ') +
  'To automate submissions, use the tool at POST /mcp.';

/** Who gets a confirmation, and when nobody does. @param actions those that send one */
export const confirmationRule = (actions: readonly Action[]) =>
  `The address in \`email\` gets a confirmation of ${actions.map(({ noun }) => noun).join(' and ')}: ` +
  `at most ${SERVICE.confirmations.perHour} an hour and ${SERVICE.confirmations.perDay} a day, and ` +
  `${SERVICE.confirmations.perNetworkHour} an hour for one network of senders; more wait. ` +
  'None where the post looks automatic.';

/** What the person is told. */
function submittedText(words: Messages, action: Action, { reference, mode, confirmation }: Submitted): string {
  const named = `${words.reference}: ${reference}.`;
  if (mode === 'dry-run') return [receivedText(words, action), words.dryRun, named].join(' ');
  return [receivedText(words, action), named, ...(CONFIRMATION_TEXTS[confirmation]?.(words) ?? [])].join(' ');
}

/** What the person must know of the confirmation. */
const CONFIRMATION_TEXTS: Partial<Record<Submitted['confirmation'], (words: Messages) => [string]>> = {
  waiting: words => [words.confirmedLater],
  skipped: words => [words.unconfirmed],
  failed: words => [words.unconfirmed],
};

/**
 * What became of a submission.
 * @throws ServiceError `delivery_failed`, with the reference where it was kept, or `validation_error` for a key that was used with another body
 */
function submitted(result: DeliverOutcome, mode: Mode): Submitted {
  switch (result.outcome) {
    case 'delivered':
    case 'replayed':
      return { reference: result.reference, confirmation: result.confirmation, mode };
    case 'conflict':
      throw new ServiceError('validation_error', {
        issues: [{ field: 'Idempotency-Key', rule: 'newKey' }],
        hint: 'Use a new key for a new submission.',
        freesSlot: true,
      });
    case 'kept':
      throw new ServiceError('delivery_failed', {
        message: `The submission could not be delivered yet. Reference: ${result.reference}.`,
        hint: KEPT_HINT,
        reference: result.reference,
      });
    case 'not-kept':
      throw new ServiceError('delivery_failed', { freesSlot: true });
  }
}
