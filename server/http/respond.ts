import { IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { deprecationHeaders } from '../../rest/deprecations.ts';
import { errorReply } from '../../rest/http/error-response.ts';
import { parseQuery } from '../../rest/http/query.ts';
import type { HeaderPairs, Reply } from '../../rest/http/reply.ts';
import type { Exchange, Handler, Resource } from '../../rest/http/resource.ts';
import { asServiceError, ServiceError } from '../../tools/errors.ts';
import { SERVICE } from '../../tools/service.ts';
import type { ServedBrand } from '../brand/served-brand.ts';
import { logFault } from '../config/fault-log.ts';
import { pathOf, requireUnambiguous } from '../connections/message.ts';
import { createAdmission } from '../limits/admission.ts';
import { corsHeaders } from './cors.ts';
import type { Gate } from './origin.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import type { Services } from './services.ts';

/**
 * Answers one request.
 * @param resource whose path it is; `undefined` where there is none
 */
export type Respond = (event: H3Event, handler: Handler, resource?: Resource) => Promise<Response>;

/** Turns a request into the response of its resource, with the headers that every response carries, and one log line. */
export function createResponder(services: Services, brand: ServedBrand | undefined, gate: Gate): Respond {
  const { limiter, failures, log } = services;
  const common = commonHeaders(services.baseUrl);
  const limitsUrl = `${services.baseUrl}/llms.txt`;
  return async (event, handler, matched) => {
    const started = performance.now();
    const request = nodeRequest(event);
    // h3 matches the decoded path, but another spelling of a path is another path.
    const resource = matched?.path === pathOf(request) ? matched : undefined;
    const client = services.clientKey(request);
    const admission = createAdmission({ limiter, client, limitsUrl, failures });
    let said: Readonly<Record<string, string>> = {};
    const exchange: Exchange = {
      request,
      query: () => parseQuery(request.url ?? ''),
      admission,
      report(fault) {
        said = logFault(log, resource?.path, fault);
      },
      contextFor: ({ notes, ...origin }) => ({
        brand: brand && (services.asked?.of(brand, origin.channel, request) ?? brand),
        mode: services.mode,
        deliver: (kind, fields) =>
          services.deliver({ kind, fields: { ...fields, ...notes }, clientHash: client, ...origin }),
        isReplay: (kind, fields) =>
          services.isReplay({ kind, fields: { ...fields, ...notes }, clientHash: client, ...origin }),
      }),
    };
    const refused = (thrown: unknown): Reply => {
      exchange.report(thrown);
      const error = asServiceError(thrown, resource?.unforeseen);
      return resource?.renderError?.(error, request) ?? errorReply(error);
    };
    const reply = await answer(exchange, resource || !matched ? handler : nowhere).catch(refused);
    const states = reply.quotaHeaders === false ? [] : await admission.statesOr(resource?.bucket ?? 'ask').catch(none);
    log('info', 'request', {
      method: request.method,
      route: resource?.path ?? 'none',
      status: reply.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
      client,
      ...said,
    });
    return response(request, reply, [
      ...[...common, ...(resource?.headers ?? [])].filter(([name]) => reply.headers[name] === undefined),
      ...corsHeaders(resource, request, gate),
      ...Object.entries(deprecationHeaders(event.url.pathname)),
      ...Object.entries(reply.headers),
      ...rateLimitHeaders(states),
    ]);
  };
}

/** @throws ServiceError, or whatever a handler did not foresee */
async function answer(exchange: Exchange, handler: Handler): Promise<Reply> {
  requireUnambiguous(exchange.request);
  return handler(exchange);
}

/** Where no resource is. @throws ServiceError `not_found` */
export const nowhere: Handler = async () => {
  throw new ServiceError('not_found');
};

/** A limiter that fails must not take the answer with it. */
const none = () => [];

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
