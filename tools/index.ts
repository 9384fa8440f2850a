/*
 * This room defines what the service can do: its tools with their texts, fields, errors and limits.
 * In: a profile and the ports (`Brand`, `Deliver`).
 * Out: tools as data, which REST, MCP and documents publish.
 */
import { ACTION_FIELDS } from '../brand/profile/action-schema.ts';
import type { Profile } from '../brand/profile/schema.ts';
import { type Action, type ContractAction, resolveAction } from './action.ts';
import { askBrand } from './ask-brand.ts';
import { submissionTool } from './submission.ts';
import type { BrandContext, Tool } from './tool.ts';

/**
 * The actions of the contract, in published order. `submission.ts` makes tools from them.
 */
const CONTRACT: readonly ContractAction[] = [
  {
    name: 'request_diagnostic',
    title: 'Request a diagnostic',
    purpose: "Emails a person's request for a diagnostic to the team.",
    when: 'to request a diagnostic for a person who asked for it',
    request: 'DiagnosticRequest',
    fields: ACTION_FIELDS.request_diagnostic,
    context: 'What the brand wants to solve, its market, budget and sales data.',
    kind: 'diagnostic',
    confirms: true,
  },
  {
    name: 'apply_partner_program',
    title: 'Apply to the partner program',
    purpose: "Emails an agency's or consultant's application to the partner program to the team.",
    when: 'to apply to the partner program for an agency or an independent consultant who asked for it',
    request: 'PartnerRequest',
    fields: ACTION_FIELDS.apply_partner_program,
    context: 'Who the applicant works for and what they would bring.',
    kind: 'partner',
    confirms: false,
  },
];

/**
 * The actions that a profile offers. Without a profile, and if it has no `actions`: the contract's.
 * @example actionsOf(undefined).map(({ name }) => name); // ['request_diagnostic', 'apply_partner_program']
 */
export const actionsOf = (profile: Profile | undefined): readonly Action[] =>
  CONTRACT.flatMap(row => resolveAction(row, profile) ?? []);

/**
 * The action of a kind: the profile's, else the contract's, because a mail may be sent after the profile has
 * switched its action off.
 */
export function actionOf(kind: string, profile: Profile | undefined): Action {
  const candidates = [...actionsOf(profile), ...actionsOf(undefined)];
  const action = candidates.find(row => row.kind === kind) ?? candidates[0];
  if (!action) throw new Error('the contract has actions');
  return action;
}

/**
 * Every tool of a profile, in the order in which it is published: ask_brand, then the actions that the
 * profile offers.
 * @example const tools = toolsOf(profile, { brand: 'Norte Claro', signed: true, mode: 'production', calibrated: true });
 */
export const toolsOf = (profile: Profile | undefined, brandContext: BrandContext): readonly Tool[] => [
  askBrand(brandContext),
  ...actionsOf(profile).map(action => submissionTool(action, brandContext)),
];

/** The contract's tools, in neutral words. */
export const TOOLS: readonly Tool[] = toolsOf(undefined, {
  signed: false,
  mode: 'production',
  calibrated: true,
});
