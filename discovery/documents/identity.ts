import { SERVICE } from '../../tools/service.ts';
import type { Site } from './site.ts';

/** The domain that the profile speaks for; in production it is the one that is served. */
export function domain({ profile }: Pick<Site, 'profile'>): string {
  return new URL(profile.url).hostname.replace(/[^a-z0-9.-]/gi, '');
}

/** Name of the MCP server in cards and registries: the domain reversed, one slash, the service. */
export function serverName(site: Pick<Site, 'profile'>): string {
  return `${domain(site).split('.').reverse().join('.')}/${SERVICE.name}`;
}

/** Identifier of an entry of the AI catalog. */
export function urn(site: Pick<Site, 'profile'>, namespace: string, name: string): string {
  return `urn:air:${domain(site)}:${namespace}:${name}`;
}

/** One sentence of at most 100 characters, as cards and registries demand. */
export function shortDescription({ brandName }: Pick<Site, 'brandName'>): string {
  const about = (name: string) => `Answers about ${name}, verbatim from its signed brand profile; takes requests.`;
  return about(brandName).length <= 100 ? about(brandName) : about('a consultancy');
}

/** When the profile was issued, which is when its documents last changed. */
export function issuedAt({ profile }: Pick<Site, 'profile'>): Date {
  return new Date(profile.issued_at);
}
