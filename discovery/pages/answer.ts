import type { Answer, Match } from '../../brand/retrieval/brand.ts';
import type { Site } from '../documents/site.ts';
import { allClaims, chips, contactLinks } from './ask.ts';
import { claimFoot, claimView, numberIn, publishes } from './claim.ts';
import { html, type Markup } from './html.ts';

/** Least similarity of the second and further matches. The first match is always drawn. */
const LEAST_SIMILARITY = 0.1;

/**
 * Draws an answer: the first match in full, the others smaller, each with its limits. The page gives no
 * verdict; readers judge by sentence and limits. Without a match it has one sentence and a link to a person.
 */
export function answerView(site: Site, { query, matches }: Answer): Markup {
  const [first, ...others] = matches;
  if (first === undefined) return emptyView(site, query);
  const { ask } = site.words;
  const address = `${site.baseUrl}/ask?q=${encodeURIComponent(query).replaceAll("'", '%27')}`;
  const foot = claimFoot(site, first, address, `'${address}'`);
  const similarity = numberIn(site.words.tag, Math.round(first.similarity * 100) / 100);
  return html`<p class="note"><strong>${ask.says}</strong> · ${ask.similarity(similarity)}</p>
${claimView(site, first, { heading: 'h2', foot })}
${publishes(site)}
${furtherMatches(site, others)}
<p class="otherwise">${ask.contact.other} ${contactLinks(site, query)}</p>`;
}

function furtherMatches(site: Site, others: readonly Match[]): Markup | false {
  const further = others.filter(({ similarity }) => similarity >= LEAST_SIMILARITY);
  if (further.length === 0) return false;
  return html`<p class="eyebrow">${site.words.ask.more}</p>
${further.map(match => claimView(site, match, { heading: 'h2', isRow: true }))}`;
}

const emptyView = (site: Site, query: string): Markup =>
  html`<p class="lead">${site.words.ask.none}</p>
<p>${contactLinks(site, query)}</p>
${chips(site)}
${allClaims(site)}`;
