import * as z from 'zod';
import { type DeliverOutcome, KEPT_HINT, type Mode, type Origin, type Submission, type Submitted } from './deliver.ts';
import { type ErrorCode, ServiceError } from './errors.ts';
import { es, type Kind } from './language/es.ts';
import { receivedText } from './language/language.ts';
import { SERVICE } from './service-facts.ts';
import type { ToolAnnotations, ToolContext } from './tool.ts';

/** The answer to a submission that reached the team. */
export const SubmitOk = z.object({
  ok: z.literal(true).meta({ description: 'Always true.' }),
  message: z.string().meta({ description: 'Confirmation for the person, in Spanish.' }),
  mode: z.string().optional().meta({ description: 'Present outside production only: no mail was sent.' }),
});

/** Sends real mail to people, cannot be taken back, and a second call is a second submission. */
const ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** The part of its row that every action shares: what it answers, and how it hands over what was sent. */
export function submission(kind: Kind) {
  const errors: readonly ErrorCode[] = ['validation_error', 'delivery_failed'];
  return {
    submits: kind,
    output: SubmitOk,
    errors,
    annotations: ANNOTATIONS,
    isReplay: (fields: Fields, { isReplay, origin }: ToolContext) => isReplay(toSubmission(kind, fields, origin)),
    handler: async (fields: Fields, { deliver, origin, mode }: ToolContext) =>
      submitted(await deliver(toSubmission(kind, fields, origin)), mode),
    body: ({ reference, mode }: Submitted): z.input<typeof SubmitOk> => ({
      ok: true,
      message: `${receivedText(es, kind, SERVICE.replyHours)} ${es.reference}: ${reference}.`,
      ...(mode === 'dry-run' && { mode }),
    }),
  };
}

function toSubmission(kind: Kind, fields: Fields, { visitor: _, notes, ...from }: Origin): Submission {
  return { kind, fields: { ...fields, ...notes }, ...from };
}

type Fields = Submission['fields'];

/** What a model must know before it sends anything in somebody's name. @param whom whose consent it needs */
export const realSubmission = (whom: 'person' | 'applicant', mode: Mode) =>
  `A real submission, no sandbox${mode === 'dry-run' ? ' (a dry run here)' : ''}: show the ${whom} ` +
  'every field and get consent first; never invent one. Returns ok and a message in Spanish; a failure says whether ' +
  'it was kept.';

/** The same for programmers. */
export const realPost = (mode: Mode) =>
  `A human replies within ${SERVICE.replyHours} hours. ` +
  (mode === 'production' ? 'A real submission: there is no sandbox. ' : 'A dry run here: mail goes to files. ') +
  'To automate submissions, use the tool at POST /mcp.';

/** Who gets the confirmation of a diagnostic, and when nobody does. */
export const CONFIRMATION =
  `The address in \`email\` gets a confirmation of a diagnostic request: at most ${SERVICE.confirmationsPerDay} a day, ` +
  'and none where the post looks automatic.';

/**
 * What became of a submission.
 * @throws ServiceError `delivery_failed`, with the reference where it was kept, or `validation_error` for a key that was used with another body
 */
function submitted(result: DeliverOutcome, mode: Mode): Submitted {
  switch (result.outcome) {
    case 'delivered':
    case 'replayed':
      return { reference: result.reference, mode, confirmation: result.confirmation };
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
