import type { WarmableBrand } from '../../brand/retrieval/build-brand.ts';

/** A brand with the files it came from, which are published byte for byte. */
export interface ServedBrand extends WarmableBrand {
  readonly bytes: Uint8Array;
  /** The public keys; absent where the profile is served unverified. */
  readonly jwks: Uint8Array | undefined;
}
