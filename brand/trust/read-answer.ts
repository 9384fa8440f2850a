import * as z from 'zod';
import { type Fault, jsonPath, renderFault } from '../profile/fault.ts';
import { readStrictJson } from '../profile/strict-json.ts';

/** The bytes are an error, or not an answer of this service. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

const Members = z.record(z.string(), z.unknown());

/** The id of a message: a UUID, `req-1`. It is not signed, so a verdict says that it was not checked. */
const MessageId = z.string().regex(/^[\w.:-]{1,64}$/);

const Envelope = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([MessageId, z.number(), z.null()]),
  result: Members,
});

/** `0.2.0`, `1.0.0-rc.1`. Free text would pass as part of a proven answer. */
const VERSION = /^\d{1,4}(?:\.\d{1,4}){2}(?:-(?:alpha|beta|rc)\.\d{1,4})?$/;

/** A result of MCP. Revision 2026-07-28 adds `resultType` and, in `_meta`, the server's name. */
const ToolResult = z.strictObject({
  content: z.tuple([z.strictObject({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.unknown().optional(),
  isError: z.literal(false).optional(),
  resultType: z.literal('complete').optional(),
  _meta: z
    .strictObject({
      'io.modelcontextprotocol/serverInfo': z
        .strictObject({
          name: z.literal('aval'),
          title: z.string(),
          version: z.string().regex(VERSION),
        })
        .optional(),
    })
    .optional(),
});

/**
 * Reads the answer from the body of /ask, a result of MCP `tools/call`, or its JSON-RPC response. Unknown
 * members are refused, because a forged match could hide in one.
 * @param brand name that a result may give its server
 * @throws AnswerError for an error response, for any other body, and if text and data of a result differ
 */
export function readAnswer(bytes: Uint8Array, brand: string): unknown {
  const body = readMembers(bytes);
  const answer = 'jsonrpc' in body ? parseAs(Envelope, body, 'a JSON-RPC response').result : body;
  if ('content' in answer || 'structuredContent' in answer) return readToolResult(answer, brand);
  if ('matches' in answer) return answer;
  throw new AnswerError('neither an /ask answer nor a result of ask_brand');
}

/** Reads a JSON object. @throws AnswerError unless the bytes are an object in I-JSON (RFC 7493) */
function readMembers(bytes: Uint8Array): z.infer<typeof Members> {
  const json = readStrictJson(bytes, cause => new AnswerError(`not JSON: ${cause.message}`, { cause }));
  const members = Members.safeParse(json);
  if (members.success) return members.data;
  throw new AnswerError('no answer: not a JSON object');
}

/** Models see the text and programs read the data, so both must be equal. */
function readToolResult(result: unknown, brand: string): unknown {
  const { content, structuredContent, _meta } = parseAs(ToolResult, result, 'a result of ask_brand');
  const server = _meta?.['io.modelcontextprotocol/serverInfo'];
  if (server && server.title !== brand)
    throw new AnswerError('_meta names a server that the profile does not name');
  const text = readMembers(new TextEncoder().encode(content[0].text));
  if (structuredContent === undefined) return text;
  const difference = firstDifference(text, structuredContent, []);
  if (!difference) return text;
  throw new AnswerError(`text and structuredContent differ at ${difference.path || 'the top'}`);
}

/** Parses a value. @throws AnswerError with the first unknown or missing member */
function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return data;
  throw new AnswerError(`not ${what}: ${renderFault(formFault(error?.issues ?? []))}`);
}

/** The first fault that a schema finds in an answer. */
export function formFault([issue]: readonly z.core.$ZodIssue[]): Fault {
  if (issue?.code === 'unrecognized_keys')
    return { path: jsonPath([...issue.path, ...issue.keys.slice(0, 1)]), message: 'is no part of an answer' };
  return { path: jsonPath(issue?.path ?? []), message: issue?.message ?? DIFFERS };
}

export const DIFFERS = 'differs from the profile';

/** The first place where two values from JSON differ, at any depth; `undefined` if they are equal. */
export function firstDifference(
  actual: unknown,
  expected: unknown,
  path: readonly PropertyKey[],
): Fault | undefined {
  const fault = (message: string): Fault => ({ path: jsonPath(path), message });
  if (actual === expected) return undefined;
  if (actual === undefined) return fault('is missing');
  if (expected === undefined) return fault('is not in the profile');
  const isList = Array.isArray(actual);
  if (!isObject(actual) || !isObject(expected) || isList !== Array.isArray(expected)) return fault(DIFFERS);
  const actualMembers = new Map(Object.entries(actual));
  const expectedMembers = new Map(Object.entries(expected));
  if (isList && actualMembers.size !== expectedMembers.size)
    return fault(`has ${actualMembers.size} entries, the profile has ${expectedMembers.size}`);
  for (const name of new Set([...expectedMembers.keys(), ...actualMembers.keys()])) {
    const memberPath = [...path, isList ? Number(name) : name];
    const difference = firstDifference(actualMembers.get(name), expectedMembers.get(name), memberPath);
    if (difference) return difference;
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
