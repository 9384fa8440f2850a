import { memo } from './memo.ts';

/** What a surface answers, before the headers that every response carries. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** `false` for the one answer without rate-limit headers: 400 of POST /mcp. */
  readonly quotaHeaders?: false;
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

export function jsonReply(status: number, body: object, headers: Reply['headers'] = {}): Reply {
  return renderedReply(status, jsonBody(body), headers);
}

/** A reply whose JSON is rendered already. */
export function renderedReply(status: number, body: NonNullable<Reply['body']>, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body };
}

/** JSON text; a cached answer keeps its own, since rendering costs as much as the rest of a repeated question. */
export const jsonText: (value: object) => string = memo(value => JSON.stringify(value));

/** Text, or bytes where they are kept: node:http would encode a text anew for every response. */
export type JsonBody = string | Buffer<ArrayBuffer>;

export const jsonBody: (value: object) => JsonBody = memoBody(value => JSON.stringify(value));

/** Keeps the body of a frozen object, in UTF-8. */
export function memoBody<Value extends object>(render: (value: Value) => string): (value: Value) => JsonBody {
  const bytes = memo<Value, JsonBody>(value => Buffer.from(render(value)));
  return value => (Object.isFrozen(value) ? bytes(value) : render(value));
}
