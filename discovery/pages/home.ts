import { formRoutesOf } from '../../rest/forms.ts';
import type { Tool } from '../../tools/tool.ts';
import { LANGUAGES } from '../../tools/words/language.ts';
import { organization, summary } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { askBox, examples } from './ask.ts';
import { boundary, langOf } from './claim.ts';
import { actionIn, leadOf, submissionForm } from './form.ts';
import { frame, inLanguage } from './frame.ts';
import { html, type Markup, scriptJson } from './html.ts';
import { previewLogo } from './theme.ts';

/** Claims that the page shows; all of them stand on the page of claims. */
const SHOWN_CLAIMS = 3;

/** Who this is and a box to ask, on the first screen; below, some claims and the forms. Readable without scripts. */
export function homePage(site: Site): string {
  const { brandName } = site;
  const main = html`<div class="hero"><h1>${brandName}</h1><p class="lead"${langOf(site)}>${firstSentence(summary(site))}</p>
<div class="core" id="ask-section">${askBox(site)}${examples(site)}</div></div>
${someClaims(site)}
${formRoutesOf(site.tools).map(({ tool }, at) => formSection(site, tool, at))}`;
  return frame(site, {
    main,
    head: head(site, { path: '/', title: brandName, about: summary(site), data: organization(site) }),
    path: '/',
  });
}

function someClaims(site: Site): Markup | false {
  const { claims = [] } = site.profile ?? {};
  const { ask } = site.words;
  if (claims.length === 0) return false;
  const lang = langOf(site);
  const expired = site.isExpired() && html`<p class="problem">${site.words.page.expired}</p>`;
  const shown = claims
    .slice(0, SHOWN_CLAIMS)
    .map(
      claim =>
        html`<article class="claim"><p class="statement"${lang}>${claim.statement}</p>${boundary(site, claim)}</article>`,
    );
  const all =
    !site.off.has('claims') &&
    html`<p class="aside"><a href="${inLanguage(site, '/claims')}">${ask.all(claims.length)}</a></p>`;
  return html`<section id="claims" aria-labelledby="claims-title"><div class="aside"><h2 id="claims-title">${ask.claims}</h2><p class="note">${ask.claimsLead}</p>${all}</div><div class="body">${expired}<div class="claims">${shown}</div></div></section>`;
}

function formSection(site: Site, tool: Tool, at: number): Markup {
  const action = actionIn(tool);
  const { kind: id } = action;
  const { title, lead } = action.wordsIn(site.words);
  return html`<section id="${id}"${at % 2 === 0 && html` class="tinted"`} aria-labelledby="${id}-title"><div class="aside"><h2 id="${id}-title">${title}</h2><p class="note">${leadOf(site, lead, action)}</p></div><div class="body"><div class="panel">${submissionForm(site, tool)}</div></div></section>`;
}

/** What a first screen has room for; the rest stands in the answer to "what do you do". */
function firstSentence(text: string): string {
  return /^.{20,}?[.!?](?=\s|$)/su.exec(text)?.[0] ?? text;
}

interface Shared {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  /** schema.org. */
  readonly data: object;
}

/** What search engines and previews read of a page, in each language. */
export function head({ baseUrl, brandName, words, profile }: Site, { path, title, about, data }: Shared): Markup {
  const picture = previewLogo(profile);
  const canonical = `${baseUrl}${path}`;
  const others = LANGUAGES.map(
    other =>
      html`<link rel="alternate" hreflang="${other.tag}" href="${baseUrl}${inLanguage({ words: other }, path)}">`,
  );
  return html`<meta name="description" content="${about}">
<link rel="canonical" href="${canonical}">
${others}
${path === '/' && html`<link rel="alternate" type="text/markdown" href="${baseUrl}/index.md">`}
<meta property="og:type" content="website"><meta property="og:title" content="${title}"><meta property="og:description" content="${about}"><meta property="og:url" content="${canonical}"><meta property="og:site_name" content="${brandName}"><meta property="og:locale" content="${words.locale}">${picture && html`<meta property="og:image" content="${picture}"><meta name="twitter:card" content="summary">`}
<script type="application/ld+json">${scriptJson(data)}</script>`;
}
