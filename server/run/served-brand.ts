import type { Brand } from '../../brand/retrieval/brand.ts';

/** A brand and its files, which are published byte for byte. */
export interface ServedBrand extends Brand {
  /** Says what answers: table and encoder, or the table alone and why. */
  readonly answeredBy: string;
  readonly bytes: Uint8Array;
  /** The public keys; absent for an unverified profile. */
  readonly jwks: Uint8Array | undefined;
}
