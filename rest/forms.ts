import type { IncomingMessage } from 'node:http';
import { QUESTION_ACTION } from '../brand/profile/action-schema.ts';
import type { Action } from '../tools/action.ts';
import { askBrand } from '../tools/ask-brand.ts';
import type { Origin } from '../tools/deliver.ts';
import { ServiceError } from '../tools/errors.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { mediaType } from './body.ts';
import { readForm } from './form-body.ts';
import { type RestOptions, restResources, toolResource } from './mount.ts';
import type { Arrival, Pages } from './pages-port.ts';
import { askTeam } from './question.ts';
import { errorReply, jsonReply, type Reply } from './reply.ts';
import { parseQuery } from './request.ts';
import { requireNext, takeApart, withReference } from './reserved-fields.ts';
import type { Handler, Resource } from './resource.ts';
import { acts, FORM_TYPES, type ToolRoute } from './routes.ts';
import { keyOf, queryArguments } from './tool-route.ts';
import { isVisit, visitOf } from './visit.ts';

/** What the operator decides about forms. */
export interface FormSettings {
  /** A field of plain form posts that people leave empty, besides `_gotcha`. */
  readonly honeypot: string | undefined;
  /** The page that says what becomes of the data; without one the forms ask for no consent. */
  readonly privacyUrl: string | undefined;
}

interface Parts extends Omit<RestOptions, 'withPages'>, FormSettings {
  readonly pages: Pages;
  /** Where `_next` may lead. */
  readonly allowsOrigin: (origin: string) => boolean;
}

/** The REST facade for programs and browsers: its routes, which answer people with pages, and the forms of the website. */
export function siteResources(parts: Parts): Resource[] {
  const options: RestOptions = { ...parts, withPages: (route, handler) => withPages(route, handler, parts) };
  const { pages } = parts;
  const facade = restResources(options).map(resource => ({ ...resource, renderError: foreignPage(pages) }));
  return [...facade, ...formResources(options, pages), ...pageResources(parts)];
}

type Render = NonNullable<Resource['renderError']>;

/** A browser gets a page in the place of a fault. */
const faultPage =
  (pages: Pages): Render =>
  (error, request) =>
    isVisit(request) ? pages.refused(error, visitOf(request)) : errorReply(error);

/** A plain form of a site that is not allowed is refused before anything is read: the visitor is told on a page. */
const foreignPage =
  (pages: Pages): Render =>
  (error, request) =>
    error.details.reason === 'foreign' ? faultPage(pages)(error, request) : errorReply(error);

/**
 * The forms of the bundled pages: GET shows one, POST sends it. No part of the published API, which takes applications
 * as JSON only; the same tools behind them, and the same bucket.
 */
export const formRoutesOf = (tools: readonly Tool[]): readonly FormRoute[] =>
  tools.flatMap(tool => (tool.submits === undefined ? [] : [formRoute(tool, tool.submits, tool.submits.kind)]));

/** The short form under an answer; nothing where no action takes questions. */
export const questionRouteOf = (tools: readonly Tool[]): readonly FormRoute[] =>
  tools.flatMap(({ submits: action }) =>
    action !== undefined && action.name === QUESTION_ACTION ? [formRoute(askTeam(action), action, 'question')] : [],
  );

interface FormRoute extends ToolRoute {
  readonly action: Action;
}

function formRoute(tool: Tool, action: Action, name: string): FormRoute {
  const input = { from: 'body', forms: FORM_TYPES } as const;
  return { method: 'POST', path: `/forms/${name}`, aliases: [], tool, action, bucket: 'forms', input };
}

const bundledOf = ({ tools }: Pick<RestOptions, 'tools'>) => [...formRoutesOf(tools), ...questionRouteOf(tools)];

function formResources(options: RestOptions, pages: Pages): Resource[] {
  const routes = bundledOf(options);
  return routes.map(({ path, tool }) => {
    const resource = toolResource(path, routes, options);
    const GET: Handler = async ({ request }) => pages.form({ tool, values: begun(request) }, visitOf(request));
    return {
      ...resource,
      handlers: { ...resource.handlers, GET },
      renderError: faultPage(pages),
    };
  });
}

