import { QUESTION_ACTION } from '../../brand/profile/action-schema.ts';
import { formRoutesOf } from '../../rest/routes.ts';
import { MAX_QUERY } from '../../tools/fields.ts';
import { messagesByTag } from '../../tools/words/language.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { inLanguage, websiteLink } from './frame.ts';
import { attributes, html, type Markup } from './html.ts';

/** The box to ask, with what was asked last. */
export function askBox(site: Site, query = ''): Markup {
  const { words } = site;
  const input = { id: 'q', name: 'q', rows: 1, required: true, maxlength: MAX_QUERY, enterkeyhint: 'search' };
  const messages = {
    'data-busy': words.ask.busy,
    'data-offline': words.refusals.offline,
    'data-unavailable': words.refusals.unavailable.text,
  };
  return html`<form id="ask" method="get" action="/ask" role="search"${attributes(messages)}>
<label for="q">${words.ask.label}</label>
<div class="ask">
<textarea${attributes(input)}>${query}</textarea>
<input type="hidden" name="lang" value="${words.tag}">
<button>${words.ask.button}</button>
</div>
</form>`;
}

/** How many of the profile's questions are offered. */
const OFFERED = 3;

/**
 * The first question of each claim, in the language of the page where there are some, else in the brand's; none once the
 * profile has expired.
 */
export function questionsFor({
  words,
  profile,
  isExpired,
}: Site): readonly { text: string; claim_id: string }[] {
  if (profile?.questions === undefined || isExpired()) return [];
  const inLanguageOf = (tag: string | undefined) =>
    profile.questions?.filter(
      ({ language = profile.language }) => messagesByTag(language) === messagesByTag(tag),
    ) ?? [];
  const inWords = inLanguageOf(words.tag);
  const spokenHere = inWords.length > 0 ? inWords : inLanguageOf(profile.language);
  // The first of each claim: others ask the same in other words.
  const claims = spokenHere.map(({ claim_id }) => claim_id);
  return spokenHere.filter(({ claim_id }, index) => claims.indexOf(claim_id) === index);
}

/** The profile's first questions as links to their answers. */
export function chips(site: Site): Markup | false {
  const offered = questionsFor(site).slice(0, OFFERED);
  if (offered.length === 0) return false;
  return html`<p class="eyebrow">${site.words.ask.examples}</p>
<ul class="chips">
${offered.map(({ text }) => html`<li><a data-ask href="${askPath(site, text)}">${text}</a></li>\n`)}</ul>`;
}

export const askPath = (site: Pick<Site, 'words'>, query: string): string =>
  inLanguage(site, `/ask?q=${encodeURIComponent(query)}`);

/** The way to a person in one line: the form of the action that takes questions, else the brand's address, and its website. */
export function contactLinks(site: Site, query: string): Markup {
  const route = formRoutesOf(site.tools).find(({ action }) => action.name === QUESTION_ACTION);
  if (!route) return directLinks(site, query);
  const path = inLanguage(site, `${route.path}?context=${encodeURIComponent(query)}`);
  return html`<a class="button" href="${path}">${site.words.ask.contact.title}</a>`;
}

/** The brand's address and its website, which need no form. */
export function directLinks(site: Site, subject: string): Markup {
  const { ask } = site.words;
  const email = contactEmail(site);
  const address = `mailto:${email}?subject=${encodeURIComponent(subject)}`;
  const mail = email && html`<a class="button" href="${address}">${ask.contact.mail(email)}</a>\n`;
  return html`${mail}${websiteLink(site)}`;
}

/** The way to every claim, unless their page is switched off. */
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
