import type { Answer } from '../../brand/retrieval/brand.ts';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import { BUCKETS, limitText } from '../../tools/policies.ts';
import type { Site } from '../documents/site.ts';
import { inLanguage } from '../look/frame.ts';
import { attributes, html, type Markup } from '../look/html.ts';
import { claimArticle } from './claim.ts';

/** The question box, with the place where its answer appears. */
export function askBox(site: Site, query = '', answer: Markup | false = false): Markup {
  const { words, policies, brandName, presentation } = site;
  const { description, maxLength } = askBrand.describe(presentation).inputSchema.properties.query ?? {};
  // The question quotes a claim: on a page in another language it would be a foreign sentence.
  const placeholder = presentation.language.startsWith(words.tag) ? presentation.question : words.ask.neutral;
  const input = {
    ...{ id: 'q', name: 'q', type: 'search', required: true, maxlength: Number(maxLength), autocomplete: 'off' },
    ...{ value: query || undefined, placeholder, toolparamdescription: String(description) },
  };
  const form = attributes({
    ...{ id: 'ask', method: 'get', action: '/ask', 'data-offline': words.refusals.offline, toolname: askBrand.name },
    tooldescription: `Ask ${brandName}: the claims of its profile that answer, verbatim, as a page. Read-only. Limit: ${limitText(BUCKETS.ask, policies)}.`,
  });
  return html`<form${form}>
<input type="hidden" name="lang" value="${words.tag}">
<div class="ask"><div><label for="q">${words.ask.label}</label><input${attributes(input)}></div><button>${words.ask.button}</button></div>
</form>
<div class="answer" id="answer" aria-live="polite">${answer}</div>`;
}

/** What the profile says to a question; where that is little, the form says what to do. */
export function answerView(site: Site, { query, matches }: Answer): Markup {
  const { ask } = site.words;
  const near = matches.filter(({ similarity }) => bandOf(similarity) !== 'possible');
  const answered = near.some(({ similarity }) => bandOf(similarity) === 'answers');
  const shown = answered ? near.filter(({ similarity }) => bandOf(similarity) === 'answers') : near;
  return html`<h2>${ask.heading(query)}</h2>
${!answered && html`<p class="lead">${near.length > 0 ? ask.weak : ask.none}</p>`}
${!answered && html`<p><a class="button" href="${inLanguage(site, '/forms/diagnostic')}">${ask.offer}</a></p>`}
<div class="claims">${shown.map(match => claimArticle(site, match))}</div>
${shown.length > 0 && verification(site, query)}`;
}

/** How anyone can check what was answered, and what the check does not say. */
function verification(site: Site, query: string): Markup {
  const { words, jwks, profile, baseUrl, off } = site;
  const { verify } = words;
  const signed = jwks !== undefined && (profile?.signatures?.length ?? 0) > 0;
  if (!signed) return html`<p class="note">${verify.unsigned}</p>`;
  const keys = !off.has('jwks') && html` · <a href="/.well-known/jwks.json">${verify.keys}</a>`;
  return html`<details><summary>${verify.title}</summary>
<p>${verify.signed}</p>
<p><a href="/.well-known/brand.json">${verify.profile}</a>${keys}</p>
<p>${verify.command}</p>
<pre tabindex="0">aval verify-answer '${baseUrl}/ask?q=${encodeURIComponent(query).replaceAll("'", '%27')}'</pre></details>`;
}
