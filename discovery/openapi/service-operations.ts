import { STATUS_PATH } from '../../rest/routes.ts';
import { BUCKETS } from '../../tools/policies.ts';
import { REVISIONS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { A2A_VERSION } from '../documents/agent-card.ts';
import { A2A_PATH, MCP_PATH } from '../documents/document.ts';
import { limitText } from '../documents/guidance.ts';
import type { Site } from '../documents/site.ts';
import { type Answer, errorAnswers, jsonContent, refusal, responses } from './responses.ts';

/** Path items of endpoints that call no single tool: status, MCP, A2A. */
export function servicePaths(site: Site): Record<string, object> {
  return {
    [STATUS_PATH]: { get: statusOperation(site) },
    [MCP_PATH]: { get: descriptorOperation(site), post: messageOperation(site) },
    ...(!site.off.has('a2a') && { [A2A_PATH]: { post: a2aOperation(site) } }),
  };
}

function statusOperation({ policies }: Site): object {
  const up: Answer = { status: 200, description: 'The service is up.', schema: 'StatusOk' };
  return {
    tags: ['Status'],
    operationId: 'getStatus',
    summary: 'Liveness',
    description: `Answers while the service is up. Limit: ${limitText(BUCKETS.status, policies)}.`,
    responses: responses([up, ...errorAnswers(['rate_limited'])]),
  };
}

function descriptorOperation({ policies }: Site): object {
  const noStream = 'The Accept header names text/event-stream: there is no event stream.';
  return {
    tags: ['MCP'],
    operationId: 'getMcpDescriptor',
    summary: 'Describe the MCP endpoint',
    description:
      'Name, protocol versions, tools and limits, for whoever opens the endpoint without speaking ' +
      `MCP. Limit: ${limitText(BUCKETS.mcp, policies)}.`,
    responses: responses([
      { status: 200, description: 'The descriptor.', schema: 'McpDescriptor' },
      refusal(403),
      ...errorAnswers(['method_not_allowed', 'rate_limited'], { method_not_allowed: noStream }),
    ]),
  };
}

function messageOperation({ policies }: Site): object {
  return {
    tags: ['MCP'],
    operationId: 'sendMcpMessage',
    summary: 'Send a JSON-RPC message',
    description:
      `Model Context Protocol ${SUPPORTED_REVISIONS.join(', ')}, Streamable HTTP with JSON responses: ` +
      `no session, no event stream. Limit: ${limitText(BUCKETS.mcp, policies)}; actions have ` +
      'limits of their own.',
    requestBody: rpcBody('JsonRpcRequest', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    responses: responses([
      ...RPC_ANSWERS,
      {
        status: 400,
        description:
          'Parse error (-32700), invalid request (-32600), or headers that do not fit it. The ' +
          'one response without ' +
          'rate-limit headers.',
        schema: 'JsonRpcError',
        hidesLimits: true,
      },
      refusal(403, 'JsonRpcError'),
      {
        status: 404,
        description: `Method not found (-32601), for requests of MCP ${REVISIONS.stateless}.`,
        schema: 'JsonRpcError',
      },
    ]),
  };
}

function a2aOperation({ policies }: Site): object {
  const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'What do you do?' }] };
  const version = {
    name: 'A2A-Version',
    in: 'header',
    required: false,
    description: `Send ${A2A_VERSION}. Without it, and for other versions, the answer is error -32009.`,
    schema: { type: 'string', maxLength: 20 },
    example: A2A_VERSION,
  };
  return {
    tags: ['A2A'],
    operationId: 'sendA2aMessage',
    summary: 'Ask over A2A',
    description:
      `Agent2Agent ${A2A_VERSION} over JSON-RPC, read-only: SendMessage answers the words of a ` +
      `message as /ask does. Limit: ${limitText(BUCKETS.a2a, policies)}.`,
    parameters: [version],
    requestBody: rpcBody('A2aRequest', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
    responses: responses([
      ...RPC_ANSWERS,
      { status: 400, description: 'The body is no JSON-RPC request.', schema: 'JsonRpcError' },
    ]),
  };
}

function rpcBody(schema: string, example: object): object {
  return {
    required: true,
    description: 'One message, no batch.',
    content: jsonContent(schema, example),
  };
}

/** Answers that MCP and A2A share. */
const RPC_ANSWERS: readonly Answer[] = [
  {
    status: 200,
    description: 'The result of the request, or an error of its protocol.',
    schema: 'JsonRpcResponse',
    example: { jsonrpc: '2.0', id: 1, result: {} },
  },
  { status: 202, description: 'A notification was received; there is nothing to poll.' },
  refusal(413, 'JsonRpcError'),
  { status: 429, description: 'A limit is exceeded (-32000).', schema: 'JsonRpcError' },
];
