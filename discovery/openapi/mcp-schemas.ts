import * as z from 'zod';
import { REVISIONS, RPC_METHODS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { RPC_MEANINGS } from '../documents/limit-rows.ts';

/** JSON-RPC 2.0 as MCP and A2A use it, and the descriptor of GET /mcp. */

const text = (description: string) => z.string().max(4000).meta({ description });
const anyObject = (description: string) => z.looseObject({}).meta({ description });
const positiveInteger = (description: string) => z.int().min(1).max(499_999_950).meta({ description });

const jsonrpc = z.literal('2.0').meta({ description: 'JSON-RPC version.' });
// In words of JSON Schema: a union of zod would be an anyOf, which generators turn into a class.
const id = z.unknown().meta({
  type: ['string', 'integer', 'null'],
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Names the request; the answer carries the same.',
});

const fault = z
  .object({
    code: z.int32().meta({
      description: RPC_MEANINGS.map(([code, meaning]) => `${code} ${meaning}`).join('; '),
      enum: RPC_MEANINGS.map(([code]) => code),
    }),
    message: text('What happened and what to do, for people.'),
    data: anyObject('The ApiError, where there is one.').optional(),
  })
  .meta({ description: 'What went wrong.' });

export const JsonRpcRequest = z.object({
  jsonrpc,
  id: id.optional(),
  method: z.enum(RPC_METHODS).meta({ description: 'Another method is answered with error -32601.' }),
  params: anyObject(
    'For tools/call: `name`, the name of a tool, and `arguments`, an object with its fields.',
  ).optional(),
});

export const JsonRpcResponse = z.object({
  jsonrpc,
  id,
  result: anyObject('Of a success; depends on the method.').optional(),
  error: fault.optional(),
});

export const JsonRpcError = z.object({ jsonrpc, id: id.optional(), error: fault });

export const A2aRequest = z.object({
  jsonrpc,
  id: id.optional(),
  method: text('`SendMessage` asks a question. The other methods of A2A 1.0 get the error that says why.'),
  params: anyObject(
    'For SendMessage: `message` with `messageId`, `role` "ROLE_USER" and `parts`, each with `text`.',
  ).optional(),
});

export const A2aResponse = z.object({
  jsonrpc,
  id,
  result: anyObject('`message`, whose part has the answer of /ask as `data`.').optional(),
  error: z
    .object({
      code: z
        .int32()
        .meta({ description: 'A code of JSON-RPC or of A2A 1.0, such as -32009: version not supported.' }),
      message: text('What happened and what to do, for people.'),
      data: z.unknown().optional().meta({ description: 'Details, where there are any.' }),
    })
    .meta({ description: 'What went wrong.' })
    .optional(),
});

const McpTool = z.object({
  name: text('Name of the tool.'),
  title: text('Its name, for people.'),
  description: text('What it does, when to use it and when not.'),
});

const Limit = z.object({
  scope: text('What is counted together.'),
  policy: text('Name of the policy, as in the RateLimit headers.'),
  quota: positiveInteger('How many are accepted in a window.'),
  windowSeconds: positiveInteger('Length of the window in seconds.'),
  per: z.enum(['client', 'network', 'service']).meta({ description: 'Who shares the count.' }),
  text: text('The limit in words.'),
});

export const McpDescriptor = z.object({
  name: z.literal(SERVICE.name).meta({ description: 'Name of the server.' }),
  title: text('Whose server it is, for people.'),
  description: text('What the brand does; absent where its profile does not say.').optional(),
  version: z.literal(SERVICE.version).meta({ description: 'Version of the server.' }),
  protocolVersion: z.literal(REVISIONS.handshake).meta({ description: 'MCP revision of the handshake.' }),
  supportedProtocolVersions: z
    .array(z.enum(SUPPORTED_REVISIONS))
    .max(10)
    .meta({ description: 'Every MCP revision that is answered.' }),
  transport: z
    .object({
      type: text('Kind of transport.'),
      url: text('Address of the endpoint.').meta({ format: 'uri' }),
      responses: text('Media type of the answers.'),
    })
    .meta({ description: 'How the endpoint is reached.' }),
  authentication: z.literal('none').meta({ description: 'There is no authentication.' }),
  tools: z.array(McpTool).max(100).meta({ description: 'The tools; tools/list gives their schemas.' }),
  limits: z.array(Limit).max(100).meta({ description: 'Every limit of the service.' }),
});
