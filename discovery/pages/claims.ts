import type { Claim } from '../../brand/profile/schema.ts';
import { foldedText } from '../../brand/profile/texts.ts';
import { brandThing } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { cardFoot } from './answer.ts';
import { askBox, contactLinks, expiredNotice } from './ask.ts';
import { claimCard, figure, issued, langOf, limits, publishes, withProofs } from './claim.ts';
import { frame, inLanguage } from './frame.ts';
import { attributes, html, type Markup, scriptJson } from './html.ts';

/** Every claim as a row, by category. The filter works in the browser alone (client/page.js). */
export function claimsPage(site: Site): string {
  const { words, profile } = site;
  const { claims = [] } = profile ?? {};
  const groups = groupsOf(claims);
  const lead = words.claims.lead(claims.length, issued(site));
  const main = html`<div class="hero">
<h1>${words.page.claims}</h1>
<p class="lead">${lead}</p>
${publishes(site)}
${expiredNotice(site)}
</div>
<section class="list">
<div class="side">
${filter(site, claims.length)}
${groups.length > 1 && jumps(site, groups)}
</div>
<div class="rows">
${groups.map((group, index) => groupView(site, group, index))}
<p id="filter-none" hidden><span></span> <a href="${inLanguage(site, '/ask')}">${words.claims.ask}</a></p>
</div>
</section>
<section class="plain" id="signature">
<h2>${words.verify.title}</h2>
${signature(site)}
</section>`;
  const head = html`<script type="application/ld+json">${scriptJson(itemList(site, claims))}</script>`;
  return frame(site, { title: words.page.claims, main, about: lead, path: '/claims', head, isListed: true });
}

/** Shown where scripts run. */
function filter({ words }: Site, count: number): Markup {
  const { filter, matching, none, clear } = words.claims;
  const texts = attributes({ 'data-matching': matching(count), 'data-none': none });
  return html`<div class="filter" hidden${texts}>
<label for="filter">${filter}</label>
<input id="filter" type="search" autocomplete="off">
<p class="note"><span role="status"></span> <button type="button" class="quiet" hidden>${clear}</button></p>
</div>`;
}

interface Group {
  readonly heading: string;
  readonly claims: readonly Claim[];
}

function groupsOf(claims: readonly Claim[]): readonly Group[] {
  const spellings = spellingsOf(claims);
  const byCategory = new Map<string, Claim[]>();
  for (const claim of claims) {
    const group = byCategory.get(claim.category) ?? [];
    group.push(claim);
    byCategory.set(claim.category, group);
  }
  return [...byCategory].map(([name, group]) => ({ heading: headingOf(name, spellings), claims: group }));
}

function jumps(site: Site, groups: readonly Group[]): Markup {
  const lang = langOf(site);
  return html`<nav aria-label="${site.words.claims.categories}">
<ul class="jumps">
${groups.map(
  ({ heading, claims }, index) =>
    html`<li><a href="#category-${index + 1}"><span${lang}>${heading}</span> <span class="count">${claims.length}</span></a></li>\n`,
)}</ul>
</nav>`;
}

const groupView = (site: Site, { heading, claims }: Group, index: number): Markup =>
  html`<section id="category-${index + 1}" class="group">
<h2${langOf(site)}>${heading}</h2>
<ul>
${claims.map(claim => row(site, claim))}</ul>
</section>
`;

function row(site: Site, claim: Claim): Markup {
  const { claim_id, statement, metric } = claim;
  return html`<li class="row" id="${claim_id}">
<div class="says">
<h3 class="statement"${langOf(site)}><a href="${claimPath(site, claim_id)}">${statement}</a></h3>
${metric && figure(site, metric)}
</div>
${limits(site, claim)}
</li>
`;
}

/**
 * A category as its owner wrote it. A slug is written out, with the accents that the claims have:
 * `distribucion-y-negociacion` → `Distribución y negociación`.
 */
function headingOf(category: string, spellings: ReadonlyMap<string, string>): string {
  if (!/^[a-z\d]+([-_][a-z\d]+)*$/.test(category)) return category;
  const text = category
    .split(/[-_]/)
    .map(word => spellings.get(word) ?? word)
    .join(' ');
  return text.replace(/^\p{Ll}/u, letter => letter.toLocaleUpperCase());
}

/** The words of the claims by their letters without accents. */
function spellingsOf(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const texts = claims.map(({ statement, boundary }) => [statement, ...Object.values(boundary)].join(' '));
  const words = texts.flatMap(text => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  return new Map([...new Set(words)].map(word => [foldedText(word), word]));
}

const claimPath = (site: Site, claimId: string): string =>
  inLanguage(site, `/claims/${encodeURIComponent(claimId)}`);

/** The claims as schema.org's ItemList: each has its own page. */
function itemList({ baseUrl }: Site, claims: readonly Claim[]): object {
  const itemListElement = claims.map(({ claim_id }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    url: `${baseUrl}/claims/${encodeURIComponent(claim_id)}`,
  }));
  return { '@context': 'https://schema.org', '@type': 'ItemList', itemListElement };
}

/** What the signature says and what not, and the command that checks it. */
function signature({ signed, baseUrl, words, off }: Site): Markup {
  const { verify } = words;
  if (!signed) return html`<p>${verify.unsigned}</p>`;
  const keys = !off.has('jwks') && html` · <a href="/.well-known/jwks.json">${verify.keys}</a>`;
  return html`<p>${verify.signed}</p>
<p>${verify.programs}</p>
<pre tabindex="0">aval verify ${baseUrl}</pre>
<p><a href="/.well-known/brand.json">${verify.profile}</a>${keys}</p>`;
}

/** One claim in full, at an address of its own; undefined where the profile has no such claim. */
export function claimPage(site: Site, claimId: string): string | undefined {
  const { words, profile, baseUrl } = site;
  const claim = profile?.claims.find(({ claim_id }) => claim_id === claimId);
  if (profile === undefined || claim === undefined) return undefined;
  const path = `/claims/${encodeURIComponent(claimId)}`;
  const shown = withProofs(claim, profile);
  const proving = { command: `aval verify ${baseUrl}`, explanation: words.verify.programs };
  const foot = cardFoot(site, shown, { address: baseUrl + path, ...proving });
  const ways = html`<p class="otherwise">${words.ask.contact.other} ${contactLinks(site, claim.statement)}</p>
${askBox(site)}`;
  const main = html`<section class="plain">
<p class="eyebrow"><a href="${inLanguage(site, '/claims')}">← ${words.page.claims}</a></p>
${expiredNotice(site)}
${claimCard(site, shown, { heading: 'h1', foot })}
${publishes(site)}
${!site.isExpired() && ways}
</section>`;
  const head = html`<script type="application/ld+json">${scriptJson(claimThing(site, claim))}</script>`;
  const { statement } = claim;
  return frame(site, { title: statement, main, about: statement, path, head, isListed: true });
}

/** The claim as schema.org's Claim, with who states it and until when. */
function claimThing(site: Site, { claim_id, statement }: Claim): object {
  const { profile, baseUrl } = site;
  return {
    '@context': 'https://schema.org',
    '@type': 'Claim',
    text: statement,
    url: `${baseUrl}/claims/${encodeURIComponent(claim_id)}`,
    author: brandThing(site),
    inLanguage: profile?.language,
    datePublished: profile?.issued_at,
    expires: profile?.expires_at,
  };
}
