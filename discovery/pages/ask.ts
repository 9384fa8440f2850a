import { questionRouteOf } from '../../rest/forms.ts';
import { MAX_QUERY } from '../../tools/fields.ts';
import { spoken } from '../../tools/words/language.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { leadOf, questionForm } from './form.ts';
import { inLanguage, websiteHost } from './frame.ts';
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
    profile.questions?.filter(({ language = profile.language }) => spoken(language) === spoken(tag)) ?? [];
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

/** The short form with the question filled in; where the brand takes no requests, its address and its website. */
export function contactForm(site: Site, query: string): Markup {
  const { contact } = site.words.ask;
  const [route] = questionRouteOf(site.tools);
  if (!route) return html`<p>${contactLinks(site, query)}</p>`;
  return html`<div class="panel">
<h2>${contact.title}</h2>
<p>${leadOf(site, contact.lead, route.action)}</p>
${questionForm(site, route.tool, query)}
</div>`;
}

/** The way to a person in one line: the page of the short form, else the brand's address, and its website. */
export function contactLinks(site: Site, query: string): Markup {
  const { words, profile } = site;
  const [route] = questionRouteOf(site.tools);
  if (route) {
    const path = inLanguage(site, `${route.path}?context=${encodeURIComponent(query)}`);
    return html`<a class="button" href="${path}">${words.ask.contact.title}</a>`;
  }
  const email = contactEmail(site);
  const subject = encodeURIComponent(query);
  const mail =
    email &&
    html`<a class="button" href="mailto:${email}?subject=${subject}">${words.ask.contact.mail(email)}</a>\n`;
  const host = websiteHost(site);
  const website = profile && host && html`<a href="${profile.url}">${words.page.website(host)}</a>`;
  return html`${mail}${website}`;
}
