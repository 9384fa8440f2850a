import { IncomingMessage, STATUS_CODES } from 'node:http';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { errorReply, type HeaderPairs, type Reply } from '../../rest/reply.ts';
import type { Exchange, Handler, Resource } from '../../rest/resource.ts';
import { asServiceError, ServiceError } from '../../tools/errors.ts';
import { logFault } from '../config/fault-log.ts';
import type { Log } from '../config/log.ts';
import { createAdmission, type RequestAdmission } from '../limits/admission.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { ClientKey } from './client-key.ts';
import { corsHeaders } from './cors.ts';
import { hangUpOf } from './hang-up.ts';
import { commonHeaders, rateLimitHeaders } from './headers.ts';
import { pathOf, requireUnambiguous } from './message.ts';
import type { Gate } from './origin.ts';
import type { RequestId } from './request-id.ts';

/**
 * Answers one request.
 * @param resource whose path it is; `undefined` where there is none
 */
export type Respond = (event: H3Event, handler: Handler, resource?: Resource) => Promise<Response>;

export interface ResponderParts {
  /** Public origin without a trailing slash. */
  readonly baseUrl: string;
  readonly limiter: RateLimiter;
  readonly clientKey: ClientKey;
  readonly requestId: RequestId;
  readonly log: Log;
}

/** Turns a request into the response of its resource, with the headers that every response carries, and one log line. */
export function createResponder(parts: ResponderParts, gate: Gate): Respond {
  const common = commonHeaders(parts.baseUrl);
  return async (event, handler, matched) => {
    const started = performance.now();
    const request = nodeRequest(event);
    // h3 matches the decoded path, but another spelling of a path is another path.
    const resource = matched?.path === pathOf(request) ? matched : undefined;
    const exchange = createExchange(request, resource, parts);
    const reply = await answer(exchange, resource || !matched ? handler : nowhere, resource);
    // A limiter that fails must not take the answer with it.
    const states = await exchange.admission.statesOr(resource?.bucket ?? 'ask').catch(() => []);
    const write = (written: Reply) =>
      response(request, written, [
        ...[...common, ...(resource?.headers ?? [])].filter(([name]) => written.headers[name] === undefined),
        ['x-request-id', exchange.caller.requestId],
        ...corsHeaders(resource, request, gate),
        ...Object.entries(written.headers),
        ...(written.quotaHeaders === false ? [] : rateLimitHeaders(states)),
      ]);
    let written: Response;
    try {
      written = write(reply);
    } catch (fault) {
      exchange.report(fault);
      written = write(reply.instead ?? errorReply(asServiceError(fault, resource?.unforeseen)));
    }
    parts.log('info', 'request', {
      id: exchange.caller.requestId,
      method: request.method,
      route: resource?.path ?? 'none',
      status: written.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
      client: exchange.caller.clientHash,
      ...exchange.logged,
    });
    return written;
  };
}

/** What the server keeps of a request besides what its handler sees. */
interface OpenExchange extends Exchange {
  readonly caller: Exchange['caller'] & { readonly requestId: string };
  readonly admission: RequestAdmission;
  /** Members for the line of the request in the log. */
  logged: Readonly<Record<string, string>>;
}

function createExchange(request: IncomingMessage, resource: Resource | undefined, parts: ResponderParts): OpenExchange {
  const { baseUrl, limiter, clientKey, log } = parts;
  const { hash: client, networkHash, isIpv6 } = clientKey(request);
  const requestId = parts.requestId(request);
  const exchange: OpenExchange = {
    request,
    caller: {
      ...{ clientHash: client, networkHash, requestId },
      asker: () => ({ network: isIpv6 ? networkHash : client, signal: hangUpOf(request) }),
      visitor: 'sec-fetch-site' in request.headers ? 'person' : 'agent',
    },
    admission: createAdmission({
      ...{ limiter, client, network: isIpv6 ? networkHash : undefined },
      limitsUrl: `${baseUrl}/llms.txt`,
    }),
    logged: {},
    report(fault) {
      exchange.logged = logFault(log, { route: resource?.path, request: requestId }, fault);
    },
  };
  return exchange;
}

async function answer(exchange: Exchange, handler: Handler, resource: Resource | undefined): Promise<Reply> {
  try {
    requireUnambiguous(exchange.request);
    return await handler(exchange);
  } catch (thrown) {
    exchange.report(thrown);
    const error = asServiceError(thrown, resource?.unforeseen);
    return resource?.renderError?.(error, exchange.request) ?? errorReply(error);
  }
}

/** Where no resource is. @throws ServiceError `not_found` */
export const nowhere: Handler = async () => {
  throw new ServiceError('not_found');
};

function response(request: IncomingMessage, { status, body }: Reply, headers: HeaderPairs): Response {
  const statusText = STATUS_CODES[status] ?? '';
  if (request.method !== 'HEAD' || body === null) return new FastResponse(body, { status, statusText, headers });
  const length: HeaderPairs = [['content-length', String(Buffer.byteLength(body))]];
  return new FastResponse(null, { status, statusText, headers: [...headers, ...length] });
}

function nodeRequest(event: H3Event): IncomingMessage {
  const request = event.runtime?.node?.req;
  if (request instanceof IncomingMessage) return request;
  throw new Error('the app is served by node:http only');
}
