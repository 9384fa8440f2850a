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
  const body = await readBody(event);
  const parts =
    mediaType(event) === 'multipart/form-data'
      ? readMultipart(body, event.req.headers.get('content-type') ?? '')
      : readUrlencoded(body);
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of parts) {
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

type Part = readonly [name: string, value: string];

function readUrlencoded(body: Buffer): Part[] {
  const text = utf8(body);
  // `curl -d '{…}'` sends JSON with the media type of forms.
  if (text.startsWith('{')) {
    throw invalidForm(
      'The body is JSON, but its Content-Type is application/x-www-form-urlencoded.',
      'Send JSON with the header Content-Type: application/json.',
    );
  }
  try {
    requireUtf8(text);
  } catch (cause) {
    throw invalidForm(NO_FORM, AS_BROWSERS, cause);
  }
  requireFew(text.split('&', MAX_PARTS + 1).length);
  return [...new URLSearchParams(text)];
}

/**
 * Reads the parts of a multipart form (RFC 7578). The platform's parser refuses names without quotes, and
 * text before the first or after the last part (RFC 2046, 5.1), which some programs send.
 */
function readMultipart(body: Buffer, type: string): Part[] {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalidForm('The form names no boundary.', AS_BROWSERS);
  const escaped = boundary.replace(/[^\w]/g, '\\$&');
  const delimiter = new RegExp(`(?:^|\\r\\n)--${escaped}(--)?[ \\t]*(?=\\r\\n|$)`);
  // Text and the captured dashes of the delimiter take turns. The first text is the preamble.
  const [, ...pieces] = utf8(body).split(delimiter, 2 * MAX_PARTS + 3);
  const parts: Part[] = [];
  for (let index = 0; pieces[index] === undefined; index += 2) {
    const part = pieces[index + 1];
    if (part === undefined) throw invalidForm(NO_FORM, AS_BROWSERS);
    requireFew(parts.length + 1);
    const field = readPart(part);
    if (field) parts.push(field);
  }
  return parts;
}

/** Reads a part: line break, headers, empty line, value. Undefined for an empty file. */
function readPart(part: string): Part | undefined {
  const end = part.indexOf('\r\n\r\n');
  const headers = end === -1 ? [] : part.slice(0, end).split('\r\n');
  const disposition = headers.find(line => /^content-disposition:/i.test(line)) ?? '';
  const name = parameter(disposition, 'name');
  if (name === undefined) throw invalidForm(NO_FORM, AS_BROWSERS);
  const value = part.slice(end + 4);
  const fileName = parameter(disposition, 'filename') ?? parameter(disposition, 'filename*');
  if (fileName === undefined) return [name, value];
  if (fileName === '' && value === '') return undefined;
  throw invalidForm('The form carries a file.', 'Send text fields only.');
}

/** A parameter of a header. Browsers write quote, CR and LF in it as %22, %0D and %0A. */
function parameter(header: string, name: string): string | undefined {
  for (const [, key, quoted, token] of header.matchAll(/;[ \t]*([\w*]+)=(?:"([^"]*)"|([^\s;"]*))/g)) {
    if (key?.toLowerCase() !== name) continue;
    return (quoted ?? token ?? '').replace(/%(22|0D|0A)/gi, code => decodeURIComponent(code));
  }
  return undefined;
}

function requireFew(parts: number): void {
  if (parts > MAX_PARTS)
    throw invalidForm(`The form has more than ${MAX_PARTS} parts.`, 'Send the fields only.');
}

function utf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw invalidForm(NO_FORM, AS_BROWSERS, cause);
  }
}

const NO_FORM = 'The body is not valid form data in UTF-8.';
const AS_BROWSERS = 'Send the form as browsers do.';

const invalidForm = (message: string, hint: string, cause?: unknown) =>
  new ServiceError('invalid_request', { message, hint, cause });
