/*
 * This room is the REST API and the forms of the website.
 * In: a request and the tools that a profile offers.
 * Out: a `Reply` (reply.ts), written as JSON or, for a browser that prefers HTML, as a page.
 */
import type { H3, H3Event } from 'h3';
import { ServiceError } from '../tools/errors.ts';
import { SERVICE } from '../tools/service-facts.ts';
import { type Backend, isQuestion, type Tool } from '../tools/tool.ts';
import { type ArgumentOptions, readArguments } from './arguments.ts';
import { queryOf } from './negotiation.ts';
import { type Page, render, THANKS_PATH } from './reply.ts';
import { formRoutesOf, isSubmission, routesOf, STATUS_PATH, type ToolRoute } from './routes.ts';

interface ApiOptions extends ArgumentOptions {
  /** The tools that the profile offers. */
  readonly tools: readonly Tool[];
  readonly backend: Backend;
  readonly page: Page;
  /** @throws ServiceError 403 for a post that another site made a browser send */
  readonly refuseCrossSite: (event: H3Event) => void;
}

/**
 * Mounts every route: those of the contract with their aliases, the status, and the forms of the bundled
 * pages.
 * @example mountApi(app, { tools, backend, page, asksConsent, ...gate });
 */
export function mountApi(app: H3, options: ApiOptions): void {
  const { tools, page, backend } = options;
  const mount = (route: ToolRoute, settings: ApiOptions) => {
    for (const path of [route.path, ...route.aliases])
      app.on(route.method, path, async event => render(event, await callTool(event, route, settings), page), {
        meta: metaOf(route),
      });
  };
  for (const route of routesOf(tools)) mount(route, { ...options, asksConsent: false });
  for (const route of formRoutesOf(tools)) {
    mount(route, options);
    app.get(route.path, event => render(event, emptyForm(event, route.tool), page), { meta: metaOf(route) });
  }
  app.get(THANKS_PATH, event => render(event, thanks(event, tools), page), {
    meta: { bucket: 'forms' },
  });
  const ask = tools.find(isQuestion);
  if (ask) {
    const attempt = { tool: ask, values: {}, otherFields: {} };
    app.get('/forms/ask', event => render(event, { kind: 'form', attempt }, page));
  }
  app.get(STATUS_PATH, event => status(event, backend), { meta: { bucket: 'status' } });
}

/** Facts about a route for the middleware. */
const metaOf = (route: ToolRoute) => ({ bucket: route.bucket, restrictsOrigins: isSubmission(route) });

/**
 * Takes a slot, reads the arguments, calls the tool. A question counts before it is read, a submission when
 * it is committed.
 */
async function callTool(event: H3Event, route: ToolRoute, options: ApiOptions) {
  const { tool, bucket } = route;
  const { admission } = event.context;
  // If the limit refuses, the page shows the question again.
  const query = event.url.searchParams.get('q') ?? '';
  event.context.attempt = { tool, values: { query }, otherFields: {} };
  if (bucket === 'forms') options.refuseCrossSite(event);
  else await admission.take(bucket);
  const { input, next, ...sender } = await readArguments(event, route, options);
  const origin = { ...event.context.caller, ...sender };
  const result = await tool.call(input, { origin, ...options.backend }, admission.recordSubmission);
  return { kind: 'result', tool, result, next } as const;
}

/** The empty form of an action. A link may fill in a question: `?context=`. */
function emptyForm(event: H3Event, tool: Tool) {
  const context = queryOf(event).get('context');
  const values: Record<string, string> = context === null ? {} : { context };
  return { kind: 'form', attempt: { tool, values, otherFields: {} } } as const;
}

const REFERENCE = /^[A-Z]{4}-\d{4}$/;

/** The page after a submission. @throws ServiceError `not_found` for an unknown form or a wrong reference */
function thanks(event: H3Event, tools: readonly Tool[]) {
  const query = queryOf(event);
  const tool = tools.find(({ submits }) => submits?.kind === query.get('of'));
  const reference = query.get('reference') ?? '';
  if (!tool?.submits || !REFERENCE.test(reference)) throw new ServiceError('not_found');
  return { kind: 'thanks', tool, reference } as const;
}

/** The status. For an expired profile it has a sixth member beside the contract's five. */
async function status({ context }: H3Event, { brand, now }: Backend) {
  await context.admission.take('status');
  const time = now();
  const isExpired = time.getTime() >= Date.parse(brand?.profile.expires_at ?? '');
  return {
    ok: true,
    status: 'ok',
    service: SERVICE.name,
    api_version: SERVICE.apiVersion,
    time: time.toISOString(),
    profile: isExpired ? 'expired' : undefined,
  };
}
