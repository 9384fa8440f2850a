import { ACTION_FIELDS } from '../brand/profile/action-schema.ts';
import type { ContractAction } from './action.ts';

/** An agency or a consultant applies to the partner program: a mail to the team. `submission.ts` makes it a tool. */
export const applyPartnerProgram: ContractAction = {
  name: 'apply_partner_program',
  title: 'Apply to the partner program',
  purpose: "Emails an agency's or consultant's application to the partner program to the team.",
  when: 'to apply to the partner program for an agency or an independent consultant who asked for it',
  request: 'PartnerRequest',
  fields: ACTION_FIELDS.apply_partner_program,
  context: 'Who the applicant works for and what they would bring.',
  kind: 'partner',
  confirms: false,
};
