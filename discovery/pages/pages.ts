/*
 * This room draws the pages of a site and <aval-ask>.
 * In: a site (discovery/documents/site.ts) and the reply of a route (rest/reply.ts).
 * Out: HTML in the visitor's language; style and script are the files of client/, served under /aval/.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { HTTPResponse } from 'h3';
import type { Visit } from '../../rest/negotiation.ts';
import type { Attempt, Page } from '../../rest/reply.ts';
import { formPath } from '../../rest/routes.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { isQuestion, type ToolResult } from '../../tools/tool.ts';
import { visitorMessages } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { answerView } from './answer.ts';
import { askBox, chips } from './ask.ts';
import { actionIn, leadOf, submissionForm } from './form.ts';
import { type Content, frame, policy } from './frame.ts';
import { html, type Markup } from './html.ts';
import { refusalPage, thanksPage } from './outcomes.ts';

/**
 * Pages that answer one request: a form, an answer, the thanks, a refusal. Each is drawn from the reply of a route
 * (rest/reply.ts) in the language of its visitor. Pages that are the same for everybody are documents (discovery/index.ts).
 * @throws Error from the page of an answer, for a result without matches
 * @example
 * const page = createPages(site);
 * page({ kind: 'result', result: await brand.ask('price') }, visit); // HTTPResponse, 200, text/html
 */
export function createPages(site: Site): Page {
  return (reply, visit) => {
    const view = viewOf(site, visit);
    if (reply.kind === 'form') return respond(view, formPage(view, reply.attempt));
    if (reply.kind === 'result') return respond(view, answerPage(view, reply.result));
    if (reply.kind === 'thanks') return respond(view, thanksPage(view, reply));
    return respond(view, refusalPage(view, reply.error, reply.attempt));
  };
}

/** The site as one visitor reads it. */
export interface View extends Site, Pick<Visit, 'isFragment' | 'acceptsGzip'> {}

/** A page for one visitor. */
export interface Drawn extends Content {
  readonly status: number;
  /** The part that an element of /embed.js shows. */
  readonly core: Markup;
  readonly headers?: Readonly<Record<string, string>>;
}

function viewOf(site: Site, visit: Visit): View {
  const brandName = site.profile ? site.brandName : SERVICE.title;
  return {
    ...site,
    ...visit,
    brandName,
    words: visitorMessages(visit.lang, visit.acceptLanguage, site.words),
  };
}

/** Bytes and headers of a page. Only the visitor's browser keeps it, so that Back shows what was typed, with the same key. */
function respond(view: View, { status, core, headers, ...content }: Drawn): HTTPResponse {
  const body = view.isFragment ? core.text : frame(view, content);
  // A hidden key and a visitor's words, compressed together, tell of the key by their length (BREACH).
  const isPacked = view.acceptsGzip && !body.includes('name="_key"');
  const all = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-cache',
    vary: 'Accept, Accept-Language, Accept-Encoding',
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...(!view.isFragment && policy(view)),
    ...headers,
  };
  return new HTTPResponse(isPacked ? Uint8Array.from(gzipSync(body)) : body, { status, headers: all });
}

function formPage(view: View, { tool, values, otherFields }: Attempt): Drawn {
  if (isQuestion(tool)) return askPage(view, { status: 200, query: '' });
  const action = actionIn(tool);
  const { title, lead } = action.wordsIn(view.words);
  const form = submissionForm(view, tool, { values, otherFields, key: randomUUID() });
  const main = html`<section class="plain">
<h1>${title}</h1>
<p class="lead">${leadOf(view, lead, action)}</p>
<div class="panel">
${form}
</div>
</section>`;
  const { context = '' } = values;
  const query = context === '' ? '' : `?context=${encodeURIComponent(context)}`;
  const path = `${formPath(action)}${query}`;
  return { status: 200, title, main, core: main, about: lead, path, isListed: context === '' };
}

function answerPage(view: View, result: ToolResult): Drawn {
  if (!('matches' in result)) throw new Error('a page of an answer needs one');
  const { query, matches } = result;
  const body = answerView(view, result);
  const about = matches[0]?.statement ?? query;
  return askPage(view, { status: 200, query, body, about });
}

interface Asked {
  readonly status: number;
  readonly query: string;
  readonly body?: Markup;
  readonly about?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The box above, what came of it below. Search engines do not list it: they would list whatever is linked to. */
export function askPage(view: View, { status, query, body, about, headers = {} }: Asked): Drawn {
  const { ask } = view.words;
  const box = html`<div class="core">
${askBox(view, query)}
${!body && chips(view)}
</div>`;
  const main = html`<section class="plain">
${!body && html`<h1>${ask.title}</h1>`}
${box}
${body}
</section>`;
  const path = `/ask?q=${encodeURIComponent(query)}`;
  const title = query === '' ? ask.title : query;
  return { status, title, main, core: html`${box}${body}`, path, about: about ?? title, headers };
}
