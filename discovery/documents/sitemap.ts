import type { Documents } from './document.ts';
import { issuedAt } from './identity.ts';
import type { Site } from './site.ts';

/** sitemap.xml (sitemaps.org): the pages that people and agents read. */
export function sitemap(site: Site, documents: Documents): string {
  const lastmod = issuedAt(site).toISOString().slice(0, 10);
  const pages = documents.filter(
    ({ listed, contentType }) => contentType.startsWith('text/html') || (listed && contentType.startsWith('text/')),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages.map(({ path }) => `  <url><loc>${xmlText(site.baseUrl + path)}</loc><lastmod>${lastmod}</lastmod></url>`),
    '</urlset>',
    '',
  ].join('\n');
}

const xmlText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
