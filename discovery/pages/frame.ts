import type { Profile } from '../../brand/profile/schema.ts';
import { formRoutesOf } from '../../rest/routes.ts';
import { LANGUAGES } from '../../tools/words/language.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { assetLinks } from './assets.ts';
import { attributes, html, type Markup } from './html.ts';
import { ICON_PATH, logos, mark, previewLogo } from './mark.ts';

/** What one page puts between the header and the foot. */
export interface Content {
  /** Of the window; the brand's name is added. */
  readonly title?: string;
  readonly main: Markup;
  /** Address of the page with its query, for the same page in another language. Default: the address in the browser. */
  readonly path?: string | undefined;
  /** In one sentence, for search engines and previews. */
  readonly about?: string;
  /** Search engines list the page, in each language. */
  readonly isListed?: boolean;
  /** Further elements of the head. */
  readonly head?: Markup;
  /** The language of what stands in the page, where it is not the language of the frame. */
  readonly mainLanguage?: string;
}

/**
 * A whole page: a header with the brand and the sections, the content, and a foot with who this is.
 * @returns HTML, from the doctype on; style and script are separate files
 * @example frame(site, { title: 'Docs', main: html`<h1>Docs</h1>`, path: '/docs' }) // '<!doctype html>…'
 */
export function frame(site: Site, content: Content): string {
  const { brandName, words, profile } = site;
  const { title, main, path, head, mainLanguage } = content;
  const assets = assetLinks(site);
  return html`<!doctype html>
<html lang="${words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === undefined ? brandName : `${title} · ${brandName}`}</title>
${preview(site, content)}
${head}
<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">${words.page.skip}</a>
<header class="bar">
<a class="brand" href="${homeOf(site)}">${mark(site)}</a>
<nav aria-label="${words.page.sections}">
<span class="wide">${sectionLinks(site)}</span>
${profile && html`<a class="site" href="${profile.url}"><span>${hostOf(profile)}</span> ↗</a>`}
${otherLanguages(site, path)}
</nav>
</header>
<main id="content" tabindex="-1"${attributes({ lang: mainLanguage })}>
${main}
</main>
${foot(site)}
</body>
</html>
`.text.replace(/>\n{2,}</g, '>\n<');
}

/** What search engines and previews read of a page that has an address, in each language. */
function preview({ baseUrl, brandName, words, profile }: Site, content: Content): Markup | false {
  const { title = brandName, path, about, isListed = false } = content;
  if (path === undefined || about === undefined) return false;
  const address = `${baseUrl}${inLanguage({ words }, path)}`;
  const picture = previewLogo(profile);
  return html`<meta name="description" content="${about}">
${isListed ? listed(baseUrl, address, path) : html`<meta name="robots" content="noindex">`}
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="${brandName}">
<meta property="og:locale" content="${words.locale}">
${
  picture &&
  html`<meta property="og:image" content="${picture}">
<meta name="twitter:card" content="summary">`
}`;
}

/** The address of the page in its language is the canonical one; the bare address is for readers of any language. */
function listed(baseUrl: string, address: string, path: string): Markup {
  return html`<link rel="canonical" href="${address}">
${LANGUAGES.map(
  words =>
    html`<link rel="alternate" hreflang="${words.tag}" href="${baseUrl}${inLanguage({ words }, path)}">\n`,
)}<link rel="alternate" hreflang="x-default" href="${baseUrl}${path}">`;
}

/** Lets in the site's own style and script, and the brand's logo. Where a form may lead is left open for `_next`. */
export function policy(site: Pick<Site, 'profile'>): { 'content-security-policy': string } {
  const { light, dark } = logos(site.profile);
  const hosts = new Set([light, dark].flatMap(url => (url?.startsWith('http') ? [new URL(url).origin] : [])));
  const directives = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    ["img-src 'self' data:", ...hosts].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  return { 'content-security-policy': directives.join('; ') };
}

/** An address of the site that keeps the language: without it the visitor's browser would choose anew. */
export function inLanguage({ words }: Pick<Site, 'words'>, path: string): string {
  const [address = '', ...fragment] = path.split('#');
  return [`${address}${address.includes('?') ? '&' : '?'}lang=${words.tag}`, ...fragment].join('#');
}

/** The way back: to the brand's own website where the bundled home page is switched off. */
export function homeOf(site: Site): string {
  return site.off.has('home') && site.profile ? site.profile.url : inLanguage(site, '/');
}

/** The way to the brand's own website; none while no profile is loaded. */
export function websiteLink({ profile, words }: Site): Markup | undefined {
  return profile && html`<a href="${profile.url}">${words.page.website(hostOf(profile))}</a>`;
}

const hostOf = ({ url }: Pick<Profile, 'url'>): string => new URL(url).hostname.replace(/^www\./, '');

function sectionLinks(site: Site): Markup {
  const { words, off } = site;
  const claims =
    !off.has('claims') &&
    site.profile &&
    html`<a href="${inLanguage(site, '/claims')}">${words.page.claims}</a>\n`;
  const forms = formRoutesOf(site.tools).map(
    ({ path, action }) => html`<a href="${inLanguage(site, path)}">${action.wordsIn(words).nav}</a>\n`,
  );
  return html`${claims}${forms}`;
}

function otherLanguages({ words }: Site, path = ''): Markup {
  const others = LANGUAGES.filter(other => other !== words);
  return html`${others.map(other => {
    const { tag, name } = other;
    return html`<a href="${inLanguage({ words: other }, path)}" hreflang="${tag}" lang="${tag}">${name}</a>`;
  })}`;
}

/** Who this is, how to reach them, and where the signed profile and all that is meant for programs stands. */
function foot(site: Site): Markup {
  const { words, off, brandName, privacyUrl, profile } = site;
  const email = contactEmail(site);
  const documents = off.has('docs') ? '/AGENTS.md' : inLanguage(site, '/docs');
  const profileName = site.signed ? words.verify.profile : words.verify.brand;
  return html`<footer class="foot">
<strong>${brandName}</strong>
${sectionLinks(site)}
${email && html`<a href="mailto:${email}">${email}</a>`}
${privacyUrl && html`<a href="${privacyUrl}">${words.forms.privacy}</a>`}
${profile && html`<a href="/.well-known/brand.json">${profileName}</a>`}
<a href="${documents}">${words.page.agents}</a>
</footer>`;
}

/** The profile's own privacy policy (AdCP `privacy_policy_url`). */
export function privacyOf(profile: Site['profile']): string | undefined {
  const url = profile?.privacy_policy_url;
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : undefined;
}
