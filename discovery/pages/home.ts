import { FORM_ROUTES } from '../../rest/forms/forms.ts';
import { languages } from '../../tools/language/language.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Tool } from '../../tools/tool.ts';
import { type Documents, MCP_PATH } from '../documents/document.ts';
import { contactEmail, organization, summary } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { frame, inLanguage } from '../look/frame.ts';
import { html, type Markup, scriptJson } from '../look/html.ts';
import { askBox } from './ask.ts';
import { claimArticle } from './claim.ts';
import { kindOf, submissionForm } from './form.ts';

/** Claims that the page shows; all of them stand in the profile. */
const SHOWN_CLAIMS = 4;

/** What the brand stands for, a question box and the two forms. Readable without scripts. */
export function homePage(site: Site, documents: Documents): string {
  const { brandName, profile, words } = site;
  const { claims = [] } = profile ?? {};
  const shown = claims.slice(0, SHOWN_CLAIMS);
  const main = html`<div class="hero"><h1>${brandName}</h1><p class="lead">${summary(site)}</p></div>
<section id="ask-section" aria-labelledby="ask-title"><h2 id="ask-title">${words.ask.title}</h2><div class="body"><p>${words.ask.lead}</p>
${askBox(site)}</div></section>
<section id="claims" aria-labelledby="claims-title"><h2 id="claims-title">${words.ask.claims}</h2><div class="body"><p>${words.ask.claimsLead(shown.length, claims.length)} <a href="/.well-known/brand.json">${words.ask.whole}</a></p>
<div class="claims">${shown.map(claim => claimArticle(site, claim))}</div></div></section>
${FORM_ROUTES.map(({ tool }) => formSection(site, tool))}`;
  return frame(site, { main, head: head(site), path: '/', foot: foot(site, documents) });
}

function formSection(site: Site, tool: Tool): Markup {
  const { title, lead } = site.words.actions[kindOf(tool)];
  return html`<section id="${kindOf(tool)}" aria-labelledby="${kindOf(tool)}-title"><h2 id="${kindOf(tool)}-title">${title}</h2><div class="body"><p>${lead(SERVICE.replyHours)}</p>
${submissionForm(site, tool)}</div></section>`;
}

function head(site: Site): Markup {
  const { baseUrl, brandName, words } = site;
  return html`<meta name="description" content="${summary(site)}">
<link rel="canonical" href="${baseUrl}/">
${languages().map(other => html`<link rel="alternate" hreflang="${other.tag}" href="${baseUrl}${inLanguage({ words: other }, '/')}">`)}
<link rel="alternate" type="text/markdown" href="${baseUrl}/index.md">
<meta property="og:type" content="website">
<meta property="og:title" content="${brandName}">
<meta property="og:description" content="${summary(site)}">
<meta property="og:url" content="${baseUrl}/">
<meta property="og:site_name" content="${brandName}">
<meta property="og:locale" content="${words.locale}">
<script type="application/ld+json">${scriptJson(organization(site))}</script>`;
}

function foot(site: Site, documents: Documents): Markup {
  const { words, baseUrl } = site;
  const email = contactEmail(site);
  const listed = documents.flatMap(({ path, listed }) => (listed ? [{ path, title: listed.title }] : []));
  return html`<footer>
${email && html`<p>${words.page.contact}: <a href="mailto:${email}">${email}</a></p>`}
<p>${words.page.agents}. ${words.page.mcp} <code>${baseUrl}${MCP_PATH}</code>. <span lang="en">${listed.map(({ path, title }, index) => html`${index > 0 && ' · '}<a href="${path}">${title}</a>`)}</span></p>
</footer>`;
}
