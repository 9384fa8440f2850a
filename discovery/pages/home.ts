import { formRoutesOf } from '../../rest/routes.ts';
import type { Tool } from '../../tools/tool.ts';
import { organization, summary } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { allClaims, askBox, askPath, chips, expiredNotice, questionsFor } from './ask.ts';
import { claimCard, langOf, publishes, withProofs } from './claim.ts';
import { actionIn, leadOf } from './form.ts';
import { frame, inLanguage } from './frame.ts';
import { html, type Markup, scriptJson } from './html.ts';

/** A name of more characters is set smaller. */
const LONG_NAME = 36;

/** Who this is and a box to ask, one answer beside it, and the ways to the forms. */
export function homePage(site: Site): string {
  const { brandName, profile } = site;
  const description = profile?.description;
  const asking = html`<div class="core">
${askBox(site)}
${chips(site)}
</div>`;
  const forms = formRoutesOf(site.tools).map(({ tool, path }) => formCard(site, tool, path));
  const main = html`<div class="hero home">
<div class="intro">
<h1${brandName.length > LONG_NAME && html` class="long"`}>${brandName}</h1>
${description !== undefined && html`<p class="lead"${langOf(site)}>${firstSentence(description)}</p>`}
${publishes(site)}
${expiredNotice(site) || asking}
</div>
${sampleAnswer(site)}
</div>
${forms.length > 0 && html`<section class="cards">\n${forms}</section>`}`;
  const head = html`<link rel="alternate" type="text/markdown" href="${site.baseUrl}/index.md">
<script type="application/ld+json">${scriptJson(organization(site))}</script>`;
  return frame(site, { main, about: summary(site), head, path: '/', isListed: true });
}

/** The profile's first question with the claim that answers it, as an answer shows it. */
function sampleAnswer(site: Site): Markup | false {
  const { profile } = site;
  if (profile === undefined || site.isExpired()) return false;
  const [question] = questionsFor(site);
  const claim = profile.claims.find(({ claim_id }) => claim_id === question?.claim_id) ?? profile.claims[0];
  if (claim === undefined) return false;
  const asked =
    question && html`<p class="eyebrow"><a href="${askPath(site, question.text)}">${question.text}</a></p>`;
  return html`<aside class="sample">
${asked}
${claimCard(site, withProofs(claim, { proofs: [] }), { heading: 'h2' })}
${allClaims(site)}
</aside>`;
}

function formCard(site: Site, tool: Tool, path: string): Markup {
  const action = actionIn(tool);
  const { title, lead } = action.wordsIn(site.words);
  return html`<div class="panel">
<h2>${title}</h2>
<p>${leadOf(site, lead, action)}</p>
<a class="button" href="${inLanguage(site, path)}">${site.words.forms.open}</a>
</div>
`;
}

/** What a first screen has room for. */
function firstSentence(text: string): string {
  return /^.{20,}?[.!?](?=\s|$)/su.exec(text)?.[0] ?? text;
}
