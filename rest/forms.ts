import { type EventHandler, type H3, type H3Event, HTTPResponse } from 'h3';
import * as z from 'zod';
import { QUESTION_ACTION } from '../brand/profile/action-schema.ts';
import type { Action } from '../tools/action.ts';
import { askBrand } from '../tools/ask-brand.ts';
import type { Origin } from '../tools/deliver.ts';
import { ServiceError } from '../tools/errors.ts';
import { formFields, text } from '../tools/fields.ts';
import { submission } from '../tools/submission.ts';
import { defineTool, type Tool, type ToolResult } from '../tools/tool.ts';
import { messagesOf } from '../tools/words/language.ts';
import { type ApiOptions, begin, keyOf, metaOf, mountApi, queryArguments, toolHandler } from './api.ts';
import { mediaType } from './body.ts';
import { readForm } from './form-body.ts';
import { isVisit, queryOf, visitOf } from './negotiation.ts';
import type { Arrival, Pages } from './pages-port.ts';
import { requireNext, takeApart, withReference } from './reserved-fields.ts';
import { errorResponse } from './response.ts';
import { acts, FORM_TYPES, type ToolRoute } from './routes.ts';

/** What the operator decides about forms. */
export interface FormSettings {
  /** A field of plain form posts that people leave empty, besides `_gotcha`. */
  readonly honeypot: string | undefined;
  /** The page that says what becomes of the data; without one the forms ask for no consent. */
  readonly privacyUrl: string | undefined;
}

interface Parts extends FormSettings, Omit<ApiOptions, 'withPages'> {
  readonly pages: Pages;
  /** Where `_next` may lead. */
  readonly allowsOrigin: (origin: string) => boolean;
}

/** The REST API, which answers people with pages, and the forms of the website. */
export function mountSite(app: H3, parts: Parts): void {
  mountApi(app, { ...parts, withPages: (route, handler) => withPages(route, handler, parts) });
  mountForms(app, parts);
  mountPages(app, parts);
}

/**
 * The forms of the bundled pages: GET shows one, POST sends it. No part of the published API, which takes applications
 * as JSON only; the same tools behind them, and the same bucket.
 */
export const formRoutesOf = (tools: readonly Tool[]): readonly FormRoute[] =>
  tools.flatMap(tool => (tool.submits === undefined ? [] : [formRoute(tool, tool.submits)]));

/** The short form under an answer; nothing where no action takes questions. */
export const questionRouteOf = (tools: readonly Tool[]): readonly FormRoute[] =>
  tools.flatMap(({ submits: action }) =>
    action !== undefined && action.name === QUESTION_ACTION ? [formRoute(askTeam(action), action)] : [],
  );

/**
 * A question that no claim answers, sent to the team: the short form under an answer. It belongs to the pages and not to the
 * published API, so no list of tools has it; the team gets it as what the action is for.
 */
const askTeam = (action: Action): Tool =>
  defineTool({
    name: ASK_TEAM,
    title: 'Ask the team',
    description: 'Emails a question to the team.',
    when: 'to ask the team what no claim answers',
    schemas: ['Question', 'SubmitOk'],
    ...submission(action),
    input: z.strictObject({
      email: formFields(messagesOf(action.language)).email,
      context: text({ what: 'The question,', min: 1, max: 4000 }),
    }),
  });

const ASK_TEAM = 'ask_team';

/** Whether a tool is the short form under an answer. */
export const asksTeam = ({ name }: Tool): boolean => name === ASK_TEAM;

interface FormRoute extends ToolRoute {
  readonly action: Action;
}

function formRoute(tool: Tool, action: Action): FormRoute {
  const input = { from: 'body', forms: FORM_TYPES } as const;
  return { method: 'POST', path: formPath(tool), aliases: [], tool, action, bucket: 'forms', input };
}

/** Where the form of a tool is. */
export const formPath = (tool: Tool): string => `/forms/${asksTeam(tool) ? 'question' : tool.submits?.kind}`;

const bundledOf = (tools: readonly Tool[]) => [...formRoutesOf(tools), ...questionRouteOf(tools)];

function mountForms(app: H3, parts: Parts): void {
  const { pages, tools, backend, refuseCrossSite } = parts;
  for (const route of bundledOf(tools)) {
    const { path, tool } = route;
    const meta = { ...metaOf(route), renderError: refusals(pages) };
    app.get(path, event => pages.form({ tool, values: begun(event) }, visitOf(event)), { meta });
    app.post(path, withPages(route, toolHandler(route, backend, refuseCrossSite), parts), { meta });
  }
}

/** An error as a page for a browser. */
const refusals = (pages: Pages) => (error: ServiceError, event: H3Event) =>
  isVisit(event) ? pages.refused(error, visitOf(event)) : errorResponse(error);

