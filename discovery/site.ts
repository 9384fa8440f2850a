import type { Profile } from '../brand/schema.ts';
import type { Policies } from '../tools/policies.ts';

/** What every published document is built from. Nothing of a request: the bytes are the same for everyone. */
export interface Site {
  /** Public origin without a trailing slash. */
  readonly baseUrl: string;
  readonly brandName: string;
  readonly profile: Profile;
  /** The signed file, byte for byte. */
  readonly profileBytes: Uint8Array;
  /** The public keys; absent where the profile is served unverified. */
  readonly jwks: Uint8Array | undefined;
  readonly policies: Policies;
}
