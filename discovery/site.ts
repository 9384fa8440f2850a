import type { Profile } from '../brand/profile/schema.ts';
import type { Mode } from '../tools/deliver.ts';
import { toolsOf } from '../tools/index.ts';
import { introduce } from '../tools/introduction.ts';
import { messagesOf } from '../tools/words/language.ts';
import type { Publishing, Site } from './documents/site.ts';
import { privacyOf } from './pages/frame.ts';
import { icon } from './pages/mark.ts';

interface SiteParts extends Pick<Site, 'baseUrl' | 'policies' | 'examples'> {
  readonly publishing: Publishing;
  /** Absent while no profile is loaded. */
  readonly brand: PublishedBrand | undefined;
  readonly mode: Mode;
  readonly now: () => Date;
}

interface PublishedBrand extends Pick<Site, 'calibrated' | 'jwks'> {
  readonly name: string;
  readonly profile: Profile;
  readonly bytes: Uint8Array;
}

/** What documents and pages are made of: a profile, and the settings that concern them. */
export function createSite({ publishing, brand, mode, now, ...settings }: SiteParts): Site {
  const profile = brand?.profile;
  const picture = brand && icon({ brandName: brand.name, profile: brand.profile });
  const introduction = introduce(brand, mode, picture);
  return {
    ...settings,
    ...publishing,
    ...introduction,
    brandName: brand?.name ?? 'this brand',
    profile,
    profileBytes: brand?.bytes,
    jwks: brand?.jwks,
    privacyUrl: privacyOf(profile),
    tools: toolsOf(profile, introduction),
    calibrated: brand?.calibrated ?? true,
    words: messagesOf(profile?.language),
    isExpired: () => profile !== undefined && Date.parse(profile.expires_at) <= now().getTime(),
  };
}
