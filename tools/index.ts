import type { Profile } from '../brand/profile/schema.ts';
import { actionsOf } from './actions.ts';
import { askBrand } from './ask-brand.ts';
import { submissionTool } from './submission.ts';
import type { Tool } from './tool.ts';

/** Every tool of a profile, in the order in which it is published: ask_brand, and the actions that the profile offers. */
export const toolsOf = (profile: Profile | undefined): readonly Tool[] => [
  askBrand,
  ...actionsOf(profile).map(submissionTool),
];

/** The contract's tools: those of a service without a profile, and of a profile that says nothing of actions. */
export const TOOLS: readonly Tool[] = toolsOf(undefined);
