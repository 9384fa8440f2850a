import type { Claim, Metric, Profile, Proof } from '../../brand/profile/schema.ts';
import { spoken, wordFor } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { dateIn, figureIn, numberIn } from './client/figure.js';
import { attributes, html, type Markup } from './html.ts';

/** A claim with its proofs. Each part of it on a page is named by `data-of`, so that the check can compare it (client/check.js). */
export type ShownClaim = Pick<Claim, 'claim_id' | 'statement' | 'metric' | 'boundary' | 'confidence'> & {
  readonly proofs: readonly Proof[];
};

/** @param of the profile that the claim is from */
export const withProofs = (claim: Claim, of: Pick<Profile, 'proofs'>): ShownClaim => ({
  ...claim,
  proofs: claim.proof_ids.flatMap(id => of.proofs.find(({ proof_id }) => proof_id === id) ?? []),
});

type Half = keyof Claim['boundary'];

interface Manner {
  /** The figure stands first, large. */
  readonly withFigure?: boolean;
  /** How it was measured waits to be opened. */
  readonly isFolded?: boolean;
  /** It can be linked to by its id, and shows the address. */
  readonly link?: string;
}

/** A claim as an article: its words, whom it is for and whom not, how it was measured, and its proofs. */
export function claimArticle(site: Site, claim: ShownClaim, manner: Manner = {}): Markup {
  const { statement, metric, claim_id } = claim;
  const { withFigure = false, isFolded = false, link } = manner;
  const own = attributes({ id: link !== undefined && claim_id, 'data-claim': claim_id });
  return html`<article class="claim"${own}>${withFigure && metric && figure(site, metric)}
<p class="statement"${part(site, 'statement')}>${statement}</p>
${boundary(site, claim)}
${isFolded ? folded(site, claim, link) : html`${low(site, claim)}${evidence(site, metric)}${proofs(site, claim)}`}</article>`;
}

function boundary(site: Site, claim: ShownClaim): Markup {
  return html`<dl class="pairs">${HALVES.map(name => half(site, claim, name))}</dl>`;
}

const HALVES = ['applicable_for', 'not_applicable_for'] as const;

function half(site: Site, { boundary }: ShownClaim, name: Half): Markup {
  const label = name === 'applicable_for' ? site.words.match.applies : site.words.match.excludes;
  const kind = attributes({ class: name === 'not_applicable_for' && 'not' });
  return html`<div${kind}><dt>${label}</dt><dd${part(site, `boundary.${name}`)}>${boundary[name]}</dd></div>`;
}

/** Names a part of the profile, and its language where it is not the page's (WCAG 2.2, 3.1.2). */
export const part = (site: Pick<Site, 'words' | 'profile'>, name: string): Markup =>
  html`${attributes({ 'data-of': name })}${langOf(site)}`;

export const langOf = ({ words, profile }: Pick<Site, 'words' | 'profile'>): Markup =>
  attributes({ lang: spoken(profile?.language) === words ? undefined : profile?.language });

/** Said once to a reader of another language: in which the brand publishes. */
export function publishes({ words, profile }: Site): Markup | false {
  if (profile === undefined || spoken(profile.language) === words) return false;
  const [tag = ''] = profile.language.split('-');
  const name = new Intl.DisplayNames([words.tag], { type: 'language' }).of(tag);
  return html`<p class="note">${words.page.publishes(name ?? tag)}</p>`;
}

const languageOf = ({ profile, words }: Pick<Site, 'profile' | 'words'>) => profile?.language ?? words.tag;

function figure(site: Site, metric: Metric): Markup {
  const { figure, unit } = figureIn(languageOf(site), metric);
  return html`<p class="figure"${part(site, 'figure')}>${figure}${unit !== '' && html` <small>${unit}</small>`}</p>`;
}

/** Three labels, each only where it has a value. */
function evidence(site: Site, metric: Metric | undefined): Markup | false {
  const { cases, period, basis } = site.words.match;
  const rows = (
    [
      ['n', cases],
      ['window', period],
      ['baseline', basis],
    ] as const
  ).flatMap(([name, label]) => {
    const value = metric?.[name];
    if (value === undefined) return [];
    const text = typeof value === 'number' ? numberIn(languageOf(site), value) : value;
    return [html`<div><dt>${label}</dt><dd${part(site, `metric.${name}`)}>${text}</dd></div>`];
  });
  return rows.length > 0 && html`<dl class="evidence">${rows}</dl>`;
}

/** Nothing is said of a confidence that is not low: it would read as a doubt. */
const low = ({ words }: Site, { confidence }: ShownClaim) =>
  confidence === 'low' && html`<p class="low" data-of="confidence">${words.match.low}</p>`;

function folded(site: Site, claim: ShownClaim, link: string | undefined): Markup {
  const { claims, match } = site.words;
  const measured = evidence(site, claim.metric);
  const address = link !== undefined && html`<p class="said"><a href="${link}">${claims.link}</a></p>`;
  const hasMore = measured !== false || claim.proofs.length > 0;
  if (!hasMore) return html`${low(site, claim)}${address}`;
  return html`${low(site, claim)}<details><summary>${match.rest}</summary>${measured}${proofList(site, claim)}${address}</details>`;
}

const proofs = (site: Site, claim: ShownClaim): Markup | false =>
  claim.proofs.length > 0 &&
  html`<details><summary>${site.words.match.proofs(claim.proofs.length)}</summary>${proofList(site, claim)}</details>`;

function proofList(site: Site, { proofs }: ShownClaim): Markup {
  const { match } = site.words;
  return html`${proofs.map(proof => {
    const of = (name: string) => part(site, `${proof.proof_id}.${name}`);
    const kind = wordFor(match.disclosure, proof.confidentiality) ?? proof.confidentiality;
    return html`<div class="proof"><p><strong${of('title')}>${proof.title}</strong> <span class="note" data-of="${proof.proof_id}.confidentiality">${kind}</span></p>
<p${of('summary')}>${proof.summary}</p><dl><div><dt>${match.client}</dt><dd${of('client')}>${proof.client}</dd></div><div><dt>${match.checkable}</dt><dd${of('verifiable_by')}>${linked(proof)}</dd></div></dl></div>`;
  })}`;
}

/** How a proof can be checked; an address in it is a link where the proof is public. */
function linked({ verifiable_by, confidentiality }: Proof): Markup {
  if (confidentiality !== 'public') return html`${verifiable_by}`;
  const parts = verifiable_by.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:)])/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<a href="${part}" rel="noopener">${part}</a>` : html`${part}`))}`;
}

/** The date of the profile, which the check compares too. */
export const issued = ({ words, profile }: Site): Markup =>
  html`${profile && html`<span data-of="issued_at">${dateIn(localeOf(words), profile.issued_at)}</span>`}`;

export const localeOf = ({ locale }: Site['words']): string => locale.replace('_', '-');
