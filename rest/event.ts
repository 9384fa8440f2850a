import { IncomingMessage } from 'node:http';
import type { H3Event, HTTPResponse } from 'h3';
import type { Origin } from '../tools/deliver.ts';
import type { ServiceError } from '../tools/errors.ts';
import type { Admission, RouteBucket } from '../tools/policies.ts';
import type { Attempt } from './reply.ts';

/** Header lines in order. h3's `event.res.headers` takes ten times as long, a sixth of a question. */
export type HeaderPairs = [name: string, value: string][];

declare module 'h3' {
  /** What the middleware of server/http knows about a request. */
  interface H3EventContext {
    caller: Pick<Origin, 'clientHash' | 'networkHash' | 'isIpv6' | 'requestId' | 'visitor'>;
    admission: Admission;
    /** Headers for any response. A header that the response sets itself wins. */
    headers: HeaderPairs;
    /** What a person sent. The page of an error shows it again. */
    attempt?: Attempt;
    /** An object, because V8 keeps 2 KB of each request for long if the context itself has a function. */
    log: {
      /** Logs a fault that the handler answers itself. */
      readonly report: (fault: unknown) => void;
    };
  }

  /** What that middleware needs to know about a route. */
  interface H3RouteMeta {
    /**
     * The bucket that the rate-limit headers show if the request has taken no slot. Default: that of /ask.
     */
    readonly bucket?: RouteBucket;
    /** Only the service's own pages and the allowed origins may read the answers. Default: every page. */
    readonly restrictsOrigins?: boolean;
    /** Pages of the visitor's own machine may read them too. Default: in a dry run. */
    readonly allowsLoopbackOrigins?: true;
    /** Renders an error that a handler threw. Default: JSON, or a page for a browser. */
    readonly renderError?: (error: ServiceError, event: H3Event) => HTTPResponse;
  }
}

/** The request of node:http: its raw headers, its socket and the path as it was sent. */
export function nodeRequest(event: H3Event): IncomingMessage {
  const request = event.runtime?.node?.req;
  if (request instanceof IncomingMessage) return request;
  throw new Error('the app is served by node:http only');
}
