import { ACTION_FIELDS } from '../brand/profile/action-schema.ts';
import type { ContractAction } from './action.ts';

/** A person asks for a diagnostic: a mail to the team, and a confirmation to the person. `submission.ts` makes it a tool. */
export const requestDiagnostic: ContractAction = {
  name: 'request_diagnostic',
  title: 'Request a diagnostic',
  purpose: "Emails a person's request for a diagnostic to the team.",
  when: 'to request a diagnostic for a person who asked for it',
  request: 'DiagnosticRequest',
  fields: ACTION_FIELDS.request_diagnostic,
  context: 'What the brand wants to solve, its market, budget and sales data.',
  kind: 'diagnostic',
  confirms: true,
};
