import type { Answer } from '../../brand/retrieval/brand.ts';
import type { Attempt, Pages, Visit } from '../../rest/forms/pages.ts';
import { errorHeaders, type Reply } from '../../rest/http/reply.ts';
import { statusOf } from '../../rest/http/status.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import type { Submitted } from '../../tools/deliver.ts';
import type { ServiceError } from '../../tools/errors.ts';
import { type FieldFault, ruleText } from '../../tools/fields/faults.ts';
import { MAX_QUERY } from '../../tools/fields/fields.ts';
import { negotiated, receivedText } from '../../tools/language/language.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Tool, ToolResult } from '../../tools/tool.ts';
import type { Site } from '../documents/site.ts';
import { homeOf, pageReply } from '../look/frame.ts';
import { html, type Markup } from '../look/html.ts';
import { answerView, askBox } from './ask.ts';
import { fieldId, kindOf, labelOf, submissionForm } from './form.ts';

/** The pages of a site, each in the language of its visitor. */
export function createPages(site: Site): Pages {
  const visited = ({ lang, acceptLanguage }: Visit): Site => ({
    ...site,
    ...(!site.profile && { brandName: SERVICE.title }),
    words: negotiated(lang, acceptLanguage, site.words),
  });
  return {
    languageOf: visit => visited(visit).words.tag,
    form: (tool, visit) => formPage(visited(visit), tool),
    accepted: ({ tool }, result, visit) =>
      isAnswer(result) ? answerPage(visited(visit), result) : thanksPage(visited(visit), tool, result),
    refused: (error, visit, attempt) => refusalPage(visited(visit), error, attempt),
  };
}

const isAnswer = (result: ToolResult): result is Answer => 'matches' in result;

const section = (body: Markup) => html`<section class="plain"><div class="body">${body}</div></section>`;

function formPage(site: Site, tool: Tool): Reply {
  if (tool === askBrand) return askPage(site, 200, { query: '', path: '/forms/ask' });
  const { title, lead } = site.words.actions[kindOf(tool)];
  const main = html`<div class="hero"><h1>${title}</h1><p class="lead">${lead(SERVICE.replyHours)}</p></div>
${section(submissionForm(site, tool))}`;
  return pageReply(site, 200, { title, main, path: `/forms/${kindOf(tool)}` });
}

function answerPage(site: Site, answer: Answer): Reply {
  const path = `/ask?q=${encodeURIComponent(answer.query)}`;
  return askPage(site, 200, { query: answer.query, body: answerView(site, answer), path });
}

function askPage(site: Site, status: number, asked: { query: string; body?: Markup; path?: string }): Reply {
  const { title, lead } = site.words.ask;
  const main = html`<div class="hero"><h1>${title}</h1><p class="lead">${lead}</p></div>
${section(askBox(site, asked.query, asked.body))}`;
  return pageReply(site, status, { title, main, path: asked.path });
}

function thanksPage(site: Site, tool: Tool, { reference, mode }: Submitted): Reply {
  const { thanks, page, ...words } = site.words;
  const main = html`<div class="hero"><h1>${thanks.title}</h1><p class="lead">${receivedText(site.words, kindOf(tool), SERVICE.replyHours)}</p>
<p>${words.reference}: <span class="reference">${reference}</span></p><p class="note">${thanks.next}</p>
${mode === 'dry-run' && html`<p class="note">${thanks.dryRun}</p>`}
<p><a href="${homeOf(site)}">${page.home}</a></p></div>`;
  return pageReply(site, 200, { title: thanks.title, main });
}

/** The same words for the same fault, whatever page it is on. */
function refusalPage(site: Site, error: ServiceError, attempt: Attempt | undefined): Reply {
  const { title, text } = noticeOf(site, error, attempt?.tool);
  const { retryAfterSeconds, issues = [], reference } = error.details;
  const wait = retryAfterSeconds !== undefined && countdown(site, retryAfterSeconds);
  const { headers, ...reply } = draw();
  return { ...reply, headers: { ...headers, ...errorHeaders(error) } };

  function draw(): Reply {
    if (attempt?.tool === askBrand) {
      const body = html`<p class="lead" role="alert">${text}</p>${wait}`;
      return askPage(site, statusOf(error), { query: attempt.values.query ?? '', body });
    }
    const typed = attempt && {
      values: attempt.values,
      faults: issues,
    };
    const again = typed && mayCorrect(error);
    const main = html`<div class="hero"><h1>${title}</h1><div role="alert"><p class="lead">${text}</p>${wait}</div>
${reference !== undefined && html`<p>${site.words.reference}: <span class="reference">${reference}</span></p>`}
${!again && html`<p><a href="${homeOf(site)}">${site.words.page.home}</a></p>`}</div>
${again && section(html`${faultList(site, attempt.tool, typed.faults)}${submissionForm(site, attempt.tool, typed)}`)}`;
    return pageReply(site, statusOf(error), { title, main });
  }
}

/** What is kept needs no second post, and what could not be read has nothing to show again. */
const mayCorrect = (error: ServiceError) => error.code !== 'invalid_request' && !isKept(error);

/** Only a submission that was kept has a reference in its error. */
const isKept = ({ details }: ServiceError) => details.reference !== undefined;

function faultList({ words }: Site, tool: Tool, faults: readonly FieldFault[]): Markup | false {
  if (faults.length === 0) return false;
  const known = new Set(Object.keys(tool.input.shape));
  const items = faults.map(fault => {
    const label = labelOf(words, fault.field);
    const named = known.has(fault.field) ? html`<a href="#${fieldId(tool, fault.field)}">${label}</a>` : label;
    return html`<li>${named}: ${ruleText(fault, words.rules)}</li>`;
  });
  return html`<div class="problem"><ul>${items}</ul></div>`;
}

/** Counted down where scripts run; the words for it come along. */
function countdown({ words: { refusals, wait } }: Site, seconds: number): Markup {
  const many = refusals.retry(wait(600).replace('10', '{}'));
  return html`<p data-wait="${seconds}" data-one="${refusals.retry(wait(60))}" data-many="${many}" data-now="${refusals.now}">${refusals.retry(wait(seconds))}</p>`;
}

function noticeOf({ words: { refusals, ask } }: Site, error: ServiceError, tool: Tool | undefined) {
  if (tool === askBrand && error.code === 'missing_query') return { ...refusals.unavailable, text: ask.blank };
  if (tool === askBrand && error.code === 'validation_error')
    return { ...refusals.unavailable, text: ask.tooLong(MAX_QUERY) };
  if (isKept(error)) return refusals.kept;
  if (error.code === 'rate_limited') return tool === askBrand ? refusals.limitedAsk : refusals.limited;
  if (error.code === 'invalid_request')
    return error.details.reason === 'foreign' ? refusals.crossSite : refusals.unread;
  if (error.code === 'validation_error') return refusals.invalid;
  if (error.code === 'not_found') return refusals.missing;
  return error.code === 'delivery_failed' ? refusals.failed : refusals.unavailable;
}
