import { randomUUID } from 'node:crypto';
import type { HTTPResponse } from 'h3';
import type { Answer } from '../../brand/retrieval/brand.ts';
import { asksTeam } from '../../rest/forms.ts';
import type { Visit } from '../../rest/negotiation.ts';
import type { Attempt, Page, Reply } from '../../rest/reply.ts';
import { errorHeaders } from '../../rest/response.ts';
import { statusOf } from '../../rest/status.ts';
import { ended } from '../../tools/action.ts';
import type { ServiceError } from '../../tools/errors.ts';
import { type FieldFault, ruleText } from '../../tools/faults.ts';
import { MAX_QUERY } from '../../tools/fields.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { isQuestion, type Tool, type ToolResult } from '../../tools/tool.ts';
import { negotiated } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { answerView } from './answer.ts';
import { askBox, examples } from './ask.ts';
import { actionIn, fieldId, labelOf, leadOf, submissionForm } from './form.ts';
import { type Answered, homeOf, pageResponse, type View } from './frame.ts';
import { copyButton, html, type Markup } from './html.ts';

/** The pages of a site, each in the language of its visitor. */
export function createPages(site: Site): Page {
  const wordsFor = ({ lang, acceptLanguage }: Visit) => negotiated(lang, acceptLanguage, site.words);
  const viewOf = (visit: Visit): View => ({
    ...site,
    ...(!site.profile && { brandName: SERVICE.title }),
    ...visit,
    words: wordsFor(visit),
  });
  return (reply, visit) => {
    const view = viewOf(visit);
    switch (reply.kind) {
      case 'form':
        return formPage(view, reply.attempt);
      case 'result':
        return answerPage(view, reply.result);
      case 'thanks':
        return thanksPage(view, reply);
      case 'refusal':
        return refusalPage(view, reply.error, reply.attempt);
    }
  };
}

const isAnswer = (result: ToolResult): result is Answer => 'matches' in result;

const core = (body: Markup) => html`<div class="core">${body}</div>`;
/** What happened, and below it what to do. */
const framed = (top: Markup, body: Markup) =>
  html`<div class="hero">${top}</div>\n<section class="plain">${body}</section>`;

function formPage(view: View, { tool, values }: Attempt): HTTPResponse {
  const isBlank = Object.keys(values).length === 0;
  if (isQuestion(tool)) return askPage(view, 200, { query: '', path: '/ask', isPackable: true });
  const { title, lead } = titleOf(view, tool);
  // The script of an element makes its own key, so that all get the same fragment.
  const key = view.isFragment ? '' : randomUUID();
  const form = core(html`<div class="panel">${submissionForm(view, tool, { values, key })}</div>`);
  const main = framed(html`<h1>${title}</h1><p class="lead">${lead}</p>`, form);
  return pageResponse(view, 200, { title, main, core: form, isPackable: isBlank });
}

function titleOf(site: Site, tool: Tool): { title: string; lead: string } {
  const action = actionIn(tool);
  const { title, lead } = asksTeam(tool) ? site.words.ask.contact : action.wordsIn(site.words);
  return { title, lead: leadOf(site, lead, action) };
}

function answerPage(view: View, answer: ToolResult): HTTPResponse {
  if (!isAnswer(answer)) throw new Error('a page of an answer needs one');
  const { query, matches } = answer;
  const path = `/ask?q=${encodeURIComponent(query)}`;
  const body = answerView(view, answer);
  const isPackable = !body.text.includes('name="_key"');
  return askPage(view, 200, { query, body, path, about: matches[0]?.statement ?? query, isPackable });
}

interface AskedPage extends Pick<Answered, 'path' | 'about' | 'isPackable' | 'headers'> {
  readonly query: string;
  readonly body?: Markup;
}

/** The box above, what came of it below; an answer is no page for search engines, which would index whatever is linked to. */
function askPage(view: View, status: number, { query, body, ...asked }: AskedPage): HTTPResponse {
  const isEmpty = query === '';
  const title = isEmpty ? view.words.ask.title : query;
  const box = core(html`${askBox(view, query)}${isEmpty && status !== 429 && examples(view)}`);
  const main = html`<div class="hero small">${isEmpty && !body && html`<h1>${title}</h1>`}${box}</div>
${body}`;
  const head = html`<meta name="robots" content="noindex">`;
  return pageResponse(view, status, { title, main, core: html`${box}${body}`, head, ...asked });
}

