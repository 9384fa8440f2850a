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
export function errorHeaders({
  details: { retryAfterSeconds, reason },
}: ServiceError): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...((reason === 'too-large' || reason === 'too-many-headers') && { connection: 'close' }),
  };
}

/** What is kept of values that come again: some 800 answers. */
const KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Makes something of a value, and keeps it from the second time on: rendering an answer again costs a third of its request (148 µs
 * against 91). Most questions are asked once; what is made of them would fill the memory.
 */
export function keptFromSecond<Value extends object, Made extends object, With extends readonly unknown[]>(
  make: (value: Value, ...parts: With) => Made,
  bytesOf: (made: Made) => number,
): (value: Value, ...parts: With) => Made {
  const seen = new WeakSet<object>();
  const kept = new LRUCache<object, Made>({ maxSize: KEPT_BYTES, sizeCalculation: bytesOf });
  return (value, ...parts) => {
    const known = kept.get(value);
    if (known !== undefined) return known;
    const fresh = make(value, ...parts);
    if (seen.has(value)) kept.set(value, fresh);
    else seen.add(value);
    return fresh;
  };
}
