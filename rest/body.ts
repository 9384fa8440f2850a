import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { H3Event } from 'h3';
import { ServiceError } from '../tools/errors.ts';
import { nodeRequest } from './event.ts';

/** Fits a text of 4,000 characters, even if each is escaped as \uXXXX\uXXXX. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads a request body of at most `MAX_BODY_BYTES` from Node's stream. h3's `bodyLimit` cancels a web stream,
 * which closes the socket before the answer is sent. Its `readBody` replaces bytes that are not UTF-8.
 * @throws ServiceError `invalid_request`: 413 for a larger body, 400 for one that is compressed or cut off
 * @example const bytes = await readBody(event);
 */
export async function readBody(event: H3Event): Promise<Buffer<ArrayBuffer>> {
  const request = nodeRequest(event);
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
    throw new ServiceError('invalid_request', {
      message: 'The body must not be compressed.',
      hint: 'Send the body without Content-Encoding.',
    });
  }
  const bytes = await collect(request);
  if (!bytes) await drain(request);
  // A client could send the last bytes of 200 bodies at once.
  await event.context.turns.next();
  if (bytes) return bytes;
  throw new ServiceError('invalid_request', {
    reason: 'too-large',
    message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    hint: `Send at most ${MAX_BODY_BYTES} bytes.`,
  });
}

interface JsonOptions {
  /** Other media types of the route, for the message of a refusal. */
  readonly otherTypes?: readonly string[];
  /** An empty body of any type is `undefined`. */
  readonly mayBeEmpty?: boolean;
}

/**
 * An application/json body as a value.
 * @throws ServiceError `invalid_request` as `readBody` and `requireJson`, and for bytes that are not JSON in
 * UTF-8
 * @example const input = await readJson(event, { mayBeEmpty: true });
 */
export async function readJson(
  event: H3Event,
  { otherTypes = [], mayBeEmpty = false }: JsonOptions = {},
): Promise<unknown> {
  const body = await readBody(event);
  if (mayBeEmpty && body.length === 0) return undefined;
  requireJson(event, otherTypes);
  try {
    return parseJson(body);
  } catch (cause) {
    throw new ServiceError('invalid_request', { message: 'The body is not valid JSON in UTF-8.', cause });
  }
}

/** Refuses other media types, because any web page can post JSON as text/plain without a preflight. */
export function requireJson(event: H3Event, otherTypes: readonly string[] = []): void {
  if (mediaType(event) === 'application/json') return;
  const types = ['application/json', ...otherTypes];
  throw new ServiceError('invalid_request', {
    message: `The Content-Type must be ${types.join(' or ')}.`,
    hint: 'Send JSON with the header Content-Type: application/json.',
  });
}

/** @throws TypeError for bytes that are not UTF-8, SyntaxError for text that is not JSON */
export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(UTF8.decode(bytes));
}

/** The media type in lower case without parameters; empty when there is none. */
export function mediaType({ req }: H3Event): string {
  const [type = ''] = (req.headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined for a body that is larger than `MAX_BODY_BYTES`, or declared so. */
function collect(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    let size = 0;
    const cutOff = () => reject(new ServiceError('invalid_request', { message: 'The body was cut off.' }));
    // A middleware in front may have waited until the client was gone, or may have read the body itself.
    if (request.closed || request.readableEnded) return cutOff();
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return resolve(undefined);
    request
      .on('data', (chunk: Buffer<ArrayBuffer>) => {
        size += chunk.length;
        if (size > MAX_BODY_BYTES) resolve(undefined);
        else chunks.push(chunk);
      })
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('close', cutOff);
  });
}

/** How long the rest of a refused body is read, in milliseconds. */
const LINGER_MS = 1000;

/**
 * Reads the rest for a moment: a client that still sends would get a reset, not the answer (RFC 9112, 9.6).
 */
async function drain(request: IncomingMessage): Promise<void> {
  request.resume();
  await Promise.race([finished(request).catch(() => {}), wait(LINGER_MS, undefined, { ref: false })]);
}
