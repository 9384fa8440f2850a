import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../tools/errors.ts';
import { mediaType, readBody } from './http/body.ts';

const MAX_PARTS = 20;

/**
 * A urlencoded or multipart body of text fields.
 * @throws ServiceError `invalid_request` as `readBody`, for bytes that are not UTF-8 or no form, for files, repeated
 * fields, and more than 20 parts
 */
export async function readForm(request: IncomingMessage, maxBytes: number): Promise<Record<string, string>> {
  const body = await readBody(request, maxBytes);
  const fields: Record<string, string> = Object.create(null);
  const entries = [...(await parse(request, body)).entries()];
  if (entries.length > MAX_PARTS) throw refused(`The form has more than ${MAX_PARTS} parts.`, 'Send the fields only.');
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw refused('The form carries a file.', 'Send text fields only.');
    if (name in fields) throw refused('The form repeats a field.', 'Send each field once.');
    fields[name] = value;
  }
  return fields;
}

/** The platform's own parser, over bytes already read: h3's refuses valid forms once the body is bounded. */
async function parse(request: IncomingMessage, body: Buffer): Promise<FormData> {
  try {
    requireUtf8(mediaType(request) === 'multipart/form-data' ? body : unescaped(body));
    return await new Response(body, { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData();
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
