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
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: jsonText(body) };
}

/** Rendered once for a frozen value, such as a cached answer: rendering costs as much as the rest of a repeated request. */
export function jsonText(value: object): string {
  if (!Object.isFrozen(value)) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

const texts = new WeakMap<object, string>();
