import type { Claim, Metric, Profile, Proof } from '../../brand/profile/schema.ts';
import { wordFor } from '../../tools/words/language.ts';
import type { Site as WholeSite } from '../documents/site.ts';
import { attributes, html, type Markup } from './html.ts';

/** Whose claim it is, and in which language the page around it speaks. */
type Site = Pick<WholeSite, 'words'> & { readonly profile: Pick<Profile, 'language'> | undefined };

/** A claim with what its page knows of it besides. */
export interface ShownClaim extends Pick<Claim, 'statement' | 'metric' | 'boundary'> {
  readonly claim_id?: string;
  readonly proofs?: readonly Proof[];
}

interface Manner {
  /** The figure stands first, large: where that is what was asked for. */
  readonly withFigure?: boolean;
  /** Further lines at its end. */
  readonly end?: Markup | false;
  /** It can be linked to by its id. */
  readonly isAnchor?: boolean;
}

/** A claim as an article: its words, its boundary as two blocks of equal weight, how it was measured, and its proofs. */
export function claimArticle(site: Site, claim: ShownClaim, { withFigure, end, isAnchor }: Manner = {}): Markup {
  const { statement, metric, proofs = [], claim_id } = claim;
  const own = attributes({ id: isAnchor && claim_id, 'data-claim': claim_id });
  return html`<article class="claim"${own}>
${withFigure && metric && figure(site, metric)}
<p class="statement"${langOf(site)}>${statement}</p>
${boundary(site, claim)}
${metric && measured(site, metric)}
${proofs.length > 0 && proofList(site, proofs)}
${end}</article>`;
}

/** The half of an answer that says whom it is for and whom not. */
export function boundary(site: Site, claim: Pick<ShownClaim, 'boundary'>): Markup {
  const { match } = site.words;
  const lang = langOf(site);
  return html`<dl class="pairs"><div><dt>${match.applies}</dt><dd${lang}>${claim.boundary.applicable_for}</dd></div><div class="not"><dt>${match.excludes}</dt><dd${lang}>${claim.boundary.not_applicable_for}</dd></div></dl>`;
}

/** Marks what stands in the profile where it is in another language than the page (WCAG 2.2, 3.1.2). */
export const langOf = ({ words, profile }: Site): Markup =>
  attributes({ lang: profile?.language.startsWith(words.tag) ? undefined : profile?.language });

function figure(site: Site, { value, unit = '' }: Metric): Markup {
  const [, currency, rest = unit] = /^([A-Z]{3})\b\s*(.*)$/s.exec(unit) ?? [];
  const written = typeof value === 'number' ? number(site, value, currency) : value;
  const after = typeof value === 'number' && currency !== undefined ? rest : unit;
  return html`<p class="figure"${langOf(site)}>${written}${after !== '' && html` <small>${after}</small>`}</p>`;
}

/** A number as the profile's own language writes it, with the sign of a currency where the unit begins with its code (ISO 4217). */
function number({ profile, words }: Site, value: number, currency?: string): string {
  const locale = profile?.language ?? words.tag;
  // Intl refuses no three letters: a code that is no currency comes back as it is.
  const money = currency !== undefined && ({ style: 'currency', currency, minimumFractionDigits: 0 } as const);
  return value.toLocaleString(locale, { useGrouping: true, ...money });
}

/** In one sentence: from how many cases, over which time, against what. */
function measured(site: Site, { window, baseline, n }: Metric): Markup | false {
  const { match } = site.words;
  if (window === undefined && baseline === undefined && n === undefined) return false;
  const own = (text: string | number) =>
    html`<span${langOf(site)}>${typeof text === 'number' ? number(site, text) : text}</span>`;
  return html`<p class="measured">${match.measured(n)}${window !== undefined && html` (${own(window)})`}${baseline !== undefined && html`${match.against}${own(baseline)}`}.</p>`;
}

function proofList(site: Site, proofs: readonly Proof[]): Markup {
  const { match } = site.words;
  const lang = langOf(site);
  return html`<details><summary>${match.proofs(proofs.length)}</summary>${proofs.map(
    proof => html`<div class="proof"><p><strong${lang}>${proof.title}</strong> <span class="note">(${wordFor(match.disclosure, proof.confidentiality) ?? proof.confidentiality})</span></p>
<p${lang}>${proof.summary}</p><dl><dt>${match.client}</dt><dd${lang}>${proof.client}</dd><dt>${match.checkable}</dt><dd${lang}>${linked(proof)}</dd></dl></div>`,
  )}</details>`;
}

/** How a proof can be checked; an address in it is a link where the proof is public. */
function linked({ verifiable_by, confidentiality }: Proof): Markup {
  if (confidentiality !== 'public') return html`${verifiable_by}`;
  const parts = verifiable_by.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:)])/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<a href="${part}" rel="noopener">${part}</a>` : html`${part}`))}`;
}
