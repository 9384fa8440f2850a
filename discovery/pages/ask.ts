import { QUESTION_ACTION } from '../../brand/profile/action-schema.ts';
import { formRoutesOf } from '../../rest/routes.ts';
import type { Messages } from '../../tools/words/es.ts';
import { messagesByTag } from '../../tools/words/language.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { langOf } from './claim.ts';
import { type Drawn, inLanguage, websiteLink } from './frame.ts';
import { attributes, html, type Markup } from './html.ts';

/** The question box with the last question in it. */
export function askBox({ words }: Site, query = ''): Markup {
  const input = {
    id: 'q',
    name: 'q',
    type: 'search',
    required: true,
    value: query,
  };
  return html`<form id="ask" action="/ask" role="search"${attributes({ 'data-unavailable': words.refusals.unavailable.text })}>
<label for="q">${words.ask.label}</label>
<div class="ask">
<input${attributes(input)} autocomplete="off">
<input type="hidden" name="lang" value="${words.tag}">
<button>${words.ask.button}</button>
</div>
</form>`;
}

/**
 * The page of a question.
 * @param outcome its answer, or why there is none. The heading takes the focus, so screen readers begin there
 */
export function askPage(site: Site, query: string, outcome?: { heading: string; content: Markup }): Drawn {
  const { ask } = site.words;
  const title = query === '' ? ask.title : query;
  const answer =
    outcome &&
    html`<div class="answer core" id="answer">
<h1 tabindex="-1" autofocus>${outcome.heading}</h1>
${outcome.content}
</div>`;
  const main = html`<section class="plain">
${!outcome && html`<h1>${ask.title}</h1>`}
<div class="core">
${askBox(site, query)}
${!outcome && chips(site)}
</div>
${answer}
</section>`;
  return { title, main, path: `/ask?q=${encodeURIComponent(query)}` };
}

/**
 * The first question of each claim, in the language of the page or, if it has none, in the profile's. An
 * expired profile has none.
 */
export function questionsFor({ words, profile, isExpired }: Site) {
  const { questions = [], language } = profile ?? {};
  if (isExpired()) return [];
  const questionsIn = (messages: Messages | undefined) =>
    questions.filter(question => messagesByTag(question.language ?? language) === messages);
  const translated = questionsIn(words);
  const readable = translated.length > 0 ? translated : questionsIn(messagesByTag(language));
  const claimIds = readable.map(({ claim_id }) => claim_id);
  return readable.filter(({ claim_id }, index) => claimIds.indexOf(claim_id) === index);
}

/** Most questions that a page offers. */
const OFFERED = 3;

/** The profile's first questions as links to their answers. */
export function chips(site: Site): Markup | false {
  const offered = questionsFor(site).slice(0, OFFERED);
  if (offered.length === 0) return false;
  return html`<p class="eyebrow">${site.words.ask.examples}</p>
<ul class="chips">
${offered.map(question => html`<li>${questionLink(site, question)}</li>\n`)}</ul>`;
}

/** A question of the profile, as a link to its answer. */
export function questionLink(
  site: Site,
  { text, language }: { text: string; language?: string | undefined },
) {
  const path = inLanguage(site, `/ask?q=${encodeURIComponent(text)}`);
  return html`<a href="${path}"${langOf(site, language)}>${text}</a>`;
}

/** One line with a link to a person: the form that takes questions, else the brand's address and website. */
export function contactLinks(site: Site, query: string): Markup {
  const route = formRoutesOf(site.tools).find(({ action }) => action.name === QUESTION_ACTION);
  if (!route) return directLinks(site, query);
  const path = inLanguage(site, `${route.path}?context=${encodeURIComponent(query)}`);
  return html`<a class="button" href="${path}">${site.words.ask.contact.title}</a>`;
}

/** Links to the brand's e-mail address and website. */
export function directLinks(site: Site, subject: string): Markup {
  const email = contactEmail(site);
  const address = `mailto:${email}?subject=${encodeURIComponent(subject)}`;
  const mail = email && html`<a class="button" href="${address}">${site.words.ask.contact.mail(email)}</a>\n`;
  return html`${mail}${websiteLink(site)}`;
}

/** A link to the list of claims, unless that page is switched off. */
export function allClaims(site: Site): Markup | false {
  const { words, profile, off } = site;
  if (profile === undefined || off.has('claims')) return false;
  return html`<p><a href="${inLanguage(site, '/claims')}">${words.ask.all(profile.claims.length)}</a></p>`;
}

/** Says that the profile has expired, and leads to a person. */
export function expiredNotice(site: Site): Markup | false {
  if (!site.isExpired()) return false;
  return html`<p class="problem">${site.words.page.expired}</p>
<p class="otherwise">${contactLinks(site, '')}</p>`;
}