/** What a link to a form brings along: a question that had no answer. */
function begun(event: H3Event): Record<string, string> {
  const context = queryOf(event).get('context');
  return context === null ? {} : { context: context.slice(0, MOST_CONTEXT) };
}

const MOST_CONTEXT = 4000;

/** The empty question box, and the thanks that a post leads to: nothing of them is private, so any site may read them. */
function mountPages(app: H3, { pages, tools }: Parts): void {
  const meta = { bucket: 'forms', renderError: refusals(pages) } as const;
  app.get('/forms/ask', event => pages.form({ tool: QUESTION, values: {} }, visitOf(event)), { meta });
  app.get(THANKS_PATH, event => pages.thanks(arrivalOf(event, tools), visitOf(event)), { meta });
}

const QUESTION = askBrand();

const THANKS_PATH = '/forms/thanks';

/** @throws ServiceError `not_found` for an address that no post leads to */
function arrivalOf(event: H3Event, tools: readonly Tool[]): Arrival {
  const query = queryOf(event);
  const action = tools.flatMap(({ submits }) => submits ?? []).find(({ kind }) => kind === query.get('of'));
  if (!action) throw new ServiceError('not_found');
  const reference = query.get('reference') ?? '';
  return { action, reference: REFERENCE.test(reference) ? reference : undefined };
}

/** What person, team and log call a submission. */
const REFERENCE = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/;

/** The handler of a route, and what browsers bring besides: form posts, and questions in the URL that want a page. */
function withPages(route: ToolRoute, handler: EventHandler, parts: Parts): EventHandler {
  const browsers = browserHandler(route, parts);
  return event => (isFromBrowser(route, event) ? browsers(event) : handler(event));
}

function isFromBrowser({ input }: ToolRoute, event: H3Event): boolean {
  return input.from === 'query' ? isVisit(event) : input.forms.some(type => type === mediaType(event));
}

/** Slot, fields, tool, page; a program that posts a form gets JSON. */
function browserHandler(route: ToolRoute, parts: Parts): EventHandler {
  const { tool } = route;
  const { backend, pages, privacyUrl, refuseCrossSite } = parts;
  const asksConsent =
    privacyUrl !== undefined && bundledOf(parts.tools).some(({ path }) => path === route.path);
  return async event => {
    const { caller, log } = event.context;
    const visit = isVisit(event) ? visitOf(event) : undefined;
    // A question stays in its box where it is refused before it is read.
    let values: Sent['fields'] = { query: event.url.searchParams.get('q') ?? '' };
    try {
      const takeSlot = await begin(route, event, refuseCrossSite);
      const { fields, next, ...from } = await readSent(route, event, parts);
      values = { ...fields, ...from.notes };
      const goOn = next === undefined ? undefined : requireNext(next, parts.allowsOrigin);
      if (asksConsent) requireConsent(from.notes);
      const language = visit && pages.languageOf(visit);
      const result = await tool.call(
        fields,
        { origin: { ...caller, ...from, language }, ...backend },
        takeSlot,
      );
      if (!visit) return tool.body(result);
      return acts(route)
        ? seeOther(thanksFor(route, result, { goOn, language }))
        : pages.answered(result, visit);
    } catch (error) {
      if (!visit || !(error instanceof ServiceError)) throw error;
      log.report(error);
      return pages.refused(error, visit, { tool, values });
    }
  };
}

/** @throws ServiceError `validation_error` where the person has not agreed */
function requireConsent({ consent }: Sent['notes'] = {}): void {
  if (consent === undefined)
    throw new ServiceError('validation_error', { issues: [{ field: 'consent', rule: 'required' }] });
}

type Way = { readonly goOn: URL | undefined; readonly language: string | undefined };

/** The page after a post. It is an address, so that a reload sends nothing again (RFC 9110, 15.4.4). */
function thanksFor({ tool }: ToolRoute, result: ToolResult, { goOn, language = '' }: Way): string {
  const reference = 'reference' in result ? result.reference : undefined;
  if (goOn) return withReference(goOn, reference);
  return `${THANKS_PATH}?${new URLSearchParams({ of: tool.submits?.kind ?? '', reference: reference ?? '', lang: language })}`;
}

interface Sent extends Pick<Origin, 'channel' | 'idempotencyKey' | 'suspect' | 'notes'> {
  readonly fields: Readonly<Record<string, string>>;
  readonly next?: string | undefined;
}

async function readSent(route: ToolRoute, event: H3Event, { honeypot }: Parts): Promise<Sent> {
  const { input, tool } = route;
  if (input.from === 'query') return { channel: 'rest', fields: queryArguments(event, input.parameters) };
  const header = keyOf(event);
  const own = Object.keys(tool.input.shape);
  const { key, ...sent } = takeApart(await readForm(event), { own, honeypot, isVisit: isVisit(event) });
  return { channel: 'form', idempotencyKey: header ?? key, ...sent };
}

const seeOther = (location: string) =>
  new HTTPResponse(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
