import { foldedText } from '../../brand/profile/folded-text.ts';
import type { Claim, Profile } from '../../brand/profile/schema.ts';
import type { Site } from '../documents/site.ts';
import { claimArticle, issued, langOf, publishes, withProofs } from './claim.ts';
import { frame, inLanguage } from './frame.ts';
import { attributes, html, type Markup } from './html.ts';

/** Claims on one page: more would be no page that anybody reads, nor one that a phone loads. */
const MOST = 100;

/** Characters of a search: each word of it is looked for in every claim. */
const LONGEST = 200;

/**
 * Every claim, by category, each with an address of its own; how to check the signature.
 * @param asked `q`: only the claims with these words; `from`: the first of them that is shown
 */
export function claimsPage(site: Site, asked = new URLSearchParams()): string {
  const { words, profile } = site;
  const query = (asked.get('q') ?? '').trim().slice(0, LONGEST);
  const from = Math.max(0, Math.trunc(Number(asked.get('from')) || 0));
  const { claims = [] } = profile ?? {};
  const terms = foldedText(query).split(/\s+/);
  const found = query === '' ? claims : claims.filter(claim => matches(claim, query, terms));
  const groups = groupsOf(claims, found.slice(from, from + MOST));
  const [before = '', after = ''] = words.claims.lead(claims.length, '{}').split('{}');
  const main = html`<div class="hero"><h1>${words.page.claims}</h1><p class="lead">${before}${issued(site)}${after}</p>${publishes(site)}${site.isExpired() && html`<p class="problem">${words.page.expired}</p>`}${search(site, query, found.length)}${jumps(site, groups)}</div>
${profile && groups.map((group, at) => section(site, profile, group, at))}
${more(site, query, from + MOST, found.length)}
<section class="tinted" id="signature" aria-labelledby="signature-title"><div><h2 id="signature-title">${words.verify.title}</h2></div><div class="body">${signature(site)}</div></section>`;
  const about = words.claims.lead(claims.length, profile?.issued_at.slice(0, 10) ?? '');
  const path = query === '' ? '/claims' : `/claims?q=${encodeURIComponent(query)}`;
  return frame(site, { title: words.page.claims, main, about, path });
}

/** Works as a link and as a form; where a browser runs scripts, it filters as one types. */
function search(site: Site, query: string, found: number): Markup {
  const { claims: words, page } = site.words;
  const input = attributes({
    ...{ id: 'filter', name: 'q', type: 'search', autocomplete: 'off', maxlength: LONGEST },
    value: query || undefined,
  });
  const all = html`<a href="${inLanguage(site, '/claims')}">${words.whole}</a>`;
  return html`<form role="search" method="get" action="/claims"><label for="filter">${words.search}</label>
<div class="ask"><input${input}><input type="hidden" name="lang" value="${site.words.tag}"><button>${words.button}</button></div></form>
${query !== '' && html`<p class="note" role="status" aria-label="${page.claims}">${words.found(words.count(found), query)} ${all}</p>`}`;
}

/** Every word of the question stands in the claim, or the question is its id. */
function matches(
  { claim_id, statement, category, boundary }: Claim,
  query: string,
  terms: readonly string[],
): boolean {
  if (claim_id === query) return true;
  const text = foldedText(
    `${statement} ${category} ${boundary.applicable_for} ${boundary.not_applicable_for}`,
  );
  return terms.every(term => text.includes(term));
}

interface Group {
  readonly heading: string;
  readonly claims: readonly Claim[];
}

function groupsOf(all: readonly Claim[], shown: readonly Claim[]): readonly Group[] {
  const spelled = spellingsOf(all);
  return [...new Set(shown.map(({ category }) => category))].map(name => ({
    heading: headingOf(name, spelled),
    claims: shown.filter(({ category }) => category === name),
  }));
}

/** A list to jump, where there is more than one way to go. */
function jumps(site: Site, groups: readonly Group[]): Markup | false {
  if (groups.length < 2) return false;
  const lang = langOf(site);
  const { words } = site;
  return html`<ul class="chips">${groups.map(({ heading, claims }, at) => html`<li><a href="#category-${at + 1}"><span${lang}>${heading}</span>&nbsp;<span class="note" aria-label="${words.claims.count(claims.length)}">${claims.length}</span></a></li>`)}</ul>`;
}

function section(site: Site, profile: Profile, { heading, claims }: Group, at: number): Markup {
  const articles = claims.map(claim => {
    const link = linkOf(claim, profile.claims.length);
    return claimArticle(site, withProofs(claim, profile), { withFigure: true, isFolded: true, link });
  });
  return html`<section class="group" id="category-${at + 1}"><div><h2${langOf(site)}>${heading}</h2><p class="note">${site.words.claims.count(claims.length)}</p></div><div class="body claims">${articles}</div></section>`;
}

/**
 * A category as its owner wrote it. A slug is written out, with the accents that the claims have:
 * `distribucion-y-negociacion` → `Distribución y negociación`.
 */
function headingOf(category: string, spelled: ReadonlyMap<string, string>): string {
  if (!/^[a-z\d]+([-_][a-z\d]+)*$/.test(category)) return category;
  const text = category
    .split(/[-_]/)
    .map(word => spelled.get(word) ?? word)
    .join(' ');
  return text.replace(/^\p{Ll}/u, letter => letter.toLocaleUpperCase());
}

/** The words of the claims by their letters without accents: read once a page, not once a category. */
function spellingsOf(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const texts = claims.map(({ statement, boundary }) => [statement, ...Object.values(boundary)].join(' '));
  const words = texts.flatMap(text => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  return new Map([...new Set(words)].map(word => [foldedText(word), word]));
}

/** The address of one claim: a place on the page, or the page that shows it alone where there are many. */
const linkOf = ({ claim_id }: Claim, all: number): string =>
  all > MOST ? `/claims?q=${encodeURIComponent(claim_id)}` : `#${claim_id}`;

function more(site: Site, query: string, from: number, found: number): Markup | false {
  if (from >= found) return false;
  const path = `/claims?${new URLSearchParams({ ...(query && { q: query }), from: String(from) })}`;
  return html`<section class="group"><div></div><p><a class="button" href="${inLanguage(site, path)}">${site.words.claims.more}</a></p></section>`;
}

/** What the signature says and what not; checked in the browser, and by a command on another machine. */
function signature(site: Site): Markup {
  const { signed, baseUrl, words, off } = site;
  const { verify } = words;
  if (!signed) return html`<p>${verify.unsigned}</p>`;
  const keys = !off.has('jwks') && html` · <a href="/.well-known/jwks.json">${verify.keys}</a>`;
  return html`<p>${verify.signed}</p>
<p><a href="/.well-known/brand.json">${verify.profile}</a>${keys}</p><p class="note">${verify.programs}</p><pre tabindex="0">aval verify ${baseUrl}</pre>`;
}
