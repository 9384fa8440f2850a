import { formRoutesOf } from '../../rest/routes.ts';
import { type Documents, targets } from './document.ts';
import { issuedAt } from './identity.ts';
import type { Site } from './site.ts';

/** robots.txt (RFC 9309) with a Content-Signal and the addresses of sitemap and AI catalog. */
export function robotsTxt(site: Site, documents: Documents): string {
  const line = (name: string, path: string) =>
    targets(site, documents, path).map(({ href }) => `${name}: ${href}`);
  return [
    'User-agent: *',
    // contentsignals.org. For another signal set PUBLISH_OFF=robots and serve another robots.txt.
    'Content-Signal: search=yes, ai-input=yes, ai-train=no',
    'Allow: /',
    '',
    ...line('Sitemap', '/sitemap.xml'),
    ...line('Agentmap', '/.well-known/ai-catalog.json'),
    '',
  ].join('\n');
}

/** sitemap.xml (sitemaps.org): the pages that people and agents read. */
export function sitemap(site: Site, documents: Documents): string {
  const issued = issuedAt(site);
  const lastmod = issued ? `<lastmod>${issued.toISOString().slice(0, 10)}</lastmod>` : '';
  const pages = documents.filter(
    ({ listing, contentType }) =>
      contentType.startsWith('text/html') || (listing && contentType.startsWith('text/')),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...[...pages, ...formRoutesOf(site.tools)].map(
      ({ path }) => `  <url><loc>${xmlText(site.baseUrl + path)}</loc>${lastmod}</url>`,
    ),
    '</urlset>',
    '',
  ].join('\n');
}

const xmlText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** security.txt (RFC 9116). It expires with the profile; then its path answers 404. */
export function securityTxt({ baseUrl, profile, securityContact }: Site): string | undefined {
  if (!profile) return undefined;
  return [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(profile.expires_at).toISOString()}`,
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    `Preferred-Languages: ${profile.language}`,
    '',
  ].join('\n');
}
