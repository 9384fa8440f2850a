import type { Claim, Metric, Profile, Proof } from '../../brand/profile/schema.ts';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import { wordFor } from '../../tools/language/language.ts';
import type { Site as WholeSite } from '../documents/site.ts';
import { attributes, html, type Markup } from '../look/html.ts';

/** Whose claim it is, and in which language the page around it speaks. */
type Site = Pick<WholeSite, 'words'> & { readonly profile: Pick<Profile, 'language'> | undefined };

/** A claim with what its page knows of it besides. */
export interface ShownClaim extends Pick<Claim, 'statement' | 'metric' | 'boundary'> {
  readonly confidence?: string;
  readonly similarity?: number;
  readonly proofs?: readonly Proof[];
}

/** A claim as an article: its figure, its words, its boundary in two columns, and its proofs folded. */
export function claimArticle(site: Site, { statement, metric, boundary, ...rest }: ShownClaim): Markup {
  const { match } = site.words;
  const lang = langOf(site);
  return html`<article class="claim">
${metric && figure(site, metric)}
<p class="statement"${lang}>${statement}</p>
<dl class="pairs"><div><dt>${match.applies}</dt><dd${lang}>${boundary.applicable_for}</dd></div><div><dt>${match.excludes}</dt><dd${lang}>${boundary.not_applicable_for}</dd></div></dl>
${metric && facts(site, metric)}
${rest.proofs && rest.proofs.length > 0 && proofList(site, rest.proofs)}
${rest.similarity !== undefined && closeness(site, rest.similarity, rest.confidence)}
</article>`;
}

/** Marks what stands in the profile where it is in another language than the page (WCAG 2.2, 3.1.2). */
const langOf = ({ words, profile }: Site) =>
  attributes({ lang: profile?.language.startsWith(words.tag) ? undefined : profile?.language });

function figure(site: Site, { value, unit }: Metric): Markup {
  return html`<p class="figure"${langOf(site)}>${written(site, value)}<small>${unit}</small></p>`;
}

/** A number as the profile's own language writes it. */
const written = ({ profile, words }: Site, value: string | number) =>
  typeof value === 'number' ? value.toLocaleString(profile?.language ?? words.tag, { useGrouping: true }) : value;

/** Over which time, against what and from how many cases. */
function facts(site: Site, { window, baseline, n }: Metric): Markup {
  const { match } = site.words;
  const known: readonly [label: string, fact: string | number | undefined][] = [
    [match.window, window],
    [match.baseline, baseline],
    [match.cases, n],
  ];
  const lang = langOf(site);
  return html`<dl class="facts">${known.map(([label, fact]) => (fact === undefined ? html`` : html`<div><dt>${label}</dt><dd${lang}>${written(site, fact)}</dd></div>`))}</dl>`;
}

function proofList(site: Site, proofs: readonly Proof[]): Markup {
  const { match } = site.words;
  const lang = langOf(site);
  return html`<details><summary>${match.proofs(proofs.length)}</summary>${proofs.map(
    proof => html`<div class="proof"><p><strong${lang}>${proof.title}</strong> <span class="note">(${wordFor(match.disclosure, proof.confidentiality) ?? proof.confidentiality})</span></p>
<p${lang}>${proof.summary}</p><dl><dt>${match.client}</dt><dd${lang}>${proof.client}</dd><dt>${match.checkable}</dt><dd${lang}>${proof.verifiable_by}</dd></dl></div>`,
  )}</details>`;
}

/** How near a match is, in words, as a bar and as the number that programs get. */
function closeness({ words: { match, tag } }: Site, similarity: number, confidence: string | undefined): Markup {
  const level = match.levels[bandOf(similarity)];
  const number = similarity.toLocaleString(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const sure = confidence && (wordFor(match.confidence, confidence) ?? confidence);
  return html`<p class="closeness">${match.similarity}: ${level} <svg viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(similarity * 100)}" height="5"/></svg> ${number}${sure && html` · ${sure}`}</p>`;
}
