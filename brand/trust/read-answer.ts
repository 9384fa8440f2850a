import * as z from 'zod';
import { type Fault, jsonPath, renderFault } from '../profile/fault.ts';
import { readStrictJson } from '../profile/strict-json.ts';

/** The bytes are an error, or not an answer of this service. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

const Members = z.record(z.string(), z.unknown());

/** How programs name a message: a UUID, `req-1`. Letters can spell a sentence, so a verdict says that no id was checked. */
const MessageId = z.string().regex(/^[\w.:-]{1,64}$/);

const Envelope = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([MessageId, z.number(), z.null()]),
  result: Members,
});

/** `resultType` and the server's name in `_meta`: what MCP 2026-07-28 adds to a result. */
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
          version: z.string().regex(/^\d{1,4}(?:\.\d{1,4}){2}(?:-(?:alpha|beta|rc)\.\d{1,4})?$/),
        })
        .optional(),
    })
    .optional(),
});

/** Our reply to `SendMessage` of A2A 1.0: one part, data or text. */
const Reply = z.strictObject({
  message: z.strictObject({
    messageId: MessageId,
    contextId: MessageId.optional(),
    role: z.literal('ROLE_AGENT'),
    parts: z.tuple([
      z.union([
        z.strictObject({ data: Members, mediaType: z.literal('application/json') }),
        z.strictObject({ text: z.string(), mediaType: z.literal('text/plain') }),
      ]),
    ]),
  }),
});

/**
 * Reads the answer from an /ask body, an MCP `tools/call` result, an A2A message or their JSON-RPC response. Unknown members
 * are refused: a forged match there would pass as proven.
 * @param brand the name that a result may give its server
 * @throws AnswerError for an error, for anything else, and where a result's text and data differ
 */
export function readAnswer(bytes: Uint8Array, brand: string): unknown {
  const body = readMembers(bytes);
  const answer = 'jsonrpc' in body ? shaped(Envelope, body, 'a JSON-RPC response').result : body;
  if ('content' in answer || 'structuredContent' in answer) return readToolResult(answer, brand);
  if ('message' in answer) return readReply(answer);
  if ('matches' in answer) return answer;
  throw new AnswerError(`neither an /ask answer, a result of ask_brand nor an A2A message${A_CLAIM(answer)}`);
}

const A_CLAIM = (answer: object) =>
  'claim_id' in answer ? '; a single claim is judged where it is given as one' : '';

/** @throws AnswerError unless the bytes are a JSON object that every reader reads alike */
export function readMembers(bytes: Uint8Array): z.infer<typeof Members> {
  const json = readStrictJson(bytes, cause => new AnswerError(`not JSON: ${cause.message}`, { cause }));
  const members = Members.safeParse(json);
  if (members.success) return members.data;
  throw new AnswerError('no answer: not a JSON object');
}

/** Models see the text, programs read the data: both must be equal. */
function readToolResult(result: unknown, brand: string): unknown {
  const { content, structuredContent, _meta } = shaped(ToolResult, result, 'a result of ask_brand');
  const server = _meta?.['io.modelcontextprotocol/serverInfo'];
  if (server && server.title !== brand)
    throw new AnswerError('_meta names a server that the profile does not name');
  const text = readMembers(new TextEncoder().encode(content[0].text));
  const difference =
    structuredContent === undefined ? undefined : firstDifference(text, structuredContent, []);
  if (difference)
    throw new AnswerError(`text and structuredContent differ at ${difference.path || 'the top'}`);
  return text;
}

function readReply(reply: unknown): unknown {
  const [part] = shaped(Reply, reply, 'an A2A message').message.parts;
  return 'data' in part ? part.data : readMembers(new TextEncoder().encode(part.text));
}

/** @throws AnswerError with the first unknown or missing member */
function shaped<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
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
  const [members, signed] = [new Map(Object.entries(actual)), new Map(Object.entries(expected))];
  if (isList && members.size !== signed.size)
    return fault(`has ${members.size} entries, the profile has ${signed.size}`);
  for (const name of new Set([...signed.keys(), ...members.keys()])) {
    const difference = firstDifference(members.get(name), signed.get(name), [
      ...path,
      isList ? Number(name) : name,
    ]);
    if (difference) return difference;
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
