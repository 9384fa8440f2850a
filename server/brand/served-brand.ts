import type { Brand } from '../../brand/retrieval/brand.ts';

/** A brand with the files it came from, which are published byte for byte. */
export interface ServedBrand extends Brand {
  /** In words: the table and the encoder, or which of them alone and why. */
  readonly answeredBy: string;
  readonly bytes: Uint8Array;
  /** The public keys; absent where the profile is served unverified. */
  readonly jwks: Uint8Array | undefined;
}
