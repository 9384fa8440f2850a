import type { Answer, Match } from '../../brand/retrieval/brand.ts';
import type { Site } from '../documents/site.ts';
import { contactTeam, neighbours } from './ask.ts';
import { claimArticle, issued, publishes } from './claim.ts';
import { copyButton, html, type Markup } from './html.ts';

/** Further matches that are less similar than this are not drawn; the first match always is. */
const LEAST_SIMILARITY = 0.1;

/**
 * The matches of an answer: the first in full, the others smaller, each with its limits. No verdict: the reader sees
 * the sentence and the limits, and judges. Without a match: one sentence, and the way to a person.
 */
export function answerView(site: Site, answer: Answer): Markup {
  const { query, matches } = answer;
  const [first, ...others] = matches;
  const body = first ? matchesView(site, query, first, others) : emptyView(site, query);
  const beside = neighbours(site, first ? [first] : []);
  return html`<section class="plain beside"><div class="answer core" id="answer"><h1>${query}</h1>
${body}</div>
${beside && html`<div class="core">${beside}</div>`}</section>`;
}

function matchesView(site: Site, query: string, first: Match, others: readonly Match[]): Markup {
  const { ask } = site.words;
  const further = others.filter(({ similarity }) => similarity >= LEAST_SIMILARITY);
  return html`<p class="eyebrow">${ask.says}</p>
${claimArticle(site, first, { withFigure: true })}
${provenance(site, query)}
${further.length > 0 && html`<p class="eyebrow">${ask.more}</p>`}
${further.map(match => claimArticle(site, match))}
${otherwise(site, query)}`;
}

const emptyView = (site: Site, query: string): Markup =>
  html`<p class="lead">${site.words.ask.none}</p>
${contactTeam(site, query)}`;

function otherwise(site: Site, query: string): Markup | false {
  const contact = contactTeam(site, query);
  return contact && html`<details><summary>${site.words.ask.contact.other}</summary>${contact}</details>`;
}

/** Where the words come from, and the address of the answer. */
function provenance(site: Site, query: string): Markup {
  const { words, baseUrl } = site;
  const [before = '', after = ''] = words.ask.verbatim('{}').split('{}');
  const link = `${baseUrl}/ask?q=${encodeURIComponent(query)}`;
  return html`<div class="said"><span>${before}${issued(site)}${after}</span>${copyButton(link, words.ask)}<span role="status"></span></div>${publishes(site)}`;
}
