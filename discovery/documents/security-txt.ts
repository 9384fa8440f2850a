import type { Site } from './site.ts';

/** security.txt (RFC 9116). It holds as long as the profile does: a server never serves an expired one. */
export function securityTxt({ baseUrl, profile, securityContact }: Site): string {
  return [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(profile.expires_at).toISOString()}`,
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    'Preferred-Languages: es, en',
    '',
  ].join('\n');
}
