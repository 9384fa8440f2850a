import * as z from 'zod';
import { RPC_MEANINGS, RPC_METHODS } from '../../tools/protocol.ts';

/** JSON-RPC 2.0 as MCP and A2A use it, and the descriptor of GET /mcp. */

const text = (description: string) => z.string().max(4000).meta({ description });
const anyObject = (description: string) => z.looseObject({}).meta({ description });

const jsonrpc = z.literal('2.0').meta({ description: 'JSON-RPC version.' });
// JSON Schema by hand: a union of zod becomes an anyOf, from which generators make a class.
const id = z.unknown().meta({
  type: ['string', 'integer', 'null'],
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Names the request; the answer carries the same.',
});

const fault = (code: z.ZodInt32) =>
  z
    .object({
      code,
      message: text('What happened and what to do, for people.'),
      data: z.unknown().optional().meta({ description: 'Details, such as the ApiError.' }),
    })
    .meta({ description: 'What went wrong.' });

/** A request or, without an id, a notification. */
export const JsonRpcRequest = z.object({
  jsonrpc,
  id: id.optional(),
  method: z.enum(RPC_METHODS).meta({ description: 'Another method is answered with error -32601.' }),
  params: anyObject(
    'For tools/call: `name`, the name of a tool, and `arguments`, an object with its fields.',
  ).optional(),
});

export const A2aRequest = JsonRpcRequest.extend({
  method: text('`SendMessage` asks a question. The other methods of A2A 1.0 get the error that says why.'),
  params: anyObject(
    'For SendMessage: `message` with `messageId`, `role` "ROLE_USER" and `parts`, each with `text`.',
  ).optional(),
});

export const JsonRpcResponse = z.object({
  jsonrpc,
  id,
  result: anyObject('Of a success; depends on the method.').optional(),
  error: fault(z.int32().meta({ description: 'A code of JSON-RPC, MCP or A2A.' })).optional(),
});

export const JsonRpcError = z.object({
  jsonrpc,
  id: id.optional(),
  error: fault(
    z.int32().meta({
      description: RPC_MEANINGS.map(([code, meaning]) => `${code} ${meaning}`).join('; '),
      enum: RPC_MEANINGS.map(([code]) => code),
    }),
  ),
});

/** Every limit has `scope`, `policy`, `quota`, `windowSeconds`, `per` and `text`. */
export const McpDescriptor = anyObject('`name`, `protocolVersion`, `tools`, `limits` and more, for people.');
