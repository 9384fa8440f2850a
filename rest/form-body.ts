import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../tools/errors.ts';
import { mediaType, readBody } from './body.ts';

const MAX_PARTS = 20;

/**
 * A urlencoded or multipart body of text fields. A file input that a browser sends empty is no field.
 * @throws ServiceError `invalid_request` as `readBody`, for bytes that are not UTF-8 or no form, for files, repeated
 * fields, and more than 20 parts
 */
export async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  const body = await readBody(request);
  const isMultipart = mediaType(request) === 'multipart/form-data';
  const form = isMultipart ? withLongBoundary(request, body) : { body, type: request.headers['content-type'] ?? '' };
  requireFew(form.body, isMultipart ? DELIMITER : '&');
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of await parse(form, isMultipart)) {
    if (typeof value !== 'string') {
      if (value.size === 0 && value.name === '') continue;
      throw refused('The form carries a file.', 'Send text fields only.');
    }
    if (name in fields) throw refused('The form repeats a field.', 'Send each field once.');
    fields[name] = value;
  }
  return fields;
}

interface Form {
  readonly body: Buffer;
  readonly type: string;
}

/** Counted before anything is parsed: parsing thousands of parts costs milliseconds, and everybody waits for them. */
function requireFew(body: Buffer, separator: string): void {
  let parts = 0;
  for (let at = -1; parts <= MAX_PARTS + 1; parts += 1) {
    at = body.indexOf(separator, at + 1);
    if (at === -1) break;
  }
  // Multipart has a delimiter before each part and one at the end, urlencoded one between two.
  const limit = separator === DELIMITER ? MAX_PARTS + 1 : MAX_PARTS - 1;
  if (parts > limit) throw refused(`The form has more than ${MAX_PARTS} parts.`, 'Send the fields only.');
}

const BOUNDARY = `form-${randomUUID()}`;
const DELIMITER = `--${BOUNDARY}`;

/** Node's parser refuses a boundary under 27 characters, which RFC 2046 (5.1.1) allows: the body gets a longer one. */
function withLongBoundary(request: IncomingMessage, body: Buffer): Form {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(request.headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw refused('The form names no boundary.', 'Send the form as browsers do.');
  const lines = new RegExp(`(^|\\r\\n)--${boundary.replace(/[^\w]/g, '\\$&')}`, 'g');
  const text = body.toString('latin1').replace(lines, `$1${DELIMITER}`);
  return { body: Buffer.from(text, 'latin1'), type: `multipart/form-data; boundary=${BOUNDARY}` };
}

/** The platform's own parser, over bytes already read: h3's refuses valid forms once the body is bounded. */
async function parse({ body, type }: Form, isMultipart: boolean): Promise<FormData> {
  try {
    requireUtf8(isMultipart ? body : unescaped(body));
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    throw refused('The body is not valid form data in UTF-8.', 'Send the form as browsers do.', cause);
  }
}

function requireUtf8(bytes: Uint8Array): void {
  new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** The bytes behind percent escapes. */
function unescaped(body: Buffer): Buffer {
  const text = body
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

const refused = (message: string, hint: string, cause?: unknown) =>
  new ServiceError('invalid_request', { message, hint, cause });
