import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { type H3Event, HTTPResponse } from 'h3';
import { FastResponse } from 'srvx';
import { type HeaderPairs, nodeRequest } from '../../rest/event.ts';
import { errorResponse } from '../../rest/response.ts';
import { asServiceError, ServiceError } from '../../tools/errors.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { type Log, logFault } from '../config/log.ts';
import type { AdmissionFor } from '../limits/admission.ts';
import type { ClientKey } from './client-key.ts';
import { type createInWork, type createTurns, refuseCrowded } from './in-work.ts';
import type { RefusalHeaders } from './listener.ts';
import { pathOf } from './message.ts';
import type { Gate } from './origin.ts';

export interface ResponderParts {
  /** Public origin without a trailing slash. */
  readonly baseUrl: string;
  readonly admissionFor: AdmissionFor;
  readonly clientKey: ClientKey;
  readonly log: Log;
  readonly inWork: ReturnType<typeof createInWork>;
  readonly turn: ReturnType<typeof createTurns>;
}

/**
 * The outermost middleware. It names the client, runs the other middlewares and the route, and turns their
 * answer or error into a response with all headers and one log line.
 */
export function createResponder(
  { baseUrl, admissionFor, clientKey, log, inWork, turn }: ResponderParts,
  { corsHeaders }: Gate,
  refuse: Refuse,
) {
  const common = commonHeaders(baseUrl);
  return async (event: H3Event, next: () => unknown): Promise<Response> => {
    const startedMs = performance.now();
    const { context } = event;
    const request = nodeRequest(event);
    // h3 decodes a path and drops its last slash, but another spelling of a path is another path.
    if (!isExact(context.matchedRoute?.route, pathOf(request))) delete context.matchedRoute;
    const { route = 'none', meta = {} } = context.matchedRoute ?? {};
    const client = clientKey(request);
    const { clientHash, networkHash, isIpv6 } = client;
    const id = randomUUID();
    const admission = admissionFor(client);
    let logged: Readonly<Record<string, string>> = {};
    context.caller = { ...client, requestId: id };
    context.admission = admission;
    context.headers = [['x-request-id', id], ...corsHeaders(event)];
    context.log = {
      report(fault) {
        logged = logFault(log, { route: context.matchedRoute?.route, request: id }, fault);
      },
    };
    const counted = (isIpv6 && networkHash) || clientHash;
    context.turns = { next: () => turn(counted, request, true) };
    await turn(counted, request);
    const isCrowded = !inWork.enter(counted);
    try {
      const value = await answer(event, isCrowded ? () => refuseCrowded(event) : next, refuse);
      const status = value instanceof HTTPResponse ? (value.status ?? 200) : 200;
      // Under load, and where no limit applies, the database is not asked.
      const hasNone = isCrowded || request.method === 'OPTIONS' || status === 404 || status === 405;
      // The contract: the 400 of /mcp shows no limits.
      const isBare = meta.bucket === 'mcp' && status === 400;
      const limits = isBare ? [] : await admission.headers((!hasNone && meta.bucket) || 'ask');
      const response = toResponse(event, value, [...common, ...context.headers, ...limits]);
      const ms = Math.round((performance.now() - startedMs) * 100) / 100;
      log('info', 'request', {
        id,
        method: request.method,
        route,
        status,
        ms,
        client: clientHash,
        ...logged,
      });
      return response;
    } finally {
      if (!isCrowded) inWork.leave(counted);
    }
  };
}

/** Renders an error as JSON or as a page. */
type Refuse = (error: ServiceError, event: H3Event) => object;

async function answer(event: H3Event, next: () => unknown, refuse: Refuse): Promise<unknown> {
  try {
    return await next();
  } catch (thrown) {
    const { matchedRoute, log } = event.context;
    log.report(thrown);
    const { renderError = refuse, bucket } = matchedRoute?.meta ?? {};
    const error = asServiceError(thrown, bucket === 'forms' ? 'delivery_failed' : 'not_configured');
    try {
      return renderError(error, event);
    } catch (failure) {
      log.report(failure);
      return errorResponse(error);
    }
  }
}

const JSON_HEADERS: HeaderPairs = [
  ['content-type', 'application/json'],
  ['cache-control', 'no-store'],
];

/** Headers of the response replace common ones of the same name, except `Vary`, which both have. */
function mergeHeaders(headers: HeaderPairs, common: HeaderPairs): HeaderPairs {
  const names = new Set(headers.map(([name]) => name));
  return [...headers, ...common.filter(([name]) => name === 'vary' || !names.has(name))];
}

/** Makes a response of a handler's value: an HTTPResponse, or an object that is sent as JSON. */
function toResponse({ req }: H3Event, value: unknown, common: HeaderPairs): Response {
  const isResponse = value instanceof HTTPResponse;
  const { status = 200, body } = isResponse ? value : { body: JSON.stringify(value) };
  const headers = isResponse ? mergeHeaders([...value.headers], common) : [...JSON_HEADERS, ...common];
  const init = { status, statusText: STATUS_CODES[status] ?? '', headers };
  if (req.method !== 'HEAD' || body == null) return new FastResponse(body, init);
  // h3 leaves out the length of a HEAD.
  headers.push(['content-length', String(Buffer.byteLength(body))]);
  return new FastResponse(null, init);
}

/** API-Version, and headers that make a browser treat an answer as data only. */
function commonHeaders(baseUrl: string): HeaderPairs {
  const headers: HeaderPairs = [
    ['api-version', SERVICE.apiVersion],
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-resource-policy', 'cross-origin'],
  ];
  if (baseUrl.startsWith('https:')) headers.push(['strict-transport-security', 'max-age=31536000']);
  return headers;
}

/**
 * Makes the common headers and writes the log line for a socket whose request could not be read.
 */
export function createRefusalHeaders(parts: ResponderParts): RefusalHeaders {
  const { baseUrl, admissionFor, clientKey, log } = parts;
  const common = commonHeaders(baseUrl);
  return async (socket, status) => {
    const id = randomUUID();
    const client = clientKey({ socket, headers: {} });
    log('info', 'request', {
      id,
      method: 'none',
      route: 'none',
      status,
      ms: 0,
      client: client.clientHash,
      code: 'invalid_request',
    });
    return [...common, ['x-request-id', id], ...(await admissionFor(client).headers('ask'))];
  };
}

/** The answer if `createResponder` itself fails: h3 would show its own body. */
export function lastResponse(): HTTPResponse {
  const response = errorResponse(new ServiceError('not_configured'));
  response.headers.set('api-version', SERVICE.apiVersion);
  return response;
}

/** Whether the path is the route's own: h3 ignores a trailing slash. */
const isExact = (route: string | undefined, path: string | undefined): boolean =>
  route?.includes('/:') ? !path?.endsWith('/') : route === path;
