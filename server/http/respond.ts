import { IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { deprecationHeaders } from '../../rest/deprecations.ts';
import { errorReply } from '../../rest/http/error-response.ts';
import { parseQuery } from '../../rest/http/query.ts';
import type { Reply } from '../../rest/http/reply.ts';
import { allowedMethods, type Exchange, type Resource } from '../../rest/http/resource.ts';
import { asServiceError, ServiceError } from '../../tools/errors.ts';
import { SERVICE } from '../../tools/service.ts';
import type { ServedBrand } from '../brand/served-brand.ts';
import { createAdmission } from '../limits/admission.ts';
import { corsHeaders } from './cors.ts';
import type { Gate } from './origin.ts';
import { type HeaderPairs, rateLimitHeaders } from './rate-limit-headers.ts';
import type { Services } from './services.ts';

type Respond = (event: H3Event, resource: Resource | undefined, fault?: ServiceError) => Promise<Response>;

/** Turns a request into the response of its resource, with the headers that every response carries, and one log line. */
export function createResponder(services: Services, brand: ServedBrand | undefined, gate: Gate): Respond {
  const common = commonHeaders(services.baseUrl);
  return async (event, matched, fault) => {
    const started = performance.now();
    const request = nodeRequest(event);
    const { pathname } = event.url;
    const resource = matched?.path === pathOf(request.url) ? matched : undefined;
    const client = services.clientKey(request);
    const admission = createAdmission({ limiter: services.limiter, client, limitsUrl: `${services.baseUrl}/llms.txt` });

    const exchange: Exchange = {
      request,
      query: () => parseQuery(request.url ?? ''),
      admission,
      contextFor: ({ notes, ...origin }) => ({
        brand,
        mode: services.mode,
        deliver: (kind, fields) =>
          services.deliver({ kind, fields: { ...fields, ...notes }, clientHash: client, ...origin }),
      }),
    };
    const reply = await answer(exchange, resource, fault).catch(thrown => {
      if (!(thrown instanceof ServiceError))
        services.log('error', 'unforeseen', { route: resource?.path, ...whereabouts(thrown) });
      return (resource?.renderError ?? errorReply)(asServiceError(thrown, resource?.unforeseen));
    });
    const quota =
      (reply.quotaHeaders ?? true) ? rateLimitHeaders(await admission.statesOr(resource?.bucket ?? 'ask')) : [];
    services.log('info', 'request', {
      method: request.method,
      route: resource?.path ?? 'none',
      status: reply.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
      client,
    });
    return response(request, reply, [
      ...[...common, ...(resource?.headers ?? [])].filter(([name]) => reply.headers[name] === undefined),
      ...corsHeaders(resource, request, gate),
      ...Object.entries(deprecationHeaders(pathname)),
      ...Object.entries(reply.headers),
      ...quota,
    ]);
  };
}

/** @throws ServiceError, or whatever a handler did not foresee */
async function answer(exchange: Exchange, resource: Resource | undefined, fault?: ServiceError): Promise<Reply> {
  if (fault) throw fault;
  requireTarget(exchange.request);
  if (resource?.path !== '/mcp') requireHost(exchange.request);
  if (!resource) throw new ServiceError('not_found');
  const { method } = exchange.request;
  if (method === 'OPTIONS') return { status: 204, headers: { allow: allowedMethods(resource) }, body: null };
  const handler = handlerFor(resource, method);
  if (!handler) return errorReply(new ServiceError('method_not_allowed'), { allow: allowedMethods(resource) });
  return handler(exchange);
}

/** Where a fault arose, without its message: that may quote what a person wrote. */
function whereabouts(thrown: unknown) {
  if (!(thrown instanceof Error)) return { cause: typeof thrown };
  const frames = (thrown.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return { cause: thrown.name, at: frames.slice(0, 3).map(line => line.trim()) };
}

function handlerFor({ handlers }: Resource, method: string | undefined) {
  if (method === 'GET' || method === 'HEAD') return handlers.GET;
  return method === 'POST' ? handlers.POST : undefined;
}

/** The path as it was sent: another spelling of a path, such as /a/../ask, is another path. */
function pathOf(target = ''): string | undefined {
  if (target.startsWith('/')) return target.split('?', 1)[0];
  return URL.canParse(target) ? new URL(target).pathname : undefined;
}

/** h3 would take the root for a target it cannot read (RFC 9112, 3.2.2). */
function requireTarget({ url }: IncomingMessage): void {
  if (pathOf(url) !== undefined || url === '*') return;
  throw new ServiceError('invalid_request', {
    message: 'The target of the request is not valid.',
    hint: 'Send a path, percent-encoded as UTF-8.',
  });
}

/** Node would refuse it with an empty 400 (RFC 9112, 3.2). /mcp asks for a Host of its own and answers in JSON-RPC. */
function requireHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host !== undefined || httpVersion === '1.0') return;
  throw new ServiceError('invalid_request', {
    message: 'The Host header is missing.',
    hint: 'Send a Host header, as HTTP/1.1 demands.',
  });
}

function response(request: IncomingMessage, { status, body }: Reply, headers: HeaderPairs): Response {
  const statusText = STATUS_CODES[status] ?? '';
  if (request.method !== 'HEAD' || body === null) return new FastResponse(body, { status, statusText, headers });
  const length: HeaderPairs = [['content-length', String(Buffer.byteLength(body))]];
  return new FastResponse(null, { status, statusText, headers: [...headers, ...length] });
}

interface RefusalParts extends Pick<Services, 'limiter' | 'clientKey'> {
  readonly baseUrl: string | undefined;
}

/** The common headers for a socket whose request could not be read. */
export function createRefusalHeaders({ baseUrl = '', limiter, clientKey }: RefusalParts) {
  const common = commonHeaders(baseUrl);
  return async (socket: Socket) => {
    const client = clientKey({ socket, headers: {} });
    const { states } = await limiter.hit(client, ['ask'], 0);
    return [...common, ...rateLimitHeaders(states)];
  };
}

/** API-Version, and what keeps a browser from treating an answer as anything but data. */
function commonHeaders(baseUrl: string): HeaderPairs {
  const headers: HeaderPairs = [
    ['api-version', SERVICE.apiVersion],
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-resource-policy', 'cross-origin'],
  ];
  return baseUrl.startsWith('https:') ? [...headers, ['strict-transport-security', 'max-age=31536000']] : headers;
}

function nodeRequest(event: H3Event): IncomingMessage {
  const request = event.runtime?.node?.req;
  if (request instanceof IncomingMessage) return request;
  throw new Error('the app is served by node:http only');
}
