import type { Answer, Match } from '../../brand/retrieval/brand.ts';
import type { Site } from '../documents/site.ts';
import { allClaims, chips, contactLinks } from './ask.ts';
import { claimCard, claimLine, issued, numberIn, publishes, type ShownClaim } from './claim.ts';
import { copyButton, html, type Markup } from './html.ts';

/** Further matches that are less similar than this are not drawn; the first match always is. */
const LEAST_SIMILARITY = 0.1;

/**
 * The matches of an answer: the first in full, the others smaller, each with its limits. There is no verdict: the reader
 * sees the sentence and its limits, and judges. Without a match: one sentence, and the way to a person.
 */
export function answerView(site: Site, { query, matches }: Answer): Markup {
  const [first, ...others] = matches;
  const body = first ? matchesView(site, query, first, others) : emptyView(site, query);
  return html`<div class="answer core" id="answer">
<h1>${query}</h1>
${body}
</div>`;
}

function matchesView(site: Site, query: string, first: Match, others: readonly Match[]): Markup {
  const { ask } = site.words;
  const further = others.filter(({ similarity }) => similarity >= LEAST_SIMILARITY);
  const address = `${site.baseUrl}/ask?q=${encodeURIComponent(query).replaceAll("'", '%27')}`;
  const command = `aval verify '${address}'`;
  const foot = cardFoot(site, first, { address, command, explanation: ask.checkWith });
  const similarity = numberIn(site.words.tag, Math.round(first.similarity * 100) / 100);
  return html`<p class="eyebrow">${ask.says} <span class="near">${ask.similarity} ${similarity}</span></p>
${claimCard(site, first, { heading: 'h2', foot })}
${publishes(site)}
${further.length > 0 && html`<p class="eyebrow">${ask.more}</p>`}
${further.map(match => html`${claimLine(site, match)}\n`)}
<p class="otherwise">${ask.contact.other} ${contactLinks(site, query)}</p>`;
}

const emptyView = (site: Site, query: string): Markup =>
  html`<p class="lead">${site.words.ask.none}</p>
<p>${contactLinks(site, query)}</p>
${chips(site)}
${allClaims(site)}`;

interface Proving {
  /** Of the page that shows the claim. */
  readonly address: string;
  /** Proves it from another computer. */
  readonly command: string;
  /** What the command does. */
  readonly explanation: string;
}

/** Where the words come from, what can be copied, and how to check it. */
export function cardFoot(site: Site, claim: ShownClaim, proving: Proving): Markup {
  const { address, command, explanation } = proving;
  const { ask, match } = site.words;
  const { applicable_for, not_applicable_for } = claim.boundary;
  const limitsText = `${match.applies}: ${applicable_for}\n${match.excludes}: ${not_applicable_for}`;
  const text = `${claim.statement}\n${limitsText}\n${address}`;
  const check = html`<details>
<summary>${ask.check}</summary>
<p>${explanation}</p>
<pre tabindex="0">${command}</pre>
</details>`;
  return html`<footer class="source">
<p>${ask.verbatim(issued(site))}</p>
${copyButton(text, ask.copy, ask.copied)}
${copyButton(address, ask.copyLink, ask.copied)}
${site.signed && check}
<p class="address">${address}</p>
</footer>`;
}
