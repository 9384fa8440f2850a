import { randomUUID } from 'node:crypto';
import type { H3Event } from 'h3';
import { ServiceError } from '../tools/errors.ts';
import { mediaType, readBody } from './body.ts';
import { requireUtf8 } from './negotiation.ts';

const MAX_PARTS = 40;

/**
 * Reads a urlencoded or multipart body of text fields. A file input that a browser sends empty is no field.
 * Checkboxes repeat their name: values of a field that the tool does not have are joined with a comma.
 * @param names of the tool's fields, which may not be repeated
 * @throws ServiceError `invalid_request` as `readBody`, for JSON, for bytes that are not UTF-8 or no form,
 * for files, a repeated field of the tool, and more than 40 parts
 */
export async function readForm(event: H3Event, names: readonly string[]): Promise<Record<string, string>> {
  const original = { body: await readBody(event), type: event.req.headers.get('content-type') ?? '' };
  const isMultipart = mediaType(event) === 'multipart/form-data';
  const form = isMultipart ? withLongBoundary(original) : original;
  // Multipart has a delimiter before each part and one at the end, urlencoded one between two.
  if (isMultipart) requireAtMost(form, DELIMITER, MAX_PARTS + 1);
  else requireAtMost(form, '&', MAX_PARTS - 1);
  if (!isMultipart) refuseJson(form);
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of await parse(form, isMultipart)) {
    if (typeof value !== 'string') {
      if (value.size === 0 && value.name === '') continue;
      throw invalidForm('The form carries a file.', 'Send text fields only.');
    }
    const earlier = fields[name];
    if (earlier === undefined) fields[name] = value;
    else if (names.includes(name)) throw invalidForm(`The form repeats the field ${name}.`, 'Send it once.');
    else fields[name] = joinValues(name, earlier, value);
  }
  return fields;
}

/** The value of a field that comes twice. A reserved field such as `_next` keeps its first value. */
function joinValues(name: string, earlier: string, value: string): string {
  if (name.startsWith('_') || value === '') return earlier;
  return earlier === '' ? value : `${earlier}, ${value}`;
}

/** `curl -d '{…}'` sends JSON with the media type of forms. */
function refuseJson({ body }: Form): void {
  if (body[0] !== '{'.charCodeAt(0)) return;
  throw invalidForm(
    'The body is JSON, but its Content-Type is application/x-www-form-urlencoded.',
    'Send JSON with the header Content-Type: application/json.',
  );
}

interface Form {
  readonly body: Buffer<ArrayBuffer>;
  readonly type: string;
}

const BOUNDARY = `form-${randomUUID()}`;
const DELIMITER = `--${BOUNDARY}`;

/**
 * Replaces the boundary by a longer one: Node's parser ignores its dashes, and finds a short boundary in a
 * text.
 */
function withLongBoundary({ body, type }: Form): Form {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw invalidForm('The form names no boundary.', 'Send the form as browsers do.');
  const lines = new RegExp(`(^|\\r\\n)--${boundary.replace(/[^\w]/g, '\\$&')}`, 'g');
  const text = body.toString('latin1').replace(lines, `$1${DELIMITER}`);
  return { body: Buffer.from(text, 'latin1'), type: `multipart/form-data; boundary=${BOUNDARY}` };
}

/** Counts before parsing. Thousands of parts take milliseconds, in which nobody else is answered. */
function requireAtMost({ body }: Form, separator: string, most: number): void {
  let separators = 0;
  for (let index = body.indexOf(separator); index !== -1; index = body.indexOf(separator, index + 1)) {
    separators += 1;
    if (separators > most)
      throw invalidForm(`The form has more than ${MAX_PARTS} parts.`, 'Send the fields only.');
  }
}

/** Parses bytes with the platform's parser. h3 cannot read a form from a body that has been read. */
async function parse({ body, type }: Form, isMultipart: boolean): Promise<FormData> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (!isMultipart) requireUtf8(text);
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    throw invalidForm('The body is not valid form data in UTF-8.', 'Send the form as browsers do.', cause);
  }
}

const invalidForm = (message: string, hint: string, cause?: unknown) =>
  new ServiceError('invalid_request', { message, hint, cause });
