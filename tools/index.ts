import type { Profile } from '../brand/profile/schema.ts';
import { type Action, offered } from './action.ts';
import { applyPartnerProgram } from './apply-partner-program.ts';
import { askBrand } from './ask-brand.ts';
import { requestDiagnostic } from './request-diagnostic.ts';
import { submissionTool } from './submission.ts';
import type { Tool, Whose } from './tool.ts';

/** What people can send, in the order in which it is published. */
const CONTRACT = [requestDiagnostic, applyPartnerProgram] as const;

/** The actions that a profile offers; without a profile, and where it says nothing of actions, the contract's. */
export const actionsOf = (profile: Profile | undefined): readonly Action[] =>
  CONTRACT.flatMap(row => offered(row, profile) ?? []);

/** The action of a kind: of the profile, else of the contract, since a mail may outlive the profile that offered it. */
export function actionOf(kind: string, profile: Profile | undefined): Action {
  const known = [...actionsOf(profile), ...actionsOf(undefined)];
  const action = known.find(row => row.kind === kind) ?? known[0];
  if (!action) throw new Error('the contract has actions');
  return action;
}

/** Every tool of a profile, in the order in which it is published: ask_brand, and the actions that the profile offers. */
export const toolsOf = (profile: Profile | undefined, whose: Whose): readonly Tool[] => [
  askBrand(whose),
  ...actionsOf(profile).map(action => submissionTool(action, whose)),
];

/** The contract's tools, in neutral words. */
export const TOOLS: readonly Tool[] = toolsOf(undefined, { signed: false, mode: 'production' });
