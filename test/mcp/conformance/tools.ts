import type { Profile } from '../../../brand/profile/schema.ts';
import { toolsOf as toolsOfProduct } from '../../../tools/index.ts';
import type { BrandContext } from '../../../tools/tool.ts';
import { FIXTURES } from './fixtures.ts';

/** The tools of a profile, and the fixtures: what discovery/site.ts reads in place of tools/index.ts during the conformance check. */
export const toolsOf = (profile: Profile | undefined, brandContext: BrandContext) => [
  ...toolsOfProduct(profile, brandContext),
  ...FIXTURES,
];
