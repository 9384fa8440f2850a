import type { Profile } from '../../brand/profile/schema.ts';
import { FORM_ROUTES } from '../../rest/forms/forms.ts';
import type { Reply } from '../../rest/http/reply.ts';
import { languages } from '../../tools/language/language.ts';
import type { Site } from '../documents/site.ts';
import { cspHash, html, Markup } from './html.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { logos, themeRules } from './theme.ts';

interface Content {
  /** Of the window; the brand's name is added. */
  readonly title?: string;
  readonly main: Markup;
  /** Further elements of the head. */
  readonly head?: Markup;
  /** Where the page is shown, with its query, where it can be shown in another language. */
  readonly path?: string | undefined;
  readonly foot?: Markup | undefined;
  /** In place of the script of forms and questions. */
  readonly script?: string;
  readonly lang?: string;
}

/** A page with the brand above and below it. Everything that it needs is in it. */
export function frame(site: Site, { title, main, head, path, foot, script = SCRIPT, lang }: Content): string {
  const { brandName, words, profile } = site;
  return html`<!doctype html>
<html lang="${lang ?? words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === undefined ? brandName : `${title} · ${brandName}`}</title>
${head}
<link rel="icon" href="data:,">
<style>${new Markup(styleOf(profile))}</style>
</head>
<body>
<a class="skip" href="#content">${words.page.skip}</a>
<header class="bar"><a class="brand" href="${homeOf(site)}">${mark(site)}</a>${navigation(site, path)}</header>
<main id="content" tabindex="-1">
${main}
</main>
${foot}
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

const styleOf = (profile: Profile | undefined) => `${themeRules(profile?.colors)}${STYLE}`;

/** Lets in what the page brings with it, and the brand's logo. Where a form may lead is left open for `_next`. */
export function policy({ profile }: Pick<Site, 'profile'>, script = SCRIPT): { 'content-security-policy': string } {
  const { light, dark } = logos(profile);
  const hosts = new Set([light, dark].flatMap(url => (url?.startsWith('http') ? [new URL(url).origin] : [])));
  const directives = [
    "default-src 'none'",
    `style-src ${cspHash(styleOf(profile))}`,
    `script-src ${cspHash(script)}`,
    "connect-src 'self'",
    ['img-src data:', ...hosts].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return { 'content-security-policy': directives.join('; ') };
}

/** A page as the answer to one request: kept by nobody. */
export function pageReply(site: Site, status: number, content: Content): Reply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Language',
      ...policy(site),
    },
    body: frame(site, content),
  };
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

function mark({ brandName, profile }: Site): Markup {
  const { light, dark } = logos(profile);
  if (light === undefined) return html`${brandName}`;
  const other = dark !== light && html`<source srcset="${dark}" media="(prefers-color-scheme: dark)">`;
  return html`<picture>${other}<img src="${light}" alt="${brandName}"></picture>`;
}

function navigation(site: Site, path: string | undefined): Markup {
  const { words } = site;
  const to = (address: string, text: string) => html`<a href="${inLanguage(site, address)}">${text}</a>`;
  const others = path === undefined ? [] : languages().filter(other => other !== words);
  const ask = !site.off.has('home') && to('/#ask-section', words.ask.title);
  return html`<nav aria-label="${words.page.sections}">${ask}${FORM_ROUTES.map(form => to(form.path, words.actions[form.kind].nav))}${others.map(
    other =>
      html`<a href="${inLanguage({ words: other }, path ?? '/')}" hreflang="${other.tag}" lang="${other.tag}">${other.name}</a>`,
  )}</nav>`;
}