/** What a link to a form brings along: a question that had no answer. */
function begun({ url }: IncomingMessage): Record<string, string> {
  const context = parseQuery(url).get('context');
  return context === null ? {} : { context: context.slice(0, MOST_CONTEXT) };
}

const MOST_CONTEXT = 4000;

/** The empty question box, and the thanks that a post leads to: nothing of them is private, so any site may read them. */
function pageResources({ pages, tools }: Parts): Resource[] {
  const shown = (path: string, GET: Handler): Resource => ({
    path,
    handlers: { GET },
    bucket: 'forms',
    readableFrom: 'anyone',
    unforeseen: 'not_configured',
    renderError: faultPage(pages),
  });
  return [
    shown('/forms/ask', async ({ request }) => pages.form({ tool: QUESTION, values: {} }, visitOf(request))),
    shown(THANKS_PATH, async ({ request }) => pages.thanks(arrivalOf(request, tools), visitOf(request))),
  ];
}

const QUESTION = askBrand();

const THANKS_PATH = '/forms/thanks';

/** @throws ServiceError `not_found` for an address that no post leads to */
function arrivalOf({ url }: IncomingMessage, tools: readonly Tool[]): Arrival {
  const query = parseQuery(url);
  const action = tools.flatMap(({ submits }) => submits ?? []).find(({ kind }) => kind === query.get('of'));
  if (!action) throw new ServiceError('not_found');
  const reference = query.get('reference') ?? '';
  return { action, reference: REFERENCE.test(reference) ? reference : undefined };
}

/** What person, team and log call a submission. */
const REFERENCE = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/;

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
      values = { ...fields, ...from.notes };
      const goOn = next === undefined ? undefined : requireNext(next, parts.allowsOrigin);
      if (bundledOf(parts).some(({ path }) => path === route.path) && parts.privacyUrl !== undefined)
        requireConsent(from.notes);
      const language = visit && pages.languageOf(visit);
      const result = await tool.call(fields, { origin: { ...caller, ...from, language }, ...backend }, takeSlot);
      if (visit && !acts(route)) return pages.answered(result, visit);
      const instead = jsonReply(200, tool.body(result));
      return visit ? { ...seeOther(thanksFor(route, result, { goOn, language, ...parts })), instead } : instead;
    } catch (error) {
      if (!visit || !(error instanceof ServiceError)) throw error;
      report(error);
      return pages.refused(error, visit, { tool, values });
    }
  };
}

/** @throws ServiceError `validation_error` where the person has not agreed */
function requireConsent({ consent }: Sent['notes'] = {}): void {
  if (consent === undefined)
    throw new ServiceError('validation_error', { issues: [{ field: 'consent', rule: 'required' }] });
}

interface ThanksParts {
  readonly goOn: URL | undefined;
  readonly language: string | undefined;
}

/** The page after a post. It is an address, so that a reload sends nothing again (RFC 9110, 15.4.4). */
function thanksFor({ tool }: ToolRoute, result: ToolResult, { goOn, language = '' }: ThanksParts): string {
  const reference = 'reference' in result ? result.reference : undefined;
  if (goOn) return withReference(goOn, reference);
  return `${THANKS_PATH}?${new URLSearchParams({ of: tool.submits?.kind ?? '', reference: reference ?? '', lang: language })}`;
}

interface Sent extends Pick<Origin, 'channel' | 'idempotencyKey' | 'suspect' | 'notes'> {
  readonly fields: Readonly<Record<string, string>>;
  readonly next?: string | undefined;
}

async function readSent(route: ToolRoute, request: IncomingMessage, { honeypot }: Parts): Promise<Sent> {
  const { input, tool } = route;
  if (input.from === 'query') return { channel: 'rest', fields: queryArguments(request, input.parameters) };
  const header = keyOf(route, request);
  const own = Object.keys(tool.input.shape);
  const { key, ...sent } = takeApart(await readForm(request), { own, honeypot, isVisit: isVisit(request) });
  return { channel: 'form', idempotencyKey: header ?? key, ...sent };
}

const seeOther = (location: string): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
  body: null,
});
