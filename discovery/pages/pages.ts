/*
 * This room draws the pages of a site and <aval-ask>.
 * In: a site (discovery/documents/site.ts) and the reply of a route (rest/reply.ts).
 * Out: HTML in the visitor's language; style and script are the files of client/, served under /aval/.
 */
import { gzipSync } from 'node:zlib';
import { HTTPResponse } from 'h3';
import type { Visit } from '../../rest/negotiation.ts';
import type { Attempt, Page, Reply } from '../../rest/reply.ts';
import { formPath } from '../../rest/routes.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { isQuestion, type ToolResult } from '../../tools/tool.ts';
import { visitorMessages } from '../../tools/words/language.ts';
import { replyText, type Site } from '../documents/site.ts';
import { answerView } from './answer.ts';
import { askPage } from './ask.ts';
import { actionIn, submissionForm } from './form.ts';
import { type Drawn, frame, policy } from './frame.ts';
import { html } from './html.ts';
import { refusalPage, thanksPage } from './outcomes.ts';

/**
 * Pages for one request: a form, an answer, the thanks, a refusal. Each is drawn from the reply of a route
 * (rest/reply.ts) in the visitor's language. Pages that everybody gets alike are documents
 * (discovery/index.ts).
 * @throws Error from the page of an answer, for a result without matches
 * @example
 * const page = createPages(site);
 * page({ kind: 'result', result: await brand.ask('price') }, visit); // HTTPResponse, 200, text/html
 */
export function createPages(site: Site): Page {
  return (reply, visit) => {
    const brandName = site.profile ? site.brandName : SERVICE.title;
    const words = visitorMessages(visit.lang, visit.acceptLanguage, site.words);
    const localized = { ...site, brandName, words };
    return respond(localized, visit, draw(localized, reply));
  };
}

function draw(site: Site, reply: Reply): Drawn {
  if (reply.kind === 'form') return formPage(site, reply.attempt);
  if (reply.kind === 'result') return answerPage(site, reply.result);
  if (reply.kind === 'thanks') return thanksPage(site, reply);
  return refusalPage(site, reply.error, reply.attempt);
}

/** Writes a page. The browser alone may keep it, so that Back shows what was typed with the same key. */
function respond(site: Site, visit: Visit, { status = 200, headers, ...content }: Drawn): HTTPResponse {
  const body = frame(site, content);
  // The length of a compressed page would tell of the hidden key beside a visitor's words (BREACH).
  const isPacked = visit.acceptsGzip && !body.includes('name="_key"');
  const all = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-cache',
    vary: 'Accept, Accept-Language, Accept-Encoding',
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...policy(site),
    ...headers,
  };
  return new HTTPResponse(isPacked ? Uint8Array.from(gzipSync(body)) : body, { status, headers: all });
}

function formPage(site: Site, attempt: Attempt): Drawn {
  const { tool, values } = attempt;
  if (isQuestion(tool)) return askPage(site, '');
  const action = actionIn(tool);
  const { title, lead } = action.wordsIn(site.words);
  const main = html`<section class="plain">
<h1>${title}</h1>
<p class="lead">${lead} ${replyText(site, action)}</p>
<div class="panel">
${submissionForm(site, attempt)}
</div>
</section>`;
  const { context = '' } = values;
  const query = context === '' ? '' : `?context=${encodeURIComponent(context)}`;
  const path = `${formPath(action)}${query}`;
  return { title, main, about: lead, path };
}

function answerPage(site: Site, result: ToolResult): Drawn {
  if (!('matches' in result)) throw new Error('a page of an answer needs one');
  const about = result.matches[0]?.statement ?? result.query;
  const outcome = { heading: result.query, content: answerView(site, result) };
  return { ...askPage(site, result.query, outcome), about };
}
