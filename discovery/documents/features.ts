/** What is published beyond the contract, and can be turned off with PUBLISH_OFF: many a site has these of its own. */
export const FEATURES = [
  'jwks',
  'server-card',
  'robots',
  'sitemap',
  'security',
  'auth',
  'docs',
  'home',
  'a2a',
  'links',
] as const;

export type Feature = (typeof FEATURES)[number];
