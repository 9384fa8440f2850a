import type { Profile } from '../../brand/profile/schema.ts';
import type { Action } from '../../tools/action.ts';
import type { Introduction } from '../../tools/introduction.ts';
import type { Policies } from '../../tools/policies.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Messages } from '../../tools/words/es.ts';
import type { Example } from './examples.ts';

/** What every published document is built from. Nothing of a request: the bytes are the same for everyone. */
export interface Site extends Publishing, Introduction {
  /** Public origin without a trailing slash. */
  readonly baseUrl: string;
  /** In full; `this brand` while no profile is loaded. */
  readonly brandName: string;
  /** Absent while none is loaded. */
  readonly profile: Profile | undefined;
  /** The signed file, byte for byte. */
  readonly profileBytes: Uint8Array | undefined;
  /** The public keys; absent where the profile is served unverified. */
  readonly jwks: Uint8Array | undefined;
  readonly policies: Policies;
  /** Those that the profile offers. */
  readonly tools: readonly Tool[];
  /** Whether similarities are probabilities. */
  readonly calibrated: boolean;
  /** The privacy policy that the forms ask consent to; absent where the profile names none. */
  readonly privacyUrl: string | undefined;
  /** The language in which people are addressed. */
  readonly words: Messages;
  readonly examples: readonly Example[];
  /** Whether the profile has expired: it is published, and not answered from. */
  readonly isExpired: () => boolean;
}

/** What people can send through these tools. */
export const actionsIn = (tools: readonly Tool[]): readonly Action[] =>
  tools.flatMap(({ submits }) => submits ?? []);

/** What the operator decides about the documents. */
export interface Publishing {
  readonly off: ReadonlySet<Feature>;
  /** `mailto:` or `https:` address for reports of vulnerabilities (RFC 9116). */
  readonly securityContact: string | undefined;
}

/**
 * What is published beyond the contract, and can be turned off with PUBLISH_OFF: many a site has these of its
 * own.
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
