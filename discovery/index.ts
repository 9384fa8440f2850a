import type { PublishedDocument } from './document.ts';

/** Every published resource, in the order in which the documents list them. */
export const DOCUMENTS: readonly PublishedDocument[] = [
  {
    path: '/.well-known/brand.json',
    contentType: 'application/json',
    build: ({ profileBytes }) => profileBytes,
  },
  {
    path: '/.well-known/jwks.json',
    contentType: 'application/jwk-set+json',
    build: ({ jwks }) => jwks,
  },
];
