import { randomUUID } from 'node:crypto';
import { type Attempt, type Reply, THANKS_PATH } from '../../rest/reply.ts';
import { errorHeaders, statusOf } from '../../rest/response.ts';
import type { ServiceError } from '../../tools/errors.ts';
import type { FieldFault } from '../../tools/faults.ts';
import { MAX_QUERY } from '../../tools/fields.ts';
import { isQuestion, type Tool } from '../../tools/tool.ts';
import type { Site } from '../documents/site.ts';
import { askBox, contactLinks, directLinks } from './ask.ts';
import { actionIn, faultSentence, fieldId, submissionForm } from './form.ts';
import { homeOf, websiteLink } from './frame.ts';
import { copyButton, html, type Markup } from './html.ts';
import { askPage, type Drawn, type View } from './pages.ts';

type Thanks = Extract<Reply, { kind: 'thanks' }>;

/** What has arrived, its reference, and what happens now. */
export function thanksPage(view: View, { tool, reference }: Thanks): Drawn {
  const { words } = view;
  const action = actionIn(tool);
  const { thanks } = words;
  const isReal = view.mode === 'production';
  const title = action.wordsIn(words).received;
  const main = html`<section class="plain">
<h1>${title}</h1>
<p class="lead">${isReal ? words.reply(action.replyHours) : words.dryRun}</p>
${isReal && action.confirms && html`<p>${thanks.confirmed}</p>`}
${referencePanel(view, reference)}
${waysOn(view)}
</section>`;
  const query = new URLSearchParams({ of: action.kind, reference });
  return { status: 200, title, main, core: main, path: `${THANKS_PATH}?${query}` };
}

function referencePanel({ words }: Site, reference: string): Markup {
  const { next, copy, copied } = words.thanks;
  return html`<div class="panel">
<p class="eyebrow">${words.reference}</p>
<div class="says">
<p class="reference">${reference}</p>
${copyButton(reference, copy, copied)}
</div>
<p class="note">${next}</p>
</div>`;
}

/** Back to the home page, and to the firm's own website. */
function waysOn(site: Site): Markup {
  const website = websiteLink(site);
  return html`<p><a href="${homeOf(site)}">${site.words.page.home}</a>${website && html` · ${website}`}</p>`;
}

/** Why something was not done, what the visitor can do, and their form with everything that they typed. */
export function refusalPage(view: View, error: ServiceError, attempt: Attempt | undefined): Drawn {
  const tool = attempt?.tool;
  const { title, text } = noticeOf(view, error, tool);
  const status = statusOf(error);
  const headers = errorHeaders(error);
  const notice = html`<div role="alert">
<p class="lead">${text}</p>
${wait(view, error)}
</div>`;
  if (attempt && tool && isQuestion(tool)) {
    const query = attempt.values.query ?? '';
    const isMistake = error.code === 'missing_query' || error.code === 'validation_error';
    const body = html`<div class="answer core" id="answer">
<h1>${title}</h1>
${notice}
${!isMistake && html`<p>${contactLinks(view, query)}</p>`}
</div>`;
    return askPage(view, { status, query, body, headers });
  }
  const { issues = [], reference } = error.details;
  const isShownAgain = attempt !== undefined && error.code !== 'invalid_request' && reference === undefined;
  const main = html`<section class="plain">
<h1>${title}</h1>
${notice}
${reference !== undefined && referencePanel(view, reference)}
${isShownAgain ? formAgain(view, attempt, issues) : waysOut(view, error)}
</section>`;
  return { status, title, main, core: main, headers };
}

function wait({ words }: Site, { details: { retryAfterSeconds } }: ServiceError): Markup | false {
  if (retryAfterSeconds === undefined) return false;
  const { now, retry } = words.refusals;
  const text = retry(words.wait(retryAfterSeconds));
  return html`<p data-wait="${retryAfterSeconds}" data-now="${now}">${text}</p>`;
}

function formAgain(view: View, attempt: Attempt, faults: readonly FieldFault[]): Markup {
  const { tool } = attempt;
  const form = submissionForm(view, tool, { ...attempt, faults, key: randomUUID() });
  const links = directLinks(view, actionIn(tool).wordsIn(view.words).title);
  const isMendable = faults.length > 0;
  return html`${isMendable && faultList(view, tool, faults)}
${!isMendable && view.profile && html`<p class="otherwise">${view.words.refusals.sooner} ${links}</p>`}
<div class="panel">
${form}
</div>`;
}

/** The same sentences as at the fields, each leading to its field. */
function faultList(site: Site, tool: Tool, faults: readonly FieldFault[]): Markup {
  const fields = new Set([...Object.keys(tool.input.shape), 'consent']);
  const items = faults.map(fault => {
    const sentence = faultSentence(site, fault);
    if (!fields.has(fault.field)) return html`<li>${sentence}</li>\n`;
    return html`<li><a href="#${fieldId(tool, fault.field)}">${sentence}</a></li>\n`;
  });
  return html`<ul class="problem">
${items}</ul>`;
}

/** Where nothing is to be typed again: to ask, to write to a person, or to leave. */
function waysOut(view: View, error: ServiceError): Markup {
  const isLost = error.code === 'not_found' || error.code === 'method_not_allowed';
  return html`${isLost && askBox(view)}
${!isLost && view.profile && html`<p>${contactLinks(view, '')}</p>`}
${waysOn(view)}`;
}

/** Only a submission that was kept has a reference in its error. */
const isKept = ({ details }: ServiceError) => details.reference !== undefined;

interface Notice {
  readonly title: string;
  readonly text: string;
}

/** The same words for the same fault, whatever page it is on. */
function noticeOf(site: Site, error: ServiceError, tool: Tool | undefined): Notice {
  const { refusals, ask } = site.words;
  const isAsking = tool !== undefined && isQuestion(tool);
  if (isAsking && error.code === 'missing_query') return { title: ask.title, text: ask.blank };
  if (isAsking && error.code === 'validation_error')
    return { title: ask.title, text: ask.tooLong(MAX_QUERY) };
  if (isKept(error)) return refusals.kept;
  if (error.code === 'rate_limited') return isAsking ? refusals.limitedAsk : refusals.limited;
  if (error.details.reason === 'foreign') return refusals.crossSite;
  if (error.code === 'invalid_request') return refusals.unread;
  if (error.code === 'validation_error') return refusals.invalid;
  if (error.code === 'not_found' || error.code === 'method_not_allowed') return refusals.missing;
  if (error.code === 'delivery_failed') return refusals.failed;
  return site.isExpired() ? refusals.expired : refusals.unavailable;
}
