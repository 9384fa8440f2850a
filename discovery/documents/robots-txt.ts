import type { Documents } from './document.ts';
import { targets } from './links.ts';
import type { Site } from './site.ts';

/** robots.txt (RFC 9309) with the site's Content-Signal, and where its lists are. */
export function robotsTxt(site: Site, documents: Documents): string {
  const line = (name: string, path: string) => targets(site, documents, path).map(({ href }) => `${name}: ${href}`);
  return [
    'User-agent: *',
    `Content-Signal: ${site.contentSignal}`,
    'Allow: /',
    '',
    ...line('Sitemap', '/sitemap.xml'),
    ...line('Agentmap', '/.well-known/ai-catalog.json'),
    '',
  ].join('\n');
}
