import type { IncomingMessage } from 'node:http';
import { askBrand } from '../../tools/ask-brand.ts';
import type { Origin } from '../../tools/deliver.ts';
import { ServiceError } from '../../tools/errors.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Kind } from '../../tools/language/es.ts';
import type { Tool } from '../../tools/tool.ts';
import { mediaType } from '../http/body.ts';
import { errorReply, jsonReply, type Reply } from '../http/reply.ts';
import type { Handler, Resource } from '../http/resource.ts';
import { type RestOptions, restResources, toolResource } from '../mount.ts';
import { acts, FORM_TYPES, type ToolRoute } from '../routes.ts';
import { idempotencyKey, queryArguments } from '../tool-route.ts';
import { readForm } from './form-body.ts';
import { isVisit, type Pages, visitOf } from './pages.ts';
import { requireNext, takeApart } from './reserved-fields.ts';

/** What the operator decides about forms. */
export interface FormSettings {
  /** Where a browser is sent after a plain form post; without one it gets a page. */
  readonly thanksUrl: string | undefined;
  /** A field of plain form posts that people leave empty, besides `_gotcha`. */
  readonly honeypot: string | undefined;
  /** The page that says what becomes of the data; without one the forms ask for no consent. */
  readonly privacyUrl: string | undefined;
}

interface Parts extends Omit<RestOptions, 'withPages'>, Pick<FormSettings, 'thanksUrl' | 'honeypot'> {
  readonly pages: Pages;
  /** Where `_next` may lead. */
  readonly allowsOrigin: (origin: string) => boolean;
}

/** The REST facade for programs and browsers: its routes, which answer people with pages, and the forms of the website. */
export function siteResources(parts: Parts): Resource[] {
  const options: RestOptions = { ...parts, withPages: (route, handler) => withPages(route, handler, parts) };
  return [...restResources(options), ...formResources(options, parts.pages), questionBox(parts.pages)];
}

/**
 * The forms of the bundled pages: GET shows one, POST sends it. No part of the published API, which takes applications
 * as JSON only; the same tools behind them, and the same bucket.
 */
export const FORM_ROUTES: readonly FormRoute[] = TOOLS.flatMap(tool =>
  tool.submits === undefined ? [] : [formRoute(tool, tool.submits)],
);

interface FormRoute extends ToolRoute {
  readonly kind: Kind;
}

function formRoute(tool: Tool, kind: Kind): FormRoute {
  const input = { from: 'body', forms: FORM_TYPES } as const;
  return { method: 'POST', path: `/forms/${kind}`, aliases: [], tool, kind, bucket: 'forms', input };
}

function formResources(options: RestOptions, pages: Pages): Resource[] {
  return FORM_ROUTES.map(({ path, tool }) => {
    const resource = toolResource(path, FORM_ROUTES, options);
    const GET: Handler = async ({ request }) => pages.form(tool, visitOf(request));
    return {
      ...resource,
      handlers: { ...resource.handlers, GET },
      renderError: (error, request) => (isVisit(request) ? pages.refused(error, visitOf(request)) : errorReply(error)),
    };
  });
}

/** The empty question box, for /embed.js: nothing is asked yet, so it may be read from anywhere. */
function questionBox(pages: Pages): Resource {
  const GET: Handler = async ({ request }) => pages.form(askBrand, visitOf(request));
  return {
    path: '/forms/ask',
    handlers: { GET },
    bucket: 'forms',
    readableFrom: 'anyone',
    unforeseen: 'not_configured',
  };
}

/** The handler of a route, and what browsers bring besides: form posts, and questions in the URL that want a page. */
function withPages(route: ToolRoute, handler: Handler, parts: Parts): Handler {
  const browsers = browserHandler(route, parts);
  return exchange => (isFromBrowser(route, exchange.request) ? browsers(exchange) : handler(exchange));
}

function isFromBrowser({ input }: ToolRoute, request: IncomingMessage): boolean {
  return input.from === 'query' ? isVisit(request) : input.forms.some(type => type === mediaType(request));
}

/** Slot, fields, tool, page; a program that posts a form gets JSON. */
function browserHandler(route: ToolRoute, parts: Parts): Handler {
  const { tool, bucket } = route;
  const { backend, pages } = parts;
  return async ({ request, caller, admission, report }) => {
    const visit = isVisit(request) ? visitOf(request) : undefined;
    const takeSlot = () => admission.take(bucket);
    let values: Sent['fields'] = {};
    try {
      if (!acts(route)) await takeSlot();
      const { fields, next, ...from } = await readSent(route, request, parts);
      values = fields;
      const goOn = next === undefined ? undefined : requireNext(next, parts.allowsOrigin);
      const origin = { ...caller, ...from, language: visit && pages.languageOf(visit) };
      const result = await tool.call(fields, { origin, ...backend }, takeSlot);
      if (!visit) return jsonReply(200, tool.body(result));
      const thanks = acts(route) ? (goOn ?? parts.thanksUrl) : undefined;
      return thanks === undefined ? pages.accepted({ tool, values }, result, visit) : seeOther(thanks);
    } catch (error) {
      if (!visit || !(error instanceof ServiceError)) throw error;
      report(error);
      return pages.refused(error, visit, { tool, values });
    }
  };
}

interface Sent extends Pick<Origin, 'channel' | 'idempotencyKey' | 'suspect' | 'notes'> {
  readonly fields: Readonly<Record<string, string>>;
  readonly next?: string | undefined;
}

async function readSent(route: ToolRoute, request: IncomingMessage, { honeypot }: Parts): Promise<Sent> {
  const { input } = route;
  if (input.from === 'query') return { channel: 'rest', fields: queryArguments(request, input.parameters) };
  const key = idempotencyKey(route, request);
  return { channel: 'form', idempotencyKey: key, ...takeApart(await readForm(request), honeypot) };
}

const seeOther = (location: string): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
  body: null,
});
