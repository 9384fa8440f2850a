import { claimsWithProofs } from '../../brand/profile/answer-parts.ts';
import type { Claim } from '../../brand/profile/schema.ts';
import { foldedText } from '../../brand/profile/texts.ts';
import { brandThing } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { askBox, contactLinks, expiredNotice } from './ask.ts';
import { claimFoot, claimPath, claimView, issued, langOf, publishes } from './claim.ts';
import { frame, inLanguage } from './frame.ts';
import { attributes, html, type Markup, structuredData } from './html.ts';

/** Every claim as a row, by category. The filter works in the browser alone (client/page.js). */
export function claimsPage(site: Site): string {
  const { words, profile, baseUrl } = site;
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
</div>
</section>`;
  const itemListElement = claims.map(({ claim_id }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    url: baseUrl + claimPath(claim_id),
  }));
  const head = structuredData({ '@type': 'ItemList', itemListElement });
  return frame(site, { title: words.page.claims, main, about: lead, path: '/claims', head });
}

/** The filter, which a script shows. Its status says how many claims are left, or offers to ask. */
function filter(site: Site, count: number): Markup {
  const { filter, matching, none, clear, ask } = site.words.claims;
  const texts = attributes({ 'data-matching': matching(count), 'data-none': none });
  return html`<form class="filter" role="search"${texts}>
<label for="filter">${filter}</label>
<input id="filter" type="search" autocomplete="off">
<p class="note">
<span role="status"></span>
<button type="reset" class="quiet" hidden>${clear}</button>
<a href="${inLanguage(site, '/ask')}" hidden>${ask}</a>
</p>
</form>`;
}

interface Group {
  readonly heading: string;
  readonly claims: readonly Claim[];
}

function groupsOf(claims: readonly Claim[]): readonly Group[] {
  const categories = [...new Set(claims.map(({ category }) => category))];
  const spellings = spellingsOf(claims);
  return categories.map(name => ({
    heading: headingOf(name, spellings),
    claims: claims.filter(({ category }) => category === name),
  }));
}

function jumps(site: Site, groups: readonly Group[]): Markup {
  const lang = langOf(site);
  const items = groups.map(({ heading, claims }, index) => {
    const count = html`<span class="count note">${claims.length}</span>`;
    return html`<li><a href="#category-${index + 1}"><span${lang}>${heading}</span> ${count}</a></li>\n`;
  });
  return html`<nav aria-label="${site.words.claims.categories}">
<ul class="jumps">
${items}</ul>
</nav>`;
}

const groupView = (site: Site, { heading, claims }: Group, index: number): Markup =>
  html`<section id="category-${index + 1}" class="group">
<h2${langOf(site)}>${heading}</h2>
${claims.map(claim => claimView(site, claim, { heading: 'h3', isRow: true }))}</section>
`;

/**
 * The heading of a category. A slug becomes words, with the accents of the same words in the claims:
 * `distribucion-y-negociacion` → `Distribución y negociación`.
 */
function headingOf(category: string, spellings: ReadonlyMap<string, string>): string {
  if (!/^[a-z\d]+([-_][a-z\d]+)*$/.test(category)) return category;
  const words = category.split(/[-_]/).map(word => spellings.get(word) ?? word);
  return words.join(' ').replace(/^\p{Ll}/u, letter => letter.toLocaleUpperCase());
}

/** The words of all claims, by their form without accents. */
function spellingsOf(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const texts = claims.map(({ statement, boundary }) => [statement, ...Object.values(boundary)].join(' '));
  const words = texts.flatMap(text => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  return new Map(words.map(word => [foldedText(word), word]));
}

/** The page of a claim. Undefined if the profile has no such claim. */
export function claimPage(site: Site, claimId: string): string | undefined {
  const { words, profile, baseUrl } = site;
  if (profile === undefined) return undefined;
  const claims = profile.claims.filter(({ claim_id }) => claim_id === claimId);
  const [claim] = claimsWithProofs({ ...profile, claims });
  if (claim === undefined) return undefined;
  const { statement } = claim;
  const path = claimPath(claimId);
  const foot = claimFoot(site, claim, baseUrl + path, baseUrl);
  const ways = html`<p class="otherwise">${words.ask.contact.other} ${contactLinks(site, statement)}</p>
${askBox(site)}`;
  const main = html`<section class="plain">
<p class="eyebrow"><a href="${inLanguage(site, '/claims')}">← ${words.page.claims}</a></p>
${expiredNotice(site)}
${claimView(site, claim, { heading: 'h1', foot })}
${publishes(site)}
${!site.isExpired() && ways}
</section>`;
  const head = structuredData({
    '@type': 'Claim',
    text: statement,
    url: baseUrl + path,
    author: brandThing(site),
    inLanguage: profile.language,
    datePublished: profile.issued_at,
    expires: profile.expires_at,
  });
  return frame(site, { title: statement, main, path, head });
}
