import type { Brand } from '../brand/brand.ts';

/** Holds the profile in use, so that a reload replaces it for all later requests at once. */
export interface BrandSource<Loaded extends Brand = Brand> {
  current: Loaded | undefined;
}
