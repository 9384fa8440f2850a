import { formRoutesOf } from '../../rest/routes.ts';
import { LANGUAGES } from '../../tools/words/language.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { assetLinks } from './assets.ts';
import { html, type Markup } from './html.ts';
import { ICON_PATH, logosOf, mark, previewLogo } from './mark.ts';

/** The content of a page, between header and foot. */
export interface Drawn {
  /** Title of the window. The brand's name is added. */
  readonly title?: string;
  readonly main: Markup;
  /** Path and query, for the links to other languages. Default: the address in the browser. */
  readonly path?: string;
  /** One sentence about the page, for search engines and previews. Default: the title. */
  readonly about?: string;
  /** Further elements of the head. */
  readonly head?: Markup;
  /** Of the response to one visitor. Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A whole page: a header with the brand and the sections, the content, and a foot with who this is.
 * @returns HTML, from the doctype on; style and script are separate files
 * @example frame(site, { title: 'Docs', main: html`<h1>Docs</h1>`, path: '/docs' }) // '<!doctype html>…'
 */
export function frame(site: Site, content: Drawn): string {
  const { brandName, words, profile } = site;
  const { title, main, path, head } = content;
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
<main id="content" tabindex="-1">
${main}
</main>
${foot(site)}
</body>
</html>
`.text.replace(/>\n{2,}</g, '>\n<');
}

/**
 * Metadata for search engines and previews of a page that has an address. The canonical address has `?lang=`;
 * the one without is for any language. A page with a visitor's words in its address is not listed, or anyone
 * could have any words listed by a link.
 */
function preview(site: Site, { title = site.brandName, path, about = title }: Drawn): Markup | false {
  if (path === undefined) return false;
  const address = site.baseUrl + inLanguage(site, path);
  const picture = previewLogo(site);
  const languages = LANGUAGES.map(words => [words.tag, inLanguage({ words }, path)] as const);
  const alternates = [...languages, ['x-default', path] as const].map(
    ([tag, target]) => html`<link rel="alternate" hreflang="${tag}" href="${site.baseUrl}${target}">\n`,
  );
  const indexedLinks = html`<link rel="canonical" href="${address}">
${alternates}`;
  return html`<meta name="description" content="${about}">
${path.includes('?') ? html`<meta name="robots" content="noindex">` : indexedLinks}
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="${site.brandName}">
${picture && html`<meta property="og:image" content="${picture}">`}`;
}

/** The Content-Security-Policy: own style and script, the brand's logo. No `form-action`, for `_next`. */
export function policy(site: Pick<Site, 'profile'>): { 'content-security-policy': string } {
  const addresses = logosOf(site).filter(({ url }) => url.startsWith('http'));
  const hosts = new Set(addresses.map(({ url }) => new URL(url).origin));
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

/** A path with `?lang=`, so that the visitor stays in the language of this page. */
export const inLanguage = ({ words }: Pick<Site, 'words'>, path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${words.tag}`;

/** What is written for programs and those who write them. */
export const docsPath = (site: Site): string =>
  site.off.has('docs') ? '/AGENTS.md' : inLanguage(site, '/docs');

/** Address of the home page: the brand's website if the bundled home page is switched off. */
export function homeOf(site: Site): string {
  return site.off.has('home') && site.profile ? site.profile.url : inLanguage(site, '/');
}

/** A link to the brand's website. Undefined while no profile is loaded. */
export function websiteLink({ profile, words }: Site): Markup | undefined {
  return profile && html`<a href="${profile.url}">${words.page.website(hostOf(profile))}</a>`;
}

const hostOf = ({ url }: { readonly url: string }): string => new URL(url).hostname.replace(/^www\./, '');

function sectionLinks(site: Site): Markup {
  const { words, off, profile, tools } = site;
  const claims =
    !off.has('claims') &&
    profile &&
    html`<a href="${inLanguage(site, '/claims')}">${words.page.claims}</a>\n`;
  const forms = formRoutesOf(tools).map(
    ({ path, action }) => html`<a href="${inLanguage(site, path)}">${action.wordsIn(words).nav}</a>\n`,
  );
  return html`${claims}${forms}`;
}

function otherLanguages(site: Site, path = ''): Markup {
  const links = LANGUAGES.filter(words => words !== site.words).map(words => {
    const { tag, name } = words;
    return html`<a href="${inLanguage({ words }, path)}" hreflang="${tag}" lang="${tag}">${name}</a>`;
  });
  return html`${links}`;
}

/** The foot: the brand, its contact, and links to the signed profile and to documents for programs. */
function foot(site: Site): Markup {
  const { words, brandName, profile, signed } = site;
  const privacyUrl = privacyOf(profile);
  const email = contactEmail(site);
  const profileName = signed ? words.page.signedProfile : words.page.unsignedProfile;
  return html`<footer class="foot">
<strong>${brandName}</strong>
${sectionLinks(site)}
${email && html`<a href="mailto:${email}">${email}</a>`}
${privacyUrl && html`<a href="${privacyUrl}">${words.forms.privacy}</a>`}
${profile && html`<a href="/.well-known/brand.json">${profileName}</a>`}
<a href="${docsPath(site)}">${words.page.agents}</a>
</footer>`;
}

/** Address of the privacy policy in the profile (AdCP `privacy_policy_url`). */
export function privacyOf(profile: Site['profile']): string | undefined {
  const url = profile?.privacy_policy_url;
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : undefined;
}
