import { type Attempt, type Reply, THANKS_PATH } from '../../rest/reply.ts';
import { errorHeaders, statusOf } from '../../rest/response.ts';
import type { ServiceError } from '../../tools/errors.ts';
import { MAX_QUERY } from '../../tools/fields.ts';
import { isQuestion } from '../../tools/tool.ts';
import { waitText } from '../../tools/words/counts.ts';
import { replyText, type Site } from '../documents/site.ts';
import { askBox, askPage, chips, contactLinks, directLinks } from './ask.ts';
import { actionIn, faultSentence, fieldId, submissionForm } from './form.ts';
import { type Drawn, homeOf, websiteLink } from './frame.ts';
import { copyButton, html, type Markup } from './html.ts';

/** The page after a submission: what arrived, its reference, what happens next. */
export function thanksPage(site: Site, { tool, reference }: Extract<Reply, { kind: 'thanks' }>): Drawn {
  const { words, mode } = site;
  const action = actionIn(tool);
  const title = action.wordsIn(words).received;
  const main = html`<section class="plain">
<h1>${title}</h1>
<p class="lead">${replyText(site, action)}</p>
${mode === 'production' && action.confirms && html`<p>${words.thanks.confirmed}</p>`}
${referencePanel(site, reference)}
${homeLinks(site)}
</section>`;
  const query = new URLSearchParams({ of: action.kind, reference });
  return { status: 200, title, main, path: `${THANKS_PATH}?${query}` };
}

/** The page of an error: what went wrong, what to do, and the form with everything that was typed. */
export function refusalPage(site: Site, error: ServiceError, attempt: Attempt | undefined): Drawn {
  const { title, text } = noticeOf(site, error, attempt);
  const { refusals, locale } = site.words;
  const { retryAfterSeconds, reference } = error.details;
  const wait = retryAfterSeconds !== undefined && refusals.retry(waitText(locale, retryAfterSeconds));
  const notice = html`<div role="alert">
<p class="lead">${text}</p>
${wait && html`<p>${wait}</p>`}
</div>`;
  const outcome = { status: statusOf(error), headers: errorHeaders(error) };
  if (attempt && isQuestion(attempt.tool)) {
    const { query = '' } = attempt.values;
    const content = html`${notice}
${isInputError(error) ? chips(site) : html`<p>${contactLinks(site, query)}</p>`}`;
    return { ...outcome, ...askPage(site, query, { heading: title, content }) };
  }
  const main = html`<section class="plain">
<h1>${title}</h1>
${notice}
${reference !== undefined && referencePanel(site, reference)}
${isShownAgain(error) && attempt ? formAgain(site, attempt, error) : contactOrHome(site, error)}
</section>`;
  return { ...outcome, title, main };
}

/** The form is shown again, unless it was refused unread or the submission was kept. */
const isShownAgain = ({ details }: ServiceError) =>
  details.reason === undefined && details.reference === undefined;

const isInputError = ({ code }: ServiceError) => code === 'missing_query' || code === 'validation_error';

const isUnknownPath = ({ code }: ServiceError) => code === 'not_found' || code === 'method_not_allowed';

function referencePanel({ words }: Site, reference: string): Markup {
  const { next, copy } = words.thanks;
  return html`<div class="panel">
<p class="eyebrow">${words.reference}</p>
<div class="says">
<p class="lead"><strong class="reference">${reference}</strong></p>
${copyButton(reference, copy, words.ask.copied)}
</div>
<p class="note">${next}</p>
</div>`;
}

/** The form with what was typed. Above it: the faults, or other ways to reach the team. */
function formAgain(site: Site, attempt: Attempt, { details }: ServiceError): Markup {
  const { tool } = attempt;
  const { issues: faults = [] } = details;
  // The sentences of the fields, each as a link to its field.
  const items = faults.map(fault => {
    const sentence = faultSentence(site, fault);
    const isShown = fault.field === 'consent' || fault.field in tool.input.shape;
    if (!isShown) return html`<li>${sentence}</li>\n`;
    return html`<li><a href="#${fieldId(tool, fault.field)}">${sentence}</a></li>\n`;
  });
  const links = directLinks(site, actionIn(tool).wordsIn(site.words).title);
  const others = site.profile && html`<p class="otherwise">${site.words.refusals.sooner} ${links}</p>`;
  return html`${items.length > 0 ? html`<ul class="problem">\n${items}</ul>` : others}
<div class="panel">
${submissionForm(site, attempt, faults)}
</div>`;
}

/** For errors without a form: the question box or a contact, and links home. */
function contactOrHome(site: Site, error: ServiceError): Markup {
  const contact = site.profile && html`<p>${contactLinks(site, '')}</p>`;
  return html`${isUnknownPath(error) ? askBox(site) : contact}
${homeLinks(site)}`;
}

/** Links to the home page and to the brand's website. */
function homeLinks(site: Site): Markup {
  const website = websiteLink(site);
  return html`<p><a href="${homeOf(site)}">${site.words.page.home}</a>${website && html` · ${website}`}</p>`;
}

/** Title and text of an error. */
function noticeOf(site: Site, error: ServiceError, attempt?: Attempt): { title: string; text: string } {
  const { refusals, ask, page } = site.words;
  const { code, details } = error;
  const notSent = (text: string) => ({ title: refusals.notSent, text });
  const isAsking = attempt !== undefined && isQuestion(attempt.tool);
  if (isAsking && code === 'missing_query') return { title: ask.title, text: ask.blank };
  if (isAsking && code === 'validation_error') return { title: ask.title, text: ask.tooLong(MAX_QUERY) };
  if (details.reference !== undefined) return refusals.kept;
  if (code === 'rate_limited') return isAsking ? refusals.limitedAsk : refusals.limited;
  if (details.reason === 'foreign') return notSent(refusals.crossSite);
  if (details.issues !== undefined) return notSent(refusals.invalid);
  if (code === 'invalid_request') return notSent(refusals.unread);
  if (isUnknownPath(error)) return refusals.missing;
  if (code === 'delivery_failed') return notSent(refusals.failed);
  const { unavailable } = refusals;
  return site.isExpired() ? { title: unavailable.title, text: page.expired } : unavailable;
}
