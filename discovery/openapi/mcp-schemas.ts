import { TOOLS } from '../../tools/index.ts';
import { SERVICE } from '../../tools/service.ts';

const text = (description: string, more: object = {}) => ({ type: 'string', description, maxLength: 4000, ...more });
const fixed = (value: string, description: string) => ({ type: 'string', const: value, description });
const whole = (description: string) => ({
  type: 'integer',
  format: 'int32',
  minimum: 1,
  maximum: 9_999_999,
  description,
});

const VERSION = fixed('2.0', 'JSON-RPC version.');
const ID = {
  type: ['string', 'integer', 'null'],
  description: 'Names the request; the answer carries the same.',
};

const ERROR = {
  type: 'object',
  description: 'What went wrong.',
  required: ['code', 'message'],
  properties: {
    code: {
      type: 'integer',
      format: 'int32',
      description:
        '-32700 parse error, -32600 invalid request, -32601 method not found, -32602 invalid params, ' +
        '-32603 internal error, -32000 rate limit; of MCP 2026-07-28: -32020 header mismatch, -32022 unsupported version.',
      enum: [-32700, -32600, -32601, -32602, -32603, -32000, -32020, -32022],
    },
    message: text('What happened and what to do, for people.'),
    data: { type: 'object', description: 'The body of the REST error, where there is one.' },
  },
};

/** JSON-RPC 2.0 as MCP uses it, and the descriptor of GET /mcp. */
export const MCP_SCHEMAS = {
  JsonRpcRequest: {
    type: 'object',
    description:
      'One JSON-RPC 2.0 message. Without an id it is a notification, which is acknowledged and has no answer.',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: VERSION,
      id: ID,
      method: {
        type: 'string',
        description: 'Another method is answered with error -32601.',
        enum: ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'notifications/initialized'],
      },
      params: {
        type: 'object',
        description: `For tools/call: \`name\`, one of ${TOOLS.map(({ name }) => name).join(', ')}, and \`arguments\`, an object with the fields of the tool.`,
      },
    },
  },
  JsonRpcResponse: {
    type: 'object',
    description:
      'The answer to a request: a result, or a protocol error. A tool that failed is a result with `isError` true and ' +
      'the body of the REST error as text.',
    required: ['jsonrpc', 'id'],
    properties: {
      jsonrpc: VERSION,
      id: ID,
      result: { type: 'object', description: 'Of a success; depends on the method.' },
      error: ERROR,
    },
  },
  JsonRpcError: {
    type: 'object',
    description:
      'A protocol error. An id that is not known is null, or absent where the request was one of MCP 2026-07-28.',
    required: ['jsonrpc', 'error'],
    properties: { jsonrpc: VERSION, id: ID, error: ERROR },
  },
  McpDescriptor: {
    type: 'object',
    description: 'What the MCP endpoint is.',
    required: [
      ...['name', 'title', 'version', 'protocolVersion', 'supportedProtocolVersions'],
      ...['transport', 'authentication', 'tools', 'limits'],
    ],
    properties: {
      name: fixed(SERVICE.name, 'Name of the server.'),
      title: text('Name of the brand, for people.'),
      description: text('What the brand does, where its profile says it.'),
      version: fixed(SERVICE.version, 'Version of the server.'),
      protocolVersion: fixed(SERVICE.protocolVersion, 'MCP revision.'),
      supportedProtocolVersions: {
        type: 'array',
        description: 'Every MCP revision that is answered.',
        maxItems: 10,
        items: text('A revision.'),
      },
      transport: {
        type: 'object',
        description: 'How the endpoint is reached.',
        required: ['type', 'url', 'responses'],
        properties: {
          type: text('Kind of transport.'),
          url: text('Address of the endpoint.', { format: 'uri' }),
          responses: text('Media type of the answers.'),
        },
      },
      authentication: fixed('none', 'There is no authentication.'),
      tools: {
        type: 'array',
        description: 'The tools; tools/list gives their schemas.',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['name', 'title', 'description'],
          properties: {
            name: text('Name of the tool.'),
            title: text('Its name, for people.'),
            description: text('What it does, when to use it and when not.'),
          },
        },
      },
      limits: {
        type: 'array',
        description: 'Every limit of the service.',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['scope', 'policy', 'quota', 'windowSeconds', 'per', 'text'],
          properties: {
            scope: text('What is counted together.'),
            policy: text('Name of the policy, as in the RateLimit headers.'),
            quota: whole('How many are accepted in a window.'),
            windowSeconds: whole('Length of the window in seconds.'),
            per: { type: 'string', enum: ['client', 'service'], description: 'Who shares the count.' },
            text: text('The limit in words.'),
          },
        },
      },
    },
  },
};
