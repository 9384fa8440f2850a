import { isUtf8 } from 'node:buffer';
import type { H3Event } from 'h3';
import { asServiceError, type ErrorDetails, ServiceError } from '../tools/errors.ts';
import type { Rule } from '../tools/faults.ts';
import { mediaType, readBody } from './body.ts';
import { requireUtf8 } from './negotiation.ts';

const MAX_PARTS = 40;

/** A form, or as much of it as could be read. */
interface ReceivedForm {
  readonly fields: Readonly<Record<string, string>>;
  /**
   * `invalid_request`: a body that is JSON, not UTF-8 or no form, more than 40 parts, a file, or a repeated
   * field of the tool
   */
  readonly fault?: ServiceError | undefined;
}

/**
 * Reads a urlencoded or multipart body of text fields. A file input that a browser sends empty is no field.
 * Checkboxes repeat their name: the values are joined with a comma. A visitor gets back what could be read.
 * @param names of the tool's fields, which may not be repeated
 * @throws ServiceError `invalid_request` as `readBody`
 */
export async function readForm(event: H3Event, names: readonly string[]): Promise<ReceivedForm> {
  const bytes = await readBody(event);
  const fields: Record<string, string> = Object.create(null);
  const rules = new Map<string, Rule>();
  const parts =
    mediaType(event) === 'multipart/form-data'
      ? readMultipart(bytes, event.req.headers.get('content-type') ?? '')
      : readUrlencoded(bytes);
  try {
    for (const [name, value] of parts) {
      const earlier = fields[name];
      if (value === undefined) rules.set(name, 'text');
      else if (earlier === undefined) fields[name] = value;
      else {
        if (names.includes(name)) rules.set(name, 'once');
        fields[name] = joinValues(name, earlier, value);
      }
    }
  } catch (fault) {
    return { fields, fault: asServiceError(fault) };
  }
  return { fields, fault: faultOf(rules) };
}

/** The fault of a form whose fields break these rules. */
function faultOf(rules: ReadonlyMap<string, Rule>): ServiceError | undefined {
  const issues = [...rules].map(([field, rule]) => ({ field, rule }));
  const [first] = issues;
  if (first === undefined) return undefined;
  const { field, rule } = first;
  return rule === 'once'
    ? invalidForm(`The form repeats the field ${field}.`, 'Send it once.', { issues })
    : invalidForm('The form carries a file.', 'Send text fields only.', { issues });
}

/** The value of a field that comes twice. A reserved field such as `_next` keeps its first value. */
function joinValues(name: string, earlier: string, value: string): string {
  if (name.startsWith('_') || value === '') return earlier;
  return earlier === '' ? value : `${earlier}, ${value}`;
}

/** A file has no value. */
type Part = readonly [name: string, value: string | undefined];

function* readUrlencoded(body: Buffer): Generator<Part> {
  const text = LENIENT_UTF8.decode(body);
  // `curl -d '{…}'` sends JSON with the media type of forms.
  if (text.startsWith('{')) {
    throw invalidForm(
      'The body is JSON, but its Content-Type is application/x-www-form-urlencoded.',
      'Send JSON with the header Content-Type: application/json.',
    );
  }
  const parts = [...new URLSearchParams(text)];
  yield* parts.slice(0, MAX_PARTS);
  requireFew(parts.length);
  try {
    requireUtf8(text);
  } catch (cause) {
    throw invalidForm(NO_FORM, AS_BROWSERS, { cause });
  }
  requireText(body);
}

/**
 * Reads the parts of a multipart form (RFC 7578). The platform's parser refuses names without quotes, and
 * text before the first or after the last part (RFC 2046, 5.1), which some programs send.
 */
function* readMultipart(body: Buffer, type: string): Generator<Part> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalidForm('The form names no boundary.', AS_BROWSERS);
  const escaped = boundary.replace(/[^\w]/g, '\\$&');
  const delimiter = new RegExp(`(?:^|\\r\\n)--${escaped}(--)?[ \\t]*(?=\\r\\n|$)`);
  // Text and the captured dashes of the delimiter take turns. The first text is the preamble.
  const [, ...pieces] = LENIENT_UTF8.decode(body).split(delimiter, 2 * MAX_PARTS + 3);
  for (let index = 0; pieces[index] === undefined; index += 2) {
    const part = pieces[index + 1];
    if (part === undefined) throw invalidForm(NO_FORM, AS_BROWSERS);
    requireFew(index / 2 + 1);
    const field = readPart(part);
    if (field) yield field;
  }
  requireText(body);
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
  return fileName === '' && value === '' ? undefined : [name, undefined];
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

/** Writes U+FFFD for bytes that are not UTF-8. */
const LENIENT_UTF8 = new TextDecoder();

function requireText(body: Buffer): void {
  if (!isUtf8(body)) throw invalidForm(NO_FORM, AS_BROWSERS);
}

const NO_FORM = 'The body is not valid form data in UTF-8.';
const AS_BROWSERS = 'Send the form as browsers do.';

type InvalidForm = Pick<ErrorDetails, 'issues' | 'cause'>;

const invalidForm = (message: string, hint: string, details: InvalidForm = {}) =>
  new ServiceError('invalid_request', { message, hint, ...details });
