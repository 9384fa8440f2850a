import type { Claim, Metric, Profile, Proof } from '../../brand/profile/schema.ts';
import { messagesByTag, wordFor } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { attributes, html, Markup } from './html.ts';

/** What pages show of a claim: a match of an answer has it too. */
export type ShownClaim = Pick<Claim, 'claim_id' | 'statement' | 'metric' | 'boundary' | 'confidence'> & {
  readonly proofs: readonly Proof[];
};

/** @param profile that the claim is from */
export const withProofs = (claim: Claim, profile: Pick<Profile, 'proofs'>): ShownClaim => ({
  ...claim,
  proofs: claim.proof_ids.flatMap(id => profile.proofs.find(({ proof_id }) => proof_id === id) ?? []),
});

interface Card {
  /** The element that holds the statement. */
  readonly heading: 'h1' | 'h2' | 'p';
  readonly foot?: Markup | false;
}

/** A claim in full: statement and figure, both limits, how it was measured, and its proofs. */
export function claimCard(site: Site, claim: ShownClaim, { heading, foot = false }: Card): Markup {
  return html`<article class="claim">
${statement(site, claim, heading)}
${limits(site, claim)}
${low(site, claim)}
${evidence(site, claim.metric)}
${proofs(site, claim)}
${foot}
</article>`;
}

/** Statement and limits alone, for matches after the first. */
export const claimLine = (site: Site, claim: ShownClaim): Markup =>
  html`<article class="line">
${statement(site, claim, 'h2')}
${limits(site, claim)}
</article>`;

function statement(site: Site, { statement, metric }: ShownClaim, heading: Card['heading']): Markup {
  const name = new Markup(heading);
  return html`<div class="says">
<${name} class="statement"${langOf(site)}>${statement}</${name}>
${metric && figure(site, metric)}
</div>`;
}

/** Whom a claim is for and whom not: two equal blocks, never folded. */
export function limits(site: Site, { boundary }: Pick<Claim, 'boundary'>): Markup {
  const { applies, excludes } = site.words.match;
  const lang = langOf(site);
  return html`<dl class="limits">
<div><dt>${applies}</dt><dd${lang}>${boundary.applicable_for}</dd></div>
<div class="not"><dt>${excludes}</dt><dd${lang}>${boundary.not_applicable_for}</dd></div>
</dl>`;
}

/** The language of the brand's words where it is not the page's (WCAG 2.2, 3.1.2). */
export const langOf = ({ words, profile }: Pick<Site, 'words' | 'profile'>): Markup =>
  attributes({ lang: messagesByTag(profile?.language) === words ? undefined : profile?.language });

/** Tells a reader of another language in which the brand publishes. */
export function publishes({ words, profile }: Site): Markup | false {
  if (profile === undefined || messagesByTag(profile.language) === words) return false;
  const [tag = ''] = profile.language.split('-');
  const name = new Intl.DisplayNames([words.tag], { type: 'language' }).of(tag);
  return html`<p class="note">${words.page.publishes(name ?? tag)}</p>`;
}

const languageOf = ({ profile, words }: Pick<Site, 'profile' | 'words'>) => profile?.language ?? words.tag;

/** A unit as short as this stays on the line of its figure: `38 %`. */
const SHORT_UNIT = 3;

export function figure(site: Site, metric: Metric): Markup {
  const { figure, unit } = figureIn(languageOf(site), metric);
  const space = unit.length <= SHORT_UNIT ? '\u00a0' : ' ';
  const shownUnit = unit !== '' && html`${space}<small>${unit}</small>`;
  return html`<p class="figure"${langOf(site)}><strong>${figure}</strong>${shownUnit}</p>`;
}

/** How a figure was measured: three labels, each only where it has a value. */
function evidence(site: Site, metric: Metric | undefined): Markup | false {
  if (metric === undefined) return false;
  const { cases, period, basis } = site.words.match;
  const count = typeof metric.n === 'number' ? numberIn(languageOf(site), metric.n) : metric.n;
  const baseline =
    typeof metric.baseline === 'number' ? numberIn(languageOf(site), metric.baseline) : metric.baseline;
  const rows = [
    [cases, count],
    [period, metric.window],
    [basis, baseline],
  ].filter(([, value]) => value !== undefined);
  if (rows.length === 0) return false;
  const lang = langOf(site);
  return html`<dl class="evidence">
${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd${lang}>${value}</dd></div>\n`)}</dl>`;
}

/** Nothing is said of a confidence that is not low: it would read as a doubt. */
const low = ({ words }: Site, { confidence }: ShownClaim) =>
  confidence === 'low' && html`<p class="note">${words.match.low}</p>`;

function proofs(site: Site, { proofs }: ShownClaim): Markup | false {
  if (proofs.length === 0) return false;
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

/** The date of the profile, in the words of the page. */
export const issued = ({ words, profile }: Site): string =>
  profile ? dateIn(words.locale.replace('_', '-'), profile.issued_at) : '';

/** A number as a language writes it, with the sign of a currency (ISO 4217) where there is one. */
export function numberIn(locale: string, value: number, currency?: string): string {
  const money =
    currency === undefined ? {} : ({ style: 'currency', currency, minimumFractionDigits: 0 } as const);
  return value.toLocaleString(locale, { useGrouping: true, ...money });
}

interface Quantity {
  readonly value: number | string;
  readonly unit?: string | undefined;
}

/** A figure and what stands after it: `7.900 €` and `sin IVA` for 7900 and `EUR sin IVA`. */
function figureIn(locale: string, { value, unit = '' }: Quantity): { figure: string; unit: string } {
  if (typeof value === 'string') return { figure: value, unit };
  const [, currency, rest = unit] = /^([A-Z]{3})\b\s*(.*)$/s.exec(unit) ?? [];
  return { figure: numberIn(locale, value, currency), unit: rest };
}

/** A date in words: `3 March 2026`. */
function dateIn(locale: string, date: string | Date): string {
  const words = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(date).toLocaleDateString(locale, words);
}
