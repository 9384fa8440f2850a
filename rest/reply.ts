import { LRUCache } from 'lru-cache';
import { errorBody, type ServiceError } from '../tools/errors.ts';
import { statusOf } from './status.ts';

/** What a surface answers, before the headers that every response carries. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** `false` for the one answer without rate-limit headers: 400 of POST /mcp. */
  readonly quotaHeaders?: false;
  /** What is answered where this one cannot be written: something was committed, and its reference must arrive. */
  readonly instead?: Reply;
}

/** Header lines in order. An object with as many members would cost more than the rest of the response. */
export type HeaderPairs = [name: string, value: string][];

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

export function jsonReply(status: number, body: object, headers: Reply['headers'] = {}): Reply {
  return renderedReply(status, JSON.stringify(body), headers);
}

/** A reply whose JSON is rendered already. */
export function renderedReply(status: number, body: NonNullable<Reply['body']>, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body };
}

/** A ServiceError as the contract's REST answer. */
export function errorReply(error: ServiceError, headers: Reply['headers'] = {}): Reply {
  return jsonReply(statusOf(error), errorBody(error), { ...errorHeaders(error), ...headers });
}

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
 * Renders in UTF-8, and keeps the bytes from the second time on: rendering an answer again costs a third of its request (148 µs
 * against 91). Most questions are asked once; their bytes would fill the memory.
 */
export function createRenderer(render: (value: object) => string): (value: object) => Buffer<ArrayBuffer> {
  const seen = new WeakSet<object>();
  const kept = new LRUCache<object, Buffer<ArrayBuffer>>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  return value => {
    const known = kept.get(value);
    if (known !== undefined) return known;
    const fresh = Buffer.from(render(value));
    if (seen.has(value)) kept.set(value, fresh);
    else seen.add(value);
    return fresh;
  };
}
