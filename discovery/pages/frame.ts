import { gzipSync } from 'node:zlib';
import { HTTPResponse } from 'h3';
import { formRoutesOf } from '../../rest/forms.ts';
import type { Visit } from '../../rest/negotiation.ts';
import { LANGUAGES } from '../../tools/words/language.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { PAGE } from './client.ts';
import { cspHash, html, Markup } from './html.ts';
import { icon, logos, mark, palettes, previewLogo, themeOf } from './theme.ts';

export interface Content {
  /** Of the window; the brand's name is added. */
  readonly title?: string;
  readonly main: Markup;
  /** Address of the page with its query, for the same page in another language. Default: the address in the browser, without its query. */
  readonly path?: string | undefined;
  /** In one sentence, for search engines and previews. */
  readonly about?: string;
  /** Further elements of the head. */
  readonly head?: Markup;
}

/** A page with the brand above it and the ways on below it. Everything that it needs is in it. */
export function frame(site: Site, content: Content): string {
  const { brandName, words, profile } = site;
  const { title, main, path, head } = content;
  const { light, dark } = palettes(profile?.colors);
  return html`<!doctype html>
<html lang="${words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === undefined ? brandName : `${title} · ${brandName}`}</title>
${preview(site, content)}${head}
<meta name="theme-color" content="${light.sunken}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${dark.sunken}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${icon(site)}">
<style>${new Markup(styleOf(site))}</style>
</head>
<body>
<a class="skip" href="#content">${words.page.skip}</a>
<header class="bar"><a class="brand" href="${homeOf(site)}">${mark(site, path !== '/')}</a>${navigation(site, path)}</header>
<main id="content" tabindex="-1" data-lang="${words.tag}">
${main}
</main>
${foot(site, path)}
<script>${new Markup(PAGE.script)}</script>
</body>
</html>
`.text;
}

/** What search engines and previews read of a page that has an address, in each language. */
function preview({ baseUrl, brandName, words, profile }: Site, { title = brandName, path, about }: Content) {
  if (path === undefined || about === undefined) return false;
  const picture = previewLogo(profile);
  const others = LANGUAGES.map(
    other =>
      html`<link rel="alternate" hreflang="${other.tag}" href="${baseUrl}${inLanguage({ words: other }, path)}">`,
  );
  return html`<meta name="description" content="${about}">
<link rel="canonical" href="${baseUrl}${path}">
${others}
<meta property="og:type" content="website"><meta property="og:title" content="${title}"><meta property="og:description" content="${about}"><meta property="og:url" content="${baseUrl}${path}"><meta property="og:site_name" content="${brandName}"><meta property="og:locale" content="${words.locale}">${picture && html`<meta property="og:image" content="${picture}"><meta name="twitter:card" content="summary">`}
`;
}

const styleOf = ({ profile }: Pick<Site, 'profile'>) => themeOf(profile?.colors).page + PAGE.style;

/** Lets in what the page brings with it, and the brand's logo. Where a form may lead is left open for `_next`. */
export function policy(site: Pick<Site, 'profile'>): { 'content-security-policy': string } {
  const { light, dark } = logos(site.profile);
  const hosts = new Set([light, dark].flatMap(url => (url?.startsWith('http') ? [new URL(url).origin] : [])));
  const directives = [
    "default-src 'none'",
    `style-src ${cspHash(styleOf(site))}`,
    `script-src ${cspHash(PAGE.script)}`,
    "connect-src 'self'",
    ['img-src data:', ...hosts].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types aval',
  ];
  return { 'content-security-policy': directives.join('; ') };
}

/** The site as one visitor reads it. */
export interface View extends Site, Pick<Visit, 'isFragment' | 'acceptsGzip'> {}

export interface Answered extends Content {
  /** The part that an element of /embed.js shows. */
  readonly core: Markup;
  /** No hidden key stands beside what a visitor wrote: compressed together, their lengths would tell of the key (BREACH). */
  readonly isPackable?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page as the answer to one request, or the part of it that an element shows: kept by the visitor's browser alone. */
export function pageResponse(view: View, status: number, answered: Answered): HTTPResponse {
  const { core, isPackable, headers: own, ...content } = answered;
  const body = view.isFragment ? core.text : frame(view, content);
  const isPacked = isPackable === true && view.acceptsGzip;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    // Going back to a page must show what was typed, and the same key, so that sending it again is no second submission.
    'cache-control': 'private, no-cache',
    vary: 'Accept, Accept-Language, Accept-Encoding',
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...(!view.isFragment && policy(view)),
    ...own,
  };
  return new HTTPResponse(isPacked ? Uint8Array.from(gzipSync(body)) : body, { status, headers });
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

function navigation(site: Site, path: string | undefined): Markup {
  const { words, off } = site;
  const to = (address: string, text: string) => html`<a href="${inLanguage(site, address)}">${text}</a>`;
  const claims = !off.has('claims') && site.profile && to('/claims', words.page.claims);
  return html`<nav aria-label="${words.page.sections}">${claims}${formRoutesOf(site.tools).map(({ path, action }) => to(path, action.wordsIn(words).nav))}${otherLanguages(site, path)}</nav>`;
}

function otherLanguages({ words }: Site, path = ''): Markup {
  const others = LANGUAGES.filter(other => other !== words);
  return html`${others.map(
    other =>
      html`<a href="${inLanguage({ words: other }, path)}" hreflang="${other.tag}" lang="${other.tag}">${other.name}</a>`,
  )}`;
}

/** Who this is, how to reach them, and where the signed profile and all that is meant for programs stands. */
function foot(site: Site, path: string | undefined): Markup {
  const { words, off, brandName, privacyUrl, profile } = site;
  const email = contactEmail(site);
  const signed = off.has('claims') ? '/.well-known/brand.json' : `${inLanguage(site, '/claims')}#signature`;
  return html`<footer class="foot"><strong>${brandName}</strong>
${email && html`<a href="mailto:${email}">${email}</a>`}
${privacyUrl && html`<a href="${privacyUrl}">${words.forms.privacy}</a>`}
${profile && html`<a href="${signed}">${site.signed ? words.verify.profile : words.verify.brand}</a>`}
<a href="${off.has('docs') ? '/AGENTS.md' : inLanguage(site, '/docs')}">${words.page.agents}</a>
${otherLanguages(site, path)}</footer>`;
}

/** The profile's own privacy policy (AdCP `privacy_policy_url`). */
export function privacyOf(profile: Site['profile']): string | undefined {
  const url = profile?.privacy_policy_url;
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : undefined;
}
