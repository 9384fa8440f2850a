import type { Claim, Metric, Proof } from '../../brand/profile/schema.ts';
import { messagesByTag, wordFor } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { docsPath, inLanguage } from './frame.ts';
import { attributes, copyButton, html, Markup } from './html.ts';

/** The members of a claim that pages show. A match of an answer has them too. */
type ShownClaim = Pick<Claim, 'claim_id' | 'statement' | 'metric' | 'boundary' | 'confidence'> & {
  readonly proofs?: readonly Proof[];
};

interface ClaimView {
  /** The element of the statement. */
  readonly heading: 'h1' | 'h2' | 'h3';
  /** One of a list: statement, figure and limits, with a link to its page. */
  readonly isRow?: boolean;
  readonly foot?: Markup;
}

/** Draws a claim: statement, figure and limits; unless it is a row, also its measurement and its proofs. */
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
${entry(site, match.applies, boundary.applicable_for)}
${entry(site, match.excludes, boundary.not_applicable_for, 'not')}
</dl>
${!isRow && confidence === 'low' && html`<p class="note">${match.low}</p>`}
${!isRow && metric && evidence(site, metric)}
${!isRow && proofs.length > 0 && proofList(site, proofs)}
${foot}
</article>
`;
}

export const claimPath = (claimId: string): string => `/claims/${encodeURIComponent(claimId)}`;

/** The attribute `lang` for the brand's words, if the page has another language (WCAG 2.2, 3.1.2). */
export const langOf = ({ words, profile }: Site, language = profile?.language): Markup =>
  attributes({ lang: messagesByTag(language) === words ? undefined : language });

/** A note for readers of another language: it names the language of the brand. */
export function publishes({ words, profile }: Site): Markup | false {
  if (profile === undefined || messagesByTag(profile.language) === words) return false;
  const [tag = ''] = profile.language.split('-');
  const name = new Intl.DisplayNames([words.tag], { type: 'language' }).of(tag);
  return html`<p class="note">${words.page.publishes(name ?? tag)}</p>`;
}

/** A figure and its unit in the brand's language: 7900 and `EUR sin IVA` become `7.900 €` and `sin IVA`. */
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

/** How a figure was measured: up to three labels with their values. */
function evidence(site: Site, { n, window, baseline }: Metric): Markup {
  const { cases, period, basis } = site.words.match;
  const rows = [
    [cases, n],
    [period, window],
    [basis, baseline],
  ] as const;
  const items = rows.map(([label, value]) => {
    const text = typeof value === 'number' ? numberIn(brandLanguage(site), value) : value;
    return text !== undefined && entry(site, label, text);
  });
  return html`${items.some(Boolean) && html`<dl class="evidence">\n${items}</dl>`}`;
}

/** A label and its text in the brand's language, as a row of a list. */
const entry = (site: Site, label: string, text: string | Markup, className?: string): Markup =>
  html`<div${attributes({ class: className })}>
<dt>${label}</dt>
<dd${langOf(site)}>${text}</dd>
</div>
`;

function proofList(site: Site, proofs: readonly Proof[]): Markup {
  const { match } = site.words;
  const lang = langOf(site);
  const list = proofs.map(proof => {
    const disclosure = wordFor(match.disclosure, proof.confidentiality) ?? proof.confidentiality;
    return html`<div class="proof">
<p><strong${lang}>${proof.title}</strong> <span class="note">${disclosure}</span></p>
<p${lang}>${proof.summary}</p>
<dl>
${entry(site, match.client, proof.client)}
${entry(site, match.checkable, linked(proof))}
</dl>
</div>`;
  });
  return html`<details>
<summary>${match.proofs(proofs.length)}</summary>
${list}
</details>`;
}

/** How a proof can be checked. Addresses in a public proof become links. */
function linked({ verifiable_by, confidentiality }: Proof): Markup {
  if (confidentiality !== 'public') return html`${verifiable_by}`;
  const parts = verifiable_by.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:)])/);
  const isAddress = (index: number) => index % 2 === 1;
  return html`${parts.map((part, index) =>
    isAddress(index) ? html`<a href="${part}">${part}</a>` : html`${part}`,
  )}`;
}

/**
 * Below a claim: its source, buttons that copy, and how to verify it.
 * @param address of the page that shows the claim
 * @param verified argument of `aval verify`
 */
export function claimFoot(site: Site, claim: ShownClaim, address: string, verified: string): Markup {
  const { ask, match } = site.words;
  const { applicable_for, not_applicable_for } = claim.boundary;
  const limits = `${match.applies}: ${applicable_for}\n${match.excludes}: ${not_applicable_for}`;
  const check = html`<details>
<summary>${ask.check}</summary>
<p>${ask.checkWith}</p>
<pre tabindex="0">aval verify ${verified}</pre>
<p>${ask.proves}</p>
<p><a href="${docsPath(site)}#trust">${ask.program}</a></p>
</details>`;
  return html`<footer class="source">
<p>${ask.verbatim(issued(site))}</p>
${copyButton(`${claim.statement}\n${limits}\n${address}`, ask.copy, ask.copied)}
${copyButton(address, ask.copyLink, ask.copied)}
${site.signed && check}
<p class="address">${address}</p>
</footer>`;
}

/** The date of the profile in the page's language: `3 March 2026`. */
export function issued({ words, profile }: Site): string {
  if (profile === undefined) return '';
  const date = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(profile.issued_at).toLocaleDateString(words.locale, date);
}

const brandLanguage = ({ profile, words }: Site): string => profile?.language ?? words.tag;

/** Codes of currencies. NPS and ROI have three capitals too. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Numbers of JavaScript have at most 17 digits (ECMAScript, Number::toString), so none is rounded. */
const ALL_DIGITS = 17;

/** A number in a language, with the sign of the currency (ISO 4217) if there is one. */
export function numberIn(language: string, value: number, currency?: string): string {
  const digits = { useGrouping: true, maximumSignificantDigits: ALL_DIGITS };
  if (currency === undefined) return value.toLocaleString(language, digits);
  return value.toLocaleString(language, { ...digits, style: 'currency', currency });
}
