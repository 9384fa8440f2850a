import { STATUS_PATH } from '../../rest/routes.ts';
import { BUCKETS } from '../../tools/policies.ts';
import { REVISIONS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { A2A_VERSION } from '../documents/agent-card.ts';
import { A2A_PATH, MCP_PATH } from '../documents/document.ts';
import { hasActions } from '../documents/guidance.ts';
import { limitText } from '../documents/limit-rows.ts';
import type { Site } from '../documents/site.ts';
import { type Answer, faultAnswers, isLinked, jsonContent, limitSentence, responses } from './responses.ts';

/** The path items that are no row of ROUTES. */
export function servicePaths(site: Site): Record<string, object> {
  return {
    [STATUS_PATH]: { get: statusOperation(site) },
    [MCP_PATH]: { get: descriptorOperation(site), post: messageOperation(site) },
    ...(!site.off.has('a2a') && { [A2A_PATH]: { post: a2aOperation(site) } }),
  };
}

function statusOperation(site: Site) {
  const answers = [
    { status: 200, description: 'The service is up.', content: jsonContent('StatusOk') },
    ...faultAnswers([{ code: 'rate_limited' }]),
  ];
  return {
    tags: ['Status'],
    operationId: 'getStatus',
    summary: 'Liveness',
    description: `Answers while the service is up. ${limitSentence(BUCKETS.status, site)}`,
    responses: responses(answers, isLinked(site)),
  };
}

const FOREIGN = 'A web page of an origin that is not listed, or another host name, is behind the request.';

function descriptorOperation(site: Site) {
  const answers = [
    { status: 200, description: 'The descriptor.', content: jsonContent('McpDescriptor') },
    ...faultAnswers([
      { code: 'invalid_request', status: 403, when: FOREIGN },
      {
        code: 'method_not_allowed',
        when: 'The Accept header names text/event-stream: there is no event stream.',
      },
      { code: 'rate_limited' },
    ]),
  ];
  return {
    tags: ['MCP'],
    operationId: 'getMcpDescriptor',
    summary: 'Describe the MCP endpoint',
    description: `Name, protocol versions, tools and limits, for whoever opens the endpoint without speaking MCP. ${limitSentence(BUCKETS.mcp, site)}`,
    responses: responses(answers, false),
  };
}

function messageOperation(site: Site) {
  const { policies } = site;
  return {
    tags: ['MCP'],
    operationId: 'sendMcpMessage',
    summary: 'Send a JSON-RPC message',
    description:
      `Model Context Protocol ${SUPPORTED_REVISIONS.join(', ')}, Streamable HTTP with JSON responses: ` +
      `no session, no event stream. ${limitSentence(BUCKETS.mcp, site)}${hasActions(site) ? ` Submitted actions have limits of their own: ${limitText(BUCKETS.actions, policies)}, ${limitText(BUCKETS['actions-service'], policies)}.` : ''}`,
    requestBody: {
      required: true,
      description: 'One message, no batch.',
      content: jsonContent('JsonRpcRequest', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    },
    responses: responses(MESSAGE_ANSWERS, false),
  };
}

function a2aOperation(site: Site) {
  const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'What do you do?' }] };
  const answers: Answer[] = [
    {
      status: 200,
      description: 'The answer to the message, or an error of A2A.',
      content: jsonContent('A2aResponse'),
    },
    { status: 202, description: 'A notification was received; there is nothing to poll.' },
    { status: 400, description: 'The body is no JSON-RPC request.', content: jsonContent('A2aResponse') },
    { status: 413, description: 'The body is too large.', content: jsonContent('A2aResponse') },
    {
      status: 429,
      description: 'A limit is exceeded (-32000).',
      content: jsonContent('A2aResponse'),
      headers: ['Retry-After'],
    },
  ];
  return {
    tags: ['A2A'],
    operationId: 'sendA2aMessage',
    summary: 'Ask over A2A',
    description: `Agent2Agent ${A2A_VERSION} over JSON-RPC, read-only: SendMessage answers the words of a message as /ask does. ${limitSentence(BUCKETS.a2a, site)}`,
    parameters: [
      {
        name: 'A2A-Version',
        in: 'header',
        required: false,
        description: `Send ${A2A_VERSION}. Without it, and for other versions, the answer is error -32009.`,
        schema: { type: 'string', maxLength: 20 },
        example: A2A_VERSION,
      },
    ],
    requestBody: {
      required: true,
      description: 'One request, no batch.',
      content: jsonContent('A2aRequest', {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: { message },
      }),
    },
    responses: responses(answers, false),
  };
}

const MESSAGE_ANSWERS: readonly Answer[] = [
  {
    status: 200,
    description: 'The result of the request, or a protocol error that concerns its method or params alone.',
    content: jsonContent('JsonRpcResponse', { jsonrpc: '2.0', id: 1, result: {} }),
  },
  { status: 202, description: 'A notification was received; there is nothing to poll.' },
  {
    status: 400,
    description:
      'Parse error (-32700), invalid request (-32600), or headers that do not fit it. The one response without ' +
      'rate-limit headers.',
    content: jsonContent('JsonRpcError'),
    hidesLimits: true,
  },
  { status: 403, description: FOREIGN, content: jsonContent('JsonRpcError') },
  {
    status: 404,
    description: `Method not found (-32601), for requests of MCP ${REVISIONS.stateless}.`,
    content: jsonContent('JsonRpcError'),
  },
  {
    status: 413,
    description: 'The body is too large; the message says how large it may be.',
    content: jsonContent('JsonRpcError'),
  },
  {
    status: 429,
    description: 'A limit is exceeded (-32000).',
    content: jsonContent('JsonRpcError'),
    headers: ['Retry-After'],
  },
];
