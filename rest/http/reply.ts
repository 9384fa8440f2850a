import { errorBody, type ServiceError } from '../../tools/errors.ts';

/** What a surface answers, before the headers that every response carries. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** `false` for the one answer without rate-limit headers: 400 of POST /mcp. */
  readonly quotaHeaders?: false;
}

/** Header lines in order. An object of as many members as a response has would cost more than the rest of it. */
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
  return jsonReply(error.status, errorBody(error), { ...errorHeaders(error), ...headers });
}

/** `Retry-After` where there is a time to wait; `Connection: close` where the rest of the body was left unread. */
export function errorHeaders({ status, details: { retryAfterSeconds } }: ServiceError): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 413 && { connection: 'close' }),
  };
}

/**
 * Remembers how an object was rendered for as long as it lives: an answer that is asked for again is the same object, and
 * rendering it anew would cost a third of the whole request (paired runs of GET /ask, repeated: 148 µs against 91).
 */
export function createRenderer<Rendered>(render: (value: object) => Rendered): (value: object) => Rendered {
  const rendered = new WeakMap<object, Rendered>();
  return value => {
    const known = rendered.get(value);
    if (known !== undefined) return known;
    const fresh = render(value);
    rendered.set(value, fresh);
    return fresh;
  };
}