function thanksPage(view: View, { action, reference }: Extract<Reply, { kind: 'thanks' }>): HTTPResponse {
  const { words } = view;
  const { thanks } = words;
  const isReal = view.mode === 'production';
  const top = html`<h1>${thanks.title}</h1><p class="lead">${ended(action.wordsIn(words).received)}</p>`;
  const body = html`${reference !== undefined && html`<div class="panel"><p class="eyebrow">${words.reference}</p><div class="said"><p class="reference">${reference}</p>${copyButton(reference, thanks)}</div><p class="note">${thanks.next}</p></div>`}
<div><h2>${thanks.now}</h2><p>${isReal ? words.reply(action.replyHours) : words.dryRun}</p></div>`;
  const path = `/forms/thanks?of=${action.kind}&reference=${reference ?? ''}`;
  const main = framed(top, html`${body}${wayHome(view)}`);
  return pageResponse(view, 200, { title: thanks.title, main, core: core(html`${top}${body}`), path });
}

const wayHome = (site: Site) => html`<p><a href="${homeOf(site)}">${site.words.page.home}</a></p>`;

/** The same words for the same fault, whatever page it is on. */
function refusalPage(view: View, error: ServiceError, attempt: Attempt | undefined): HTTPResponse {
  const { title, text } = noticeOf(view, error, attempt?.tool);
  const { retryAfterSeconds, issues = [], reference } = error.details;
  const { refusals, wait: words } = view.words;
  const wait =
    retryAfterSeconds !== undefined &&
    html`<p data-wait="${retryAfterSeconds}" data-now="${refusals.now}">${refusals.retry(words(retryAfterSeconds))}</p>`;
  const [status, headers] = [statusOf(error), errorHeaders(error)];
  const notice = html`<div role="alert"><p class="lead">${text}</p>${wait}</div>`;
  if (attempt && isQuestion(attempt.tool)) {
    const body = html`<section class="plain"><div class="answer core" id="answer"><h1 class="verdict none">${title}</h1>${notice}</div></section>`;
    return askPage(view, status, { query: attempt.values.query ?? '', body, path: '/ask', headers });
  }
  const again = attempt && mayCorrect(error);
  const top = html`<h1>${title}</h1>${notice}
${reference !== undefined && html`<p class="eyebrow">${view.words.reference}</p><p class="reference">${reference}</p>`}${again && faultList(view, attempt.tool, issues)}`;
  const form =
    again &&
    html`<div class="panel">${submissionForm(view, attempt.tool, { ...attempt, faults: issues, key: randomUUID() })}</div>`;
  const wayOn = html`${error.code === 'not_found' && core(askBox(view))}${wayHome(view)}`;
  const main = framed(top, form || wayOn);
  return pageResponse(view, status, {
    title,
    main,
    core: core(html`${top}${form}`),
    isPackable: !attempt,
    headers,
  });
}

/** What is kept needs no second post, and what could not be read has nothing to show again. */
const mayCorrect = (error: ServiceError) => error.code !== 'invalid_request' && !isKept(error);

/** Only a submission that was kept has a reference in its error. */
const isKept = ({ details }: ServiceError) => details.reference !== undefined;

function faultList({ words }: Site, tool: Tool, faults: readonly FieldFault[]): Markup | false {
  if (faults.length === 0) return false;
  const known = new Set([...Object.keys(tool.input.shape), 'consent']);
  const items = faults.map(fault => {
    const label = labelOf(words, fault.field);
    const named = known.has(fault.field)
      ? html`<a href="#${fieldId(tool, fault.field)}">${label}</a>`
      : label;
    return html`<li>${named}: ${ruleText(fault, words.rules)}</li>`;
  });
  return html`<div class="problem"><ul>${items}</ul></div>`;
}

function noticeOf({ words: { refusals, ask } }: Site, error: ServiceError, tool: Tool | undefined) {
  const asks = tool !== undefined && isQuestion(tool);
  if (asks && error.code === 'missing_query') return { title: ask.title, text: ask.blank };
  if (asks && error.code === 'validation_error') return { title: ask.title, text: ask.tooLong(MAX_QUERY) };
  if (isKept(error)) return refusals.kept;
  if (error.code === 'rate_limited') return asks ? refusals.limitedAsk : refusals.limited;
  if (error.code === 'invalid_request')
    return error.details.reason === 'foreign' ? refusals.crossSite : refusals.unread;
  if (error.code === 'validation_error') return refusals.invalid;
  if (error.code === 'not_found' || error.code === 'method_not_allowed') return refusals.missing;
  return error.code === 'delivery_failed' ? refusals.failed : refusals.unavailable;
}
