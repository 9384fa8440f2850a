import type { Answer, Match } from '../../brand/retrieval/brand.ts';
import { quantityAsked, quantityOf } from '../../brand/retrieval/quantity.ts';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import { issuedAt } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { asksAboutBrand } from './about-brand.ts';
import { contactTeam, neighbours } from './ask.ts';
import { boundary, claimArticle, langOf } from './claim.ts';
import { attributes, copyButton, html, type Markup } from './html.ts';

/** What the profile says to a question: one claim in full, others by their words; where there is none, the way to a person. */
export function answerView(site: Site, answer: Answer): Markup {
  const { query } = answer;
  const [best, ...others] = answer.matches.filter(({ similarity }) => bandOf(similarity) !== 'possible');
  const isAbout = asksAboutBrand(query, namesOf(site));
  const body = isAbout ? aboutView(site) : claimsView(site, query, best);
  return html`<section class="plain beside"><div class="answer core" id="answer"><h1>${query}</h1>
${body}</div>
<div class="aside core">${furtherClaims(site, isAbout && best ? [best, ...others] : others)}${neighbours(site, best ? [best] : [])}</div></section>`;
}

function claimsView(site: Site, query: string, best: Match | undefined): Markup {
  const { ask } = site.words;
  if (!best) return html`<p class="verdict none">${ask.none}</p>${contactTeam(site, query)}`;
  const answers = bandOf(best.similarity) === 'answers';
  const asked = quantityAsked(query);
  const withFigure = asked !== undefined && best.metric !== undefined && asked === quantityOf(best.metric);
  const contact = !answers && contactTeam(site, query);
  return html`<p class="${answers ? 'verdict' : 'verdict near'}">${answers ? ask.answers : ask.nearest}</p>
${claimArticle(site, best, { withFigure, end: provenance(site, query) })}
${contact && html`<details><summary>${ask.contact.other}</summary>${contact}</details>`}`;
}

const namesOf = ({ profile }: Site) => (profile?.names ?? []).flatMap(name => Object.values(name));

/** The signed description, for who asks what the brand does. */
function aboutView(site: Site): Markup {
  const { words, profile, brandName } = site;
  return html`<p class="verdict">${words.ask.whatWeDo}</p>
<article class="claim" data-claim=""><p class="statement"${langOf(site)}>${profile?.description ?? brandName}</p>${provenance(site, brandName)}</article>`;
}

/** Further claims by their words; where each holds is a tap away. */
function furtherClaims(site: Site, others: readonly Match[]): Markup | false {
  if (others.length === 0) return false;
  const lines = others.map(
    match =>
      html`<details data-claim="${match.claim_id}"><summary${langOf(site)}><span class="words">${match.statement}</span></summary>${boundary(site, match)}</details>`,
  );
  return html`<div class="more"><p class="eyebrow">${site.words.ask.more}</p>${lines}</div>`;
}

/** Where the words come from, how to check that here, and the address of the answer. */
function provenance(site: Site, query: string): Markup {
  const { words, baseUrl, presentation } = site;
  const issued = issuedAt(site);
  const link = `${baseUrl}/ask?q=${encodeURIComponent(query)}`;
  return html`<p class="said">${issued && html`<span>${words.ask.verbatim(written(site, issued))}</span>`}${presentation.signed && checkButton(site, words.verify.checkHere, true)}${copyButton(link, words.ask)}<span role="status"></span></p>`;
}

/** The button that checks the signature in the browser; a link to the page of claims where a browser runs no script. */
export function checkButton({ words: { verify } }: Pick<Site, 'words'>, text: string, isQuiet = false): Markup {
  const said = {
    'data-good': verify.good,
    'data-bad': verify.bad,
    'data-unable': verify.unable,
    'data-busy': verify.busy,
  };
  return html`<button${attributes({ ...said, type: 'button', class: isQuiet && 'quiet' })}>${text}</button>`;
}

/** A date as the reader's language writes it: 3 March 2026. */
export const written = ({ words }: Pick<Site, 'words'>, date: Date): string =>
  date.toLocaleDateString(words.locale.replace('_', '-'), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
