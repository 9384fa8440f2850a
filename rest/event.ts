import { IncomingMessage } from 'node:http';
import type { H3Event, HTTPResponse } from 'h3';
import type { Client, Origin } from '../tools/deliver.ts';
import type { ServiceError } from '../tools/errors.ts';
import type { Admission, RouteBucket } from '../tools/policies.ts';
import type { Attempt } from './reply.ts';

/** Header lines in order. h3's `event.res.headers` is ten times slower: a sixth of the time of a question. */
export type HeaderPairs = [name: string, value: string][];

declare module 'h3' {
  /** Set by the middleware of server/http for each request. */
  interface H3EventContext {
    caller: Client & Pick<Origin, 'requestId'>;
    admission: Admission;
    /** Headers for any response. A header that the response sets itself wins. */
    headers: HeaderPairs;
    /** The input of a person. The page of an error shows it again. */
    attempt?: Attempt;
    /** An object: if the context itself had a function, V8 would keep 2 KB of each request for long. */
    log: {
      /** Logs a fault that the handler answers itself. */
      readonly report: (fault: unknown) => void;
    };
    /** An object, as `log`. */
    turns: {
      /** Resolves when it is this client's turn. Awaited before work that takes milliseconds. */
      readonly next: () => Promise<void>;
    };
  }

  /** Facts about a route for that middleware. */
  interface H3RouteMeta {
    /** The bucket in the rate-limit headers if the request took no slot. Default: that of /ask. */
    readonly bucket?: RouteBucket;
    /** Only the service's pages and allowed origins may read the answers. Default: every page. */
    readonly restrictsOrigins?: boolean;
    /** Pages on a loopback address may read them too. Default: in a dry run. */
    readonly allowsLoopbackOrigins?: true;
    /** Renders an error that a handler threw. Default: JSON, or a page for a browser. */
    readonly renderError?: (error: ServiceError, event: H3Event) => HTTPResponse;
  }
}

/** The request of node:http, with raw headers, socket and the path as sent. */
export function nodeRequest(event: H3Event): IncomingMessage {
  const request = event.runtime?.node?.req;
  if (request instanceof IncomingMessage) return request;
  throw new Error('the app is served by node:http only');
}
