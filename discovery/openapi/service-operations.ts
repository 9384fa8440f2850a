import { STATUS_PATH } from '../../rest/routes.ts';
import { BUCKETS, type Bucket, limitText } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service.ts';
import { MCP_PATH } from '../documents/document.ts';
import type { Site } from '../documents/site.ts';
import { faultAnswers } from './faults.ts';
import { WITHOUT_QUOTA } from './headers.ts';
import { type Answer, responses } from './responses.ts';
import { schemaRef } from './schemas.ts';

const limit = (bucket: Bucket, { policies }: Site) => `Limit: ${limitText(bucket, policies)}.`;
const json = (schema: object) => ({ 'application/json': schema });

/** The path items that are no row of ROUTES. */
export function servicePaths(site: Site): Record<string, object> {
  return {
    [STATUS_PATH]: { get: statusOperation(site) },
    [MCP_PATH]: { get: descriptorOperation(site), post: messageOperation(site) },
  };
}

function statusOperation(site: Site) {
  return {
    tags: ['Status'],
    operationId: 'getStatus',
    summary: 'Liveness',
    description: `Answers while the service is up. ${limit(BUCKETS.status, site)}`,
    responses: responses(`GET ${STATUS_PATH}`, [
      { status: 200, description: 'The service is up.', content: json(schemaRef('StatusOk')) },
      ...faultAnswers([{ code: 'rate_limited' }]),
    ]),
  };
}

const FOREIGN = 'A web page of an origin that is not listed, or another host name, is behind the request.';

function descriptorOperation(site: Site) {
  return {
    tags: ['MCP'],
    operationId: 'getMcpDescriptor',
    summary: 'Describe the MCP endpoint',
    description: `Name, protocol version, tools and limits, for whoever opens the endpoint without speaking MCP. ${limit(BUCKETS.mcp, site)}`,
    responses: responses(`GET ${MCP_PATH}`, [
      { status: 200, description: 'The descriptor.', content: json(schemaRef('McpDescriptor')) },
      ...faultAnswers([
        { code: 'invalid_request', status: 403, when: FOREIGN },
        { code: 'method_not_allowed', when: 'The Accept header names text/event-stream: there is no event stream.' },
        { code: 'rate_limited' },
      ]),
    ]),
  };
}

function messageOperation(site: Site) {
  return {
    tags: ['MCP'],
    operationId: 'sendMcpMessage',
    summary: 'Send a JSON-RPC message',
    description:
      `Model Context Protocol ${SERVICE.supportedProtocolVersions.join(' and ')}, Streamable HTTP with JSON responses: no session, no event ` +
      `stream. ${limit(BUCKETS.mcp, site)} Submitted actions have limits of their own: ` +
      `${limitText(BUCKETS.actions, site.policies)}, ${limitText(BUCKETS['actions-service'], site.policies)}.`,
    requestBody: {
      required: true,
      description: 'One message; batches are not part of this revision.',
      content: {
        'application/json': {
          schema: schemaRef('JsonRpcRequest'),
          example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        },
      },
    },
    responses: responses(`POST ${MCP_PATH}`, [
      {
        status: 200,
        description: 'The result of the request, or a protocol error that concerns its method or params alone.',
        content: json(schemaRef('JsonRpcResponse')),
      },
      { status: 202, description: 'A notification was received; there is nothing to poll.' },
      ...RPC_FAULTS.map(fault => ({ ...fault, content: json(schemaRef('JsonRpcError')) })),
    ]),
  };
}

const RPC_FAULTS: readonly Answer[] = [
  {
    status: 400,
    description:
      'Parse error (-32700), invalid request (-32600), or headers that do not fit it. The one response without ' +
      'rate-limit headers.',
    common: WITHOUT_QUOTA,
  },
  { status: 403, description: FOREIGN },
  { status: 404, description: `Method not found (-32601), for requests of MCP ${SERVICE.statelessProtocolVersion}.` },
  { status: 413, description: 'The body is too large; the message says how large it may be.' },
  { status: 429, description: 'A limit is exceeded (-32000).', headers: ['Retry-After'] },
];
