import type { Claim, Metric, Proof } from '../../brand/profile/schema.ts';
import { messagesByTag, wordFor } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { inLanguage } from './frame.ts';
import { attributes, copyButton, html, Markup } from './html.ts';

/** What pages show of a claim: a match of an answer has it too. */
export type ShownClaim = Pick<Claim, 'claim_id' | 'statement' | 'metric' | 'boundary' | 'confidence'> & {
  readonly proofs?: readonly Proof[];
};

interface ClaimView {
  /** The element that holds the statement. */
  readonly heading: 'h1' | 'h2' | 'h3';
  /** One of several: statement, figure and limits, with a link to its own page. */
  readonly isRow?: boolean;
  readonly foot?: Markup;
}

/** A claim: its statement and figure, its limits, and, unless it is a row, how it was measured and its proofs. */
export function claimView(
  site: Site,
  claim: ShownClaim,
  { heading, isRow = false, foot }: ClaimView,
): Markup {
  const { claim_id, statement, metric, boundary, confidence, proofs = [] } = claim;
  const { match } = site.words;
  const lang = langOf(site);
  const tag = new Markup(heading);
  const isLink = isRow && !site.off.has('claims');
  const text = isLink ? html`<a href="${inLanguage(site, claimPath(claim_id))}">${statement}</a>` : statement;
  return html`<article class="${isRow ? 'row' : 'claim'}">
<div class="says">
<${tag} class="statement"${lang}>${text}</${tag}>
${metric && figure(site, metric)}
</div>
<dl class="limits">
<div><dt>${match.applies}</dt><dd${lang}>${boundary.applicable_for}</dd></div>
<div class="not"><dt>${match.excludes}</dt><dd${lang}>${boundary.not_applicable_for}</dd></div>
</dl>
${!isRow && confidence === 'low' && html`<p class="note">${match.low}</p>`}
${!isRow && metric && evidence(site, metric)}
${!isRow && proofs.length > 0 && proofList(site, proofs)}
${foot}
</article>
`;
}

export const claimPath = (claimId: string): string => `/claims/${encodeURIComponent(claimId)}`;

/** The language of the brand's words where it is not the page's (WCAG 2.2, 3.1.2). */
export const langOf = ({ words, profile }: Site, language = profile?.language): Markup =>
  attributes({ lang: messagesByTag(language) === words ? undefined : language });

/** Tells a reader of another language in which the brand publishes. */
export function publishes({ words, profile }: Site): Markup | false {
  if (profile === undefined || messagesByTag(profile.language) === words) return false;
  const [tag = ''] = profile.language.split('-');
  const name = new Intl.DisplayNames([words.tag], { type: 'language' }).of(tag);
  return html`<p class="note">${words.page.publishes(name ?? tag)}</p>`;
}

/** A figure and its unit, as the brand's language writes them: `7.900 €` and `sin IVA` for 7900 and `EUR sin IVA`; `38 %`. */
function figure(site: Site, { value, unit = '' }: Metric): Markup {
  const [, code = '', qualifier = ''] = /^([A-Z]{3})\b\s*(.*)$/s.exec(unit) ?? [];
  const currency = CURRENCIES.has(code) ? code : undefined;
  const isNumber = typeof value === 'number';
  const amount = isNumber ? numberIn(brandLanguage(site), value, currency) : value;
  if (unit === '%') return html`<p class="figure"${langOf(site)}><strong>${amount}\u00a0%</strong></p>`;
  const unitText = isNumber && currency ? qualifier : unit;
  const label = unitText !== '' && html`\u00a0<small>${unitText}</small>`;
  return html`<p class="figure"${langOf(site)}><strong>${amount}</strong>${label}</p>`;
}

/** How a figure was measured: three labels, each only where it has a value. */
function evidence(site: Site, { n, window, baseline }: Metric): Markup {
  const { cases, period, basis } = site.words.match;
  const rows = [
    [cases, n],
    [period, window],
    [basis, baseline],
  ] as const;
  const items = rows.map(([label, value]) => {
    const text = typeof value === 'number' ? numberIn(brandLanguage(site), value) : value;
    return text !== undefined && html`<div><dt>${label}</dt><dd${langOf(site)}>${text}</dd></div>\n`;
  });
  return html`${items.some(Boolean) && html`<dl class="evidence">\n${items}</dl>`}`;
}

function proofList(site: Site, proofs: readonly Proof[]): Markup {
  const { match } = site.words;
  const lang = langOf(site);
  const list = proofs.map(proof => {
    const disclosure = wordFor(match.disclosure, proof.confidentiality) ?? proof.confidentiality;
    return html`<div class="proof">
<p><strong${lang}>${proof.title}</strong> <span class="note">${disclosure}</span></p>
<p${lang}>${proof.summary}</p>
<dl>
<div><dt>${match.client}</dt><dd${lang}>${proof.client}</dd></div>
<div><dt>${match.checkable}</dt><dd${lang}>${linked(proof)}</dd></div>
</dl>
</div>`;
  });
  return html`<details>
<summary>${match.proofs(proofs.length)}</summary>
${list}
</details>`;
}

/** How a proof can be checked; an address in it is a link where the proof is public. */
function linked({ verifiable_by, confidentiality }: Proof): Markup {
  if (confidentiality !== 'public') return html`${verifiable_by}`;
  const parts = verifiable_by.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:)])/);
  const isAddress = (index: number) => index % 2 === 1;
  return html`${parts.map((part, index) =>
    isAddress(index) ? html`<a href="${part}" rel="noopener">${part}</a>` : html`${part}`,
  )}`;
}

interface ClaimSource {
  /** Of the page that shows the claim. */
  readonly address: string;
  /** What `aval verify` is given to check it. */
  readonly checkedAddress: string;
}

/** Where the words come from, what can be copied, and how to check it. */
export function claimFoot(site: Site, claim: ShownClaim, { address, checkedAddress }: ClaimSource): Markup {
  const { ask, match } = site.words;
  const { applicable_for, not_applicable_for } = claim.boundary;
  const limits = `${match.applies}: ${applicable_for}\n${match.excludes}: ${not_applicable_for}`;
  const check = html`<details>
<summary>${ask.check}</summary>
<p>${ask.checkWith}</p>
<pre tabindex="0">aval verify ${checkedAddress}</pre>
<p>${ask.proves}</p>
</details>`;
  return html`<footer class="source">
<p>${ask.verbatim(issued(site))}</p>
${copyButton(`${claim.statement}\n${limits}\n${address}`, ask.copy, ask.copied)}
${copyButton(address, ask.copyLink, ask.copied)}
${site.signed && check}
<p class="address">${address}</p>
</footer>`;
}

/** The date of the profile in the words of the page: `3 March 2026`. */
export function issued({ words, profile }: Site): string {
  if (profile === undefined) return '';
  const date = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(profile.issued_at).toLocaleDateString(words.locale, date);
}

const brandLanguage = ({ profile, words }: Site): string => profile?.language ?? words.tag;

/** Not every three capitals are a currency: NPS, ROI. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** No number of JavaScript has more digits (ECMAScript, Number::toString), so that none is rounded. */
const ALL_DIGITS = 17;

/** A number as a language writes it, with the sign of a currency (ISO 4217) where there is one. */
export function numberIn(language: string, value: number, currency?: string): string {
  const digits = { useGrouping: true, maximumSignificantDigits: ALL_DIGITS };
  if (currency === undefined) return value.toLocaleString(language, digits);
  return value.toLocaleString(language, { ...digits, style: 'currency', currency });
}
