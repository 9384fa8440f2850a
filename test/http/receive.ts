import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A test fails where nothing comes for so many milliseconds, instead of waiting for ever. */
const PATIENCE = 120_000;

/** Whatever JSON a stranger gets: a test says what it expects by asserting it. */
export type Json = ReturnType<typeof JSON.parse>;

/** One answer, as it came over the wire. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: Json;
}

export interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | URLSearchParams | FormData;
  localAddress?: string;
}

/** Sends what `fetch` would not: another Host, or from another address of this machine. */
export async function receive(
  url: string,
  { method = 'GET', headers, body, localAddress }: Sending = {},
): Promise<Answer> {
  const written = body === undefined ? undefined : new Response(body);
  const sent = written && Buffer.from(await written.arrayBuffer());
  // Text has no content type unless a test names one.
  const type = typeof body === 'string' ? null : written?.headers.get('content-type');
  const call = request(url, {
    signal: AbortSignal.timeout(PATIENCE),
    method,
    agent: false,
    localAddress,
    headers: { ...(type ? { 'Content-Type': type } : {}), ...headers },
  });
  call.end(sent);
  const [response]: IncomingMessage[] = await once(call, 'response');
  assert.ok(response);
  const content = await text(response);
  const received = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) received.append(name, value);
  }
  const isJson = /[/+]json/.test(received.get('content-type') ?? '') && content !== '';
  const json = isJson ? JSON.parse(content) : undefined;
  return { status: response.statusCode ?? 0, headers: received, text: content, json };
}
