import type { Profile } from '../../brand/profile/schema.ts';
import type { Action } from '../../tools/action.ts';
import type { Mode } from '../../tools/deliver.ts';
import { toolsOf } from '../../tools/index.ts';
import { type Introduction, introduce } from '../../tools/introduction.ts';
import type { Policies } from '../../tools/policies.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Messages } from '../../tools/words/es.ts';
import { messagesOf } from '../../tools/words/language.ts';
import type { Example } from './examples.ts';

/** The facts from which all documents are built. Nothing depends on a request. */
export interface Site extends Publishing, Introduction {
  /** Public origin without a trailing slash. */
  readonly baseUrl: string;
  /** The full name; `this brand` while no profile is loaded. */
  readonly brandName: string;
  /** Absent while none is loaded. */
  readonly profile: Profile | undefined;
  /** The signed file, byte for byte. */
  readonly profileBytes: Uint8Array | undefined;
  /** The public keys; absent where the profile is served unverified. */
  readonly jwks: Uint8Array | undefined;
  readonly policies: Policies;
  /** The tools that the profile offers. */
  readonly tools: readonly Tool[];
  /** The language in which people are addressed. */
  readonly words: Messages;
  readonly examples: readonly Example[];
  /** Whether the profile has expired. It is then published, but questions get no answer from it. */
  readonly isExpired: () => boolean;
}

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

/** Collects the facts: from a profile, and from the settings that concern documents. */
export function createSite({ publishing, brand, mode, now, ...settings }: SiteParts): Site {
  const profile = brand?.profile;
  const introduction = introduce(brand, mode);
  return {
    ...settings,
    ...publishing,
    ...introduction,
    brandName: brand?.name ?? 'this brand',
    profile,
    profileBytes: brand?.bytes,
    jwks: brand?.jwks,
    tools: toolsOf(profile, introduction),
    words: messagesOf(profile?.language),
    isExpired: () => profile !== undefined && Date.parse(profile.expires_at) <= now().getTime(),
  };
}

/** The actions that these tools submit. */
export const actionsIn = (tools: readonly Tool[]): readonly Action[] =>
  tools.flatMap(({ submits }) => submits ?? []);

/** When a person replies to an action. In a dry run: that nobody does. */
export const replyText = ({ words, mode }: Site, { replyHours }: Action): string =>
  mode === 'production' ? words.reply(replyHours) : words.trial;

/** What the operator decides about the documents. */
export interface Publishing {
  readonly off: ReadonlySet<Feature>;
  /** `mailto:` or `https:` address for reports of vulnerabilities (RFC 9116). */
  readonly securityContact: string | undefined;
}

/**
 * Documents beyond the contract. PUBLISH_OFF turns them off for a site that has its own.
 */
export const FEATURES = [
  'jwks',
  'server-card',
  'robots',
  'sitemap',
  'security',
  'docs',
  'home',
  'claims',
  'embed',
  'a2a',
  'links',
] as const;

export type Feature = (typeof FEATURES)[number];
