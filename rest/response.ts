import { HTTPResponse } from 'h3';
import { LRUCache } from 'lru-cache';
import { errorBody, type ServiceError } from '../tools/errors.ts';
import { statusOf } from './status.ts';

/** JSON with a status of its own. What a handler returns is answered with 200. */
export function jsonResponse(
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): HTTPResponse {
  const all = { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers };
  return new HTTPResponse(json, { status, headers: all });
}

/** A ServiceError as the contract's REST answer. */
export const errorResponse = (error: ServiceError): HTTPResponse =>
  jsonResponse(statusOf(error), JSON.stringify(errorBody(error)), errorHeaders(error));

/** `Retry-After` where there is a wait; `Connection: close` where part of the body was not read. */
export function errorHeaders({ details: { retryAfterSeconds, reason } }: ServiceError): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...((reason === 'too-large' || reason === 'too-many-headers') && { connection: 'close' }),
  };
}

/** Bytes of rendered answers that are kept: some 800 of them. */
const KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Renders JSON in UTF-8, and keeps the bytes from the second time on: rendering an answer again costs a third of its request
 * (148 µs against 91). Most questions are asked once; their bytes would fill the memory.
 */
export function createRenderer(): (value: object) => Buffer<ArrayBuffer> {
  const seen = new WeakSet<object>();
  const kept = new LRUCache<object, Buffer<ArrayBuffer>>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  return value => {
    const known = kept.get(value);
    if (known !== undefined) return known;
    const fresh = Buffer.from(JSON.stringify(value));
    if (seen.has(value)) kept.set(value, fresh);
    else seen.add(value);
    return fresh;
  };
}
