import { questionRouteOf } from '../../rest/forms.ts';
import { MAX_QUERY } from '../../tools/fields.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Example, Site } from '../documents/site.ts';
import { leadOf, questionForm } from './form.ts';
import { inLanguage } from './frame.ts';
import { attributes, html, type Markup } from './html.ts';

export function askBox(site: Site, query = ''): Markup {
  const { words } = site;
  const input = { id: 'q', name: 'q', rows: 1, required: true, maxlength: MAX_QUERY, enterkeyhint: 'search' };
  const form = attributes({
    ...{ id: 'ask', method: 'get', action: '/ask', role: 'search' },
    ...{
      'data-busy': words.ask.busy,
      'data-offline': words.refusals.offline,
      'data-unavailable': words.refusals.unavailable.text,
    },
  });
  return html`<form${form}><label for="q">${words.ask.label}</label>
<div class="ask"><textarea${attributes(input)}>${query}</textarea><input type="hidden" name="lang" value="${words.tag}"><button>${words.ask.button}</button></div></form>`;
}

/** How many questions stand under the box, and under an answer. */
const [FIRST, AFTER] = [4, 3];

/** Questions under the empty box: in the language of the page where there are some, else in the brand's own. */
export function examples(site: Site): Markup | false {
  const spokenIn = (tag: string) => examplesOf(site).filter(({ language }) => language.startsWith(tag));
  const own = spokenIn(site.words.tag);
  const list = own.length > 0 ? own : spokenIn(site.profile?.language ?? site.words.tag);
  return chips(site, { title: site.words.ask.examples, list: list.slice(0, FIRST) });
}

/** Questions that other claims answer, those of the same category first. */
export function neighbours(
  site: Site,
  shown: readonly { claim_id: string; category: string }[],
): Markup | false {
  const ids = new Set(shown.map(({ claim_id }) => claim_id));
  const others = examplesOf(site).filter(
    ({ claimId, language }) => !ids.has(claimId) && language.startsWith(site.words.tag),
  );
  const near = others.filter(({ category }) => category === shown[0]?.category);
  const list = [...new Set([...near, ...others])].slice(0, AFTER);
  return chips(site, { title: site.words.ask.also, list });
}

/** An expired profile answers nothing. */
const examplesOf = ({ examples, isExpired }: Site) => (isExpired() ? [] : examples.known());

function chips(site: Site, { title, list }: { title: string; list: readonly Example[] }): Markup | false {
  if (list.length === 0) return false;
  const links = list.map(({ text, language }) => {
    const lang = attributes({ lang: language.startsWith(site.words.tag) ? undefined : language });
    return html`<li><a data-ask href="${askPath(site, text)}"${lang}>${text}</a></li>`;
  });
  return html`<div class="also"><p class="eyebrow">${title}</p><ul class="chips">${links}</ul></div>`;
}

export const askPath = (site: Pick<Site, 'words'>, query: string): string =>
  inLanguage(site, `/ask?q=${encodeURIComponent(query)}`);

/** The way to a person: an address and the question are enough. Where the brand takes no requests, its own address. */
export function contactTeam(site: Site, query: string): Markup | false {
  const { contact } = site.words.ask;
  const [route] = questionRouteOf(site.tools);
  if (route) {
    const { action, tool } = route;
    return html`<div class="contact panel"><h2>${contact.title}</h2><p>${leadOf(site, contact.lead, action)}</p>${questionForm(site, tool, query)}</div>`;
  }
  const email = contactEmail(site);
  const to = `mailto:${email}?${new URLSearchParams({ subject: query }).toString().replaceAll('+', '%20')}`;
  return (
    email !== undefined &&
    html`<p class="contact"><a class="button" href="${to}">${contact.mail(email)}</a></p>`
  );
}
