import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../tools/errors.ts';
import { isVisit, visitOf } from './forms/pages.ts';
import { errorReply } from './http/error-response.ts';
import { jsonReply } from './http/reply.ts';
import type { Exchange, Handler, Resource } from './http/resource.ts';
import { FORM_ROUTES, ROUTES, STATUS_PATH, type ToolRoute } from './routes.ts';
import { status } from './status.ts';
import { type FormParts, toolHandler } from './tool-route.ts';

export interface RestOptions extends FormParts {
  readonly now: () => Date;
  /** @throws ServiceError 403 for a post that another site made a browser send */
  readonly refuseCrossSite: (request: IncomingMessage) => void;
}

/** The resources of the REST facade: a path for every row and alias of ROUTES, and the status. */
export function restResources(options: RestOptions): Resource[] {
  const paths = new Set(ROUTES.flatMap(route => [route.path, ...route.aliases]));
  return [
    ...[...paths].map(path => toolResource(path, ROUTES, options)),
    ...FORM_ROUTES.map(route => formResource(route, options)),
    statusResource(options),
  ];
}

/** A form that shows itself. */
function formResource(route: ToolRoute, options: RestOptions): Resource {
  const resource = toolResource(route.path, FORM_ROUTES, options);
  const { pages } = options;
  const GET = async (exchange: Exchange) => pages.form(route.tool, visitOf(exchange));
  const renderError = (error: ServiceError, request: IncomingMessage) =>
    isVisit({ request }) ? pages.refused(error, visitOf({ request })) : errorReply(error);
  return { ...resource, handlers: { ...resource.handlers, GET }, renderError };
}

function toolResource(path: string, routes: readonly ToolRoute[], options: RestOptions): Resource {
  const rows = routes.filter(route => route.path === path || route.aliases.includes(path));
  const [first] = rows;
  if (!first) throw new Error(`no route for ${path}`);
  return {
    path,
    handlers: Object.fromEntries(rows.map(route => [route.method, guarded(route, options)])),
    bucket: first.limit.bucket,
    readableFrom: first.readableFrom,
    unforeseen: first.tool.annotations.readOnlyHint ? 'not_configured' : 'delivery_failed',
  };
}

/** What acts is kept from pages of other sites before anything is read. */
function guarded(route: ToolRoute, options: RestOptions): Handler {
  const handler = toolHandler(route, options);
  if (route.readableFrom === 'anyone') return handler;
  return async exchange => {
    options.refuseCrossSite(exchange.request);
    await exchange.admission.refuseFailing();
    const reply = await handler(exchange).catch(async error => {
      if (error instanceof ServiceError && isClientFault(error.status)) await exchange.admission.countFailure();
      throw error;
    });
    if (isClientFault(reply.status)) await exchange.admission.countFailure();
    return reply;
  };
}

const isClientFault = (status: number) => status === 400 || status === 413;

function statusResource({ now }: RestOptions): Resource {
  const GET = async ({ admission }: Exchange) => {
    await admission.take('status');
    return jsonReply(200, status(now()));
  };
  return {
    path: STATUS_PATH,
    handlers: { GET },
    bucket: 'status',
    readableFrom: 'anyone',
    unforeseen: 'not_configured',
  };
}
