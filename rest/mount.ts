import type { IncomingMessage } from 'node:http';
import { SERVICE } from '../tools/service-facts.ts';
import type { Backend, Tool } from '../tools/tool.ts';
import { checkDeprecations, deprecationHeaders } from './deprecations.ts';
import { jsonReply } from './reply.ts';
import type { Handler, Resource } from './resource.ts';
import { acts, routesOf, STATUS_PATH, type ToolRoute } from './routes.ts';
import { toolHandler } from './tool-route.ts';

export interface RestOptions {
  /** Those that the profile offers. */
  readonly tools: readonly Tool[];
  readonly backend: Backend;
  readonly now: () => Date;
  /** @throws ServiceError 403 for a post that another site made a browser send */
  readonly refuseCrossSite: (request: IncomingMessage) => void;
  /** Wraps a handler so that browsers get a page (rest/forms). */
  readonly withPages: (route: ToolRoute, handler: Handler) => Handler;
}

/** The resources of the REST facade: a path for every route of the tools and its aliases, and the status. */
export function restResources(options: RestOptions): Resource[] {
  checkDeprecations();
  const routes = routesOf(options.tools);
  const paths = new Set(routes.flatMap(route => [route.path, ...route.aliases]));
  const resources = [...paths].map(path => toolResource(path, routes, options));
  return [...resources, statusResource(options)].map(resource => ({
    ...resource,
    headers: Object.entries(deprecationHeaders(resource.path)),
  }));
}

export function toolResource(path: string, routes: readonly ToolRoute[], options: RestOptions): Resource {
  const rows = routes.filter(route => route.path === path || route.aliases.includes(path));
  const [first] = rows;
  if (!first) throw new Error(`no route for ${path}`);
  return {
    path,
    handlers: Object.fromEntries(rows.map(route => [route.method, handlerOf(route, options)])),
    bucket: first.bucket,
    readableFrom: acts(first) ? 'listed' : 'anyone',
    unforeseen: acts(first) ? 'delivery_failed' : 'not_configured',
  };
}

/** Refuses a submission from a page of another site before reading it. */
function handlerOf(route: ToolRoute, { backend, refuseCrossSite, withPages }: RestOptions): Handler {
  const handler = withPages(route, toolHandler(route, backend));
  if (!acts(route)) return handler;
  return async exchange => {
    refuseCrossSite(exchange.request);
    return handler(exchange);
  };
}

/** Liveness. A profile that has expired is told besides the contract's five members. */
function statusResource({ now, backend }: RestOptions): Resource {
  const { name: service, apiVersion: api_version } = SERVICE;
  const GET: Handler = async ({ admission }) => {
    await admission.take('status');
    const expiresAt = Date.parse(backend.brand?.profile.expires_at ?? '');
    const time = now();
    const isExpired = time.getTime() >= expiresAt;
    return jsonReply(200, {
      ...{ ok: true, status: 'ok', service, api_version, time: time.toISOString() },
      ...(isExpired && { profile: 'expired' }),
    });
  };
  return {
    path: STATUS_PATH,
    handlers: { GET },
    bucket: 'status',
    readableFrom: 'anyone',
    unforeseen: 'not_configured',
  };
}
