import { formRoutesOf } from '../../rest/routes.ts';
import { organization, summary } from '../documents/identity.ts';
import { replyText, type Site } from '../documents/site.ts';
import { allClaims, askBox, chips, expiredNotice, questionLink, questionsFor } from './ask.ts';
import { claimView, langOf, publishes } from './claim.ts';
import { frame, inLanguage } from './frame.ts';
import { html, type Markup, structuredData } from './html.ts';

/** A name of more characters is set smaller. */
const LONG_NAME = 36;

/** The home page: the brand, a question box, a sample answer, and links to the forms. */
export function homePage(site: Site): string {
  const { brandName, profile, baseUrl } = site;
  const description = profile?.description;
  const asking = html`<div class="core">
${askBox(site)}
${chips(site)}
</div>`;
  const main = html`<div class="hero home">
<div class="intro">
<h1${brandName.length > LONG_NAME && html` class="long"`}>${brandName}</h1>
${description !== undefined && html`<p class="lead"${langOf(site)}>${firstSentence(description)}</p>`}
${publishes(site)}
${expiredNotice(site) || asking}
</div>
${sampleAnswer(site)}
</div>
${formCards(site)}`;
  const head = html`<link rel="alternate" type="text/markdown" href="${baseUrl}/index.md">
${structuredData(organization(site))}`;
  return frame(site, { main, about: summary(site), head, path: '/' });
}

/** The profile's first question, with its claim drawn like an answer. */
function sampleAnswer(site: Site): Markup | false {
  const { profile } = site;
  if (profile === undefined || site.isExpired()) return false;
  const [question] = questionsFor(site);
  const claim = profile.claims.find(({ claim_id }) => claim_id === question?.claim_id) ?? profile.claims[0];
  if (claim === undefined) return false;
  const asked = question && html`<p class="eyebrow">${questionLink(site, question)}</p>`;
  return html`<aside class="sample">
${asked}
${claimView(site, claim, { heading: 'h2' })}
${allClaims(site)}
</aside>`;
}

/** A card for each form, with a link to its page. */
function formCards(site: Site): Markup | false {
  const routes = formRoutesOf(site.tools);
  if (routes.length === 0) return false;
  const cards = routes.map(({ action, path }) => {
    const { title, lead } = action.wordsIn(site.words);
    return html`<div class="panel">
<h2>${title}</h2>
<p>${lead} ${replyText(site, action)}</p>
<a class="button" href="${inLanguage(site, path)}">${site.words.forms.open}</a>
</div>
`;
  });
  return html`<section class="cards">
${cards}</section>`;
}

/** The first sentence of a text, because a first screen has little room. */
function firstSentence(text: string): string {
  return /^.{20,}?[.!?](?=\s|$)/su.exec(text)?.[0] ?? text;
}
