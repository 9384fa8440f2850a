import { randomUUID } from 'node:crypto';
import type { Answer } from '../../brand/retrieval/brand.ts';
import type { Arrival, Attempt, Pages } from '../../rest/pages-port.ts';
import { asksTeam } from '../../rest/question.ts';
import { errorHeaders, type Reply } from '../../rest/reply.ts';
import { statusOf } from '../../rest/status.ts';
import type { Visit } from '../../rest/visit.ts';
import { ended } from '../../tools/actions.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import type { ServiceError } from '../../tools/errors.ts';
import { type FieldFault, ruleText } from '../../tools/faults.ts';
import { MAX_QUERY } from '../../tools/fields.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Tool, ToolResult } from '../../tools/tool.ts';
import { negotiated } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { answerView } from './answer.ts';
import { askBox, examples } from './ask.ts';
import { actionIn, fieldId, labelOf, leadOf, submissionForm } from './form.ts';
import { homeOf, pageReply } from './frame.ts';
import { copyButton, html, type Markup } from './html.ts';

/** The pages of a site, each in the language of its visitor. */
export function createPages(site: Site): Pages {
  const visited = ({ lang, acceptLanguage }: Visit): Site => ({
    ...site,
    ...(!site.profile && { brandName: SERVICE.title }),
    words: negotiated(lang, acceptLanguage, site.words),
  });
  return {
    languageOf: visit => visited(visit).words.tag,
    form: ({ tool, values }, visit) => formPage(visited(visit), tool, values),
    answered: (result, visit) => answerPage(visited(visit), result),
    thanks: (arrival, visit) => thanksPage(visited(visit), arrival),
    refused: (error, visit, attempt) => refusalPage(visited(visit), error, attempt),
  };
}

const isAnswer = (result: ToolResult): result is Answer => 'matches' in result;

/** What /embed.js shows of a page stands in `.core`. */
const core = (body: Markup) => html`<section class="plain"><div class="core">${body}</div></section>`;

function formPage(site: Site, tool: Tool, values: Attempt['values']): Reply {
  if (tool === askBrand) return askPage(site, 200, { query: '', path: '/ask' });
  const { title, lead } = titleOf(site, tool);
  const main = html`<div class="hero"><h1>${title}</h1><p class="lead">${lead}</p></div>
${core(html`<div class="panel">${submissionForm(site, tool, { values, key: randomUUID() })}</div>`)}`;
  const page = pageReply(site, 200, { title, main });
  // Going back to a sent form must show the same key, so that sending it again is no second submission.
  return { ...page, headers: { ...page.headers, 'cache-control': 'private, no-cache' } };
}

function titleOf(site: Site, tool: Tool): { title: string; lead: string } {
  const action = actionIn(tool);
  const { title, lead } = asksTeam(tool) ? site.words.ask.contact : action.wordsIn(site.words);
  return { title, lead: leadOf(site, lead, action) };
}

function answerPage(site: Site, answer: ToolResult): Reply {
  if (!isAnswer(answer)) throw new Error('a page of an answer needs one');
  const path = `/ask?q=${encodeURIComponent(answer.query)}`;
  return askPage(site, 200, { query: answer.query, body: answerView(site, answer), path });
}

interface AskedPage {
  readonly query: string;
  readonly body?: Markup;
  readonly path?: string;
}

/** The box above, what came of it below; an answer is no page for search engines, which would index whatever is linked to. */
function askPage(site: Site, status: number, { query, body, path }: AskedPage): Reply {
  const title = query === '' ? site.words.ask.title : query;
  const main = html`<div class="hero small">${query === '' && html`<h1>${title}</h1>`}<div class="core">${askBox(site, query)}${query === '' && examples(site)}</div></div>
${body}`;
  return pageReply(site, status, { title, main, path, head: html`<meta name="robots" content="noindex">` });
}

function thanksPage(site: Site, { action, reference }: Arrival): Reply {
  const { words } = site;
  const { thanks } = words;
  const isReal = site.presentation.mode === 'production';
  const main = core(html`<h1>${thanks.title}</h1><p class="lead">${ended(action.wordsIn(words).received)}</p>
${reference !== undefined && html`<div class="panel"><p class="eyebrow">${words.reference}</p><p class="reference">${reference}</p><p class="note">${thanks.next}</p>${copyButton(reference, thanks)}</div>`}
<h2>${thanks.now}</h2><p>${isReal ? words.reply(action.replyHours) : words.dryRun}</p>
<p class="furniture"><a href="${homeOf(site)}">${words.page.home}</a></p>`);
  return pageReply(site, 200, {
    title: thanks.title,
    main,
    path: `/forms/thanks?of=${action.kind}&reference=${reference ?? ''}`,
  });
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
      const body = core(
        html`<div class="answer" id="answer" role="alert"><h2>${title}</h2><p class="lead">${text}</p>${wait}</div>`,
      );
      return askPage(site, statusOf(error), { query: attempt.values.query ?? '', body, path: '/ask' });
    }
    const again = attempt && mayCorrect(error);
    const main = core(html`<h1>${title}</h1><div role="alert"><p class="lead">${text}</p>${wait}</div>
${reference !== undefined && html`<p class="eyebrow">${site.words.reference}</p><p class="reference">${reference}</p>`}
${!again && html`<p class="furniture"><a href="${homeOf(site)}">${site.words.page.home}</a></p>`}
${again && html`${faultList(site, attempt.tool, issues)}<div class="panel">${submissionForm(site, attempt.tool, { values: attempt.values, faults: issues, key: randomUUID() })}</div>`}`);
    return pageReply(site, statusOf(error), { title, main });
  }
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
