import { type H3Event, HTTPResponse } from 'h3';
import type { ServiceError } from '../tools/errors.ts';
import { isQuestion, type Tool, type ToolResult } from '../tools/tool.ts';
import { messagesOf, visitorMessages } from '../tools/words/language.ts';
import { prefersPage, type Visit, visitOf } from './negotiation.ts';
import { errorResponse } from './response.ts';

/** What a person sent to a tool. A page shows it again after a mistake. */
export interface Attempt {
  readonly tool: Tool;
  /** The fields of the tool, and `consent`. */
  readonly values: Readonly<Record<string, string>>;
  /** The other fields of the form: `_next`, `page`, `utm_*` and the website's own. */
  readonly otherFields: Readonly<Record<string, string>>;
}

/** The answer of a handler, as data. `render` makes JSON or a page from it. */
export type Reply =
  | {
      readonly kind: 'result';
      readonly tool: Tool;
      readonly result: ToolResult;
      readonly next?: URL | undefined;
    }
  | { readonly kind: 'form'; readonly attempt: Attempt }
  | { readonly kind: 'thanks'; readonly tool: Tool; readonly reference: string }
  | { readonly kind: 'refusal'; readonly error: ServiceError; readonly attempt: Attempt | undefined };

/** Draws a reply for a person. discovery/pages implements it. */
export type Page = (reply: Reply, visit: Visit) => HTTPResponse;

/** Whether a browser gets a page from a tool: one with claims or a form. Any other tool answers with JSON. */
export const hasPage = (tool: Tool): boolean => tool.submits !== undefined || isQuestion(tool);

/**
 * Path of the page after a post: with an address, a reload does not post the form again (RFC 9110, 15.4.4).
 */
export const THANKS_PATH = '/forms/thanks';

/**
 * Renders a reply: as JSON, or as a page for a browser that prefers HTML where the tool has one. An empty
 * form and the thanks are always pages.
 * @returns an HTTPResponse, or the object that is sent as JSON
 * @example return render(event, { kind: 'result', tool, result }, page);
 */
export function render(event: H3Event, reply: Reply, page: Page): object {
  if (reply.kind === 'form' || reply.kind === 'thanks') return page(reply, visitOf(event));
  const tool = reply.kind === 'result' ? reply.tool : reply.attempt?.tool;
  const isDrawn = tool === undefined || hasPage(tool);
  if (!isDrawn || !prefersPage(event)) {
    return reply.kind === 'refusal' ? errorResponse(reply.error) : reply.tool.body(reply.result);
  }
  if (reply.kind === 'result' && reply.tool.submits) return seeOther(thanksAddress(event, reply));
  return page(reply, visitOf(event));
}

/** The page that `_next` names, else the bundled one. Both get the reference in their address. */
function thanksAddress(event: H3Event, reply: Extract<Reply, { kind: 'result' }>): string {
  const { tool, result, next } = reply;
  const reference = 'reference' in result ? result.reference : '';
  if (next) {
    const url = new URL(next);
    url.searchParams.set('reference', reference);
    return url.href;
  }
  const { lang, acceptLanguage } = visitOf(event);
  const words = visitorMessages(lang, acceptLanguage, messagesOf(tool.submits?.language));
  const query = new URLSearchParams({ of: tool.submits?.kind ?? '', reference, lang: words.tag });
  return `${THANKS_PATH}?${query}`;
}

const seeOther = (location: string) =>
  new HTTPResponse(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
