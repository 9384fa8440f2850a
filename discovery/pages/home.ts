import { formRoutesOf } from '../../rest/forms.ts';
import type { Tool } from '../../tools/tool.ts';
import { organization, summary } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { askBox, examples } from './ask.ts';
import { claimArticle, part, publishes, withProofs } from './claim.ts';
import { actionIn, leadOf, submissionForm } from './form.ts';
import { frame, inLanguage } from './frame.ts';
import { html, type Markup, scriptJson } from './html.ts';

/** Claims that the page shows; all of them stand on the page of claims. */
const SHOWN_CLAIMS = 3;

/** Who this is and a box to ask, on the first screen; below, some claims and the forms. Readable without scripts. */
export function homePage(site: Site): string {
  const { brandName, profile } = site;
  const about = summary(site);
  const own = profile?.description !== undefined && part(site, 'description');
  const main = html`<div class="hero"><h1>${brandName}</h1><p class="lead"${own}>${firstSentence(about)}</p>${publishes(site)}
<div class="core" id="ask-section">${askBox(site)}${examples(site)}</div></div>
${someClaims(site)}
${formRoutesOf(site.tools).map(({ tool }, at) => formSection(site, tool, at))}`;
  const head = html`<link rel="alternate" type="text/markdown" href="${site.baseUrl}/index.md">
<script type="application/ld+json">${scriptJson(organization(site))}</script>`;
  return frame(site, { main, about, head, path: '/' });
}

/** Those with a figure first. */
function someClaims(site: Site): Markup | false {
  const { words, profile } = site;
  const { ask, page } = words;
  if (profile === undefined || profile.claims.length === 0) return false;
  const { claims } = profile;
  const measured = claims.filter(({ metric }) => metric !== undefined);
  const shown = [...new Set([...measured, ...claims])].slice(0, SHOWN_CLAIMS);
  const articles = shown.map(claim =>
    claimArticle(site, withProofs(claim, profile), { withFigure: true, isFolded: true }),
  );
  const all = html`<a href="${inLanguage(site, '/claims')}">${ask.all(claims.length)}</a>`;
  return html`<section class="shown" id="claims" aria-labelledby="claims-title"><div><h2 id="claims-title">${page.claims}</h2><p class="note">${ask.claimsLead}</p></div><div class="body">${site.isExpired() && html`<p class="problem">${page.expired}</p>`}<div class="claims">${articles}</div></div>${!site.off.has('claims') && html`<p>${all}</p>`}</section>`;
}

function formSection(site: Site, tool: Tool, at: number): Markup {
  const action = actionIn(tool);
  const { kind: id } = action;
  const { title, lead } = action.wordsIn(site.words);
  return html`<section id="${id}"${at % 2 === 0 && html` class="tinted"`} aria-labelledby="${id}-title"><div><h2 id="${id}-title">${title}</h2><p class="note">${leadOf(site, lead, action)}</p></div><div class="body"><div class="panel">${submissionForm(site, tool)}</div></div></section>`;
}

/** What a first screen has room for; the rest stands in the answer to "what do you do". */
function firstSentence(text: string): string {
  return /^.{20,}?[.!?](?=\s|$)/su.exec(text)?.[0] ?? text;
}
