import * as z from 'zod';
import { readStrictJson } from '../profile/strict-json.ts';
import { firstDifference, formFault, Members } from './difference.ts';

/** The bytes are an error, or not an answer of this service. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/**
 * Reads the answer from an /ask body, an MCP `tools/call` result, an A2A message or their JSON-RPC response, or a single
 * claim as people quote it. Unknown members are refused: a forged match there would pass as proven.
 * @param isSigned whether a text is in the profile; a server may say nothing else about itself
 * @throws AnswerError for an error, for anything else, and where a result's text and data differ
 */
export function readAnswer(bytes: Uint8Array, isSigned: (text: string) => boolean = () => true): unknown {
  const body = parse(bytes);
  const answer = 'jsonrpc' in body ? shaped(Envelope, body, 'a JSON-RPC response').result : body;
  if ('content' in answer || 'structuredContent' in answer) return readToolResult(answer, isSigned);
  if ('message' in answer) return readMessage(answer);
  if ('matches' in answer || 'claim_id' in answer) return answer;
  throw new AnswerError('neither an /ask answer, a result of ask_brand, an A2A message nor a claim');
}

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
          title: z.string().max(200).optional(),
          version: z.string().regex(/^\d{1,4}(?:\.\d{1,4}){2}(?:-(?:alpha|beta|rc)\.\d{1,4})?$/),
          description: z.string().max(2000).optional(),
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

function readMessage(reply: unknown): unknown {
  const [part] = shaped(Reply, reply, 'an A2A message').message.parts;
  return 'data' in part ? part.data : parse(new TextEncoder().encode(part.text));
}

function parse(bytes: Uint8Array): z.infer<typeof Members> {
  const members = Members.safeParse(
    readStrictJson(bytes, cause => new AnswerError(`not JSON: ${cause.message}`, { cause })),
  );
  if (members.success) return members.data;
  throw new AnswerError('not a JSON object');
}

/** @throws AnswerError with the first unknown or missing member */
function shaped<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return data;
  const { path, message } = formFault(error?.issues ?? []);
  throw new AnswerError(`not ${what}: ${path === '' ? message : `${path}: ${message}`}`);
}

/** Models see the text, programs read the data: both must be equal. */
function readToolResult(result: unknown, isSigned: (text: string) => boolean): unknown {
  const { content, structuredContent, _meta } = shaped(ToolResult, result, 'a result of ask_brand');
  const { title, description } = _meta?.['io.modelcontextprotocol/serverInfo'] ?? {};
  for (const text of [title, description]) {
    if (text !== undefined && !isSigned(text)) throw new AnswerError('_meta holds words that are not in the profile');
  }
  const text = parse(new TextEncoder().encode(content[0].text));
  const difference = structuredContent === undefined ? undefined : firstDifference(text, structuredContent, []);
  if (difference) throw new AnswerError(`text and structuredContent differ at ${difference.path || 'the top'}`);
  return text;
}
