import type { Child } from '../child.ts';
import { post } from '../load/load.ts';
import { distinctQuestions } from '../questions.ts';
import type { MeasuredCase } from '../rounds.ts';
import { UNKNOWN } from './stub-answer.ts';

export interface McpCase extends MeasuredCase {
  readonly server: string;
  readonly message: string;
}

const VERSION = '2026-07-28';

const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) });

const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
});

const QUESTIONS = distinctQuestions(5000);
const call = (query: string) => ({ name: 'ask_brand', arguments: { query } });

const HANDSHAKE: Readonly<Record<string, readonly Buffer[]>> = {
  initialize: [post('/mcp', INITIALIZE)],
  'tools/list': [post('/mcp', rpc('tools/list'))],
  'tools/call': QUESTIONS.map(query => post('/mcp', rpc('tools/call', call(query)))),
  'tools/call, no match': QUESTIONS.map(query => post('/mcp', rpc('tools/call', call(UNKNOWN + query)))),
};

const STATELESS: Readonly<Record<string, readonly Buffer[]>> = {
  'server/discover': [modern('server/discover')],
  'tools/list, 2026-07-28': [modern('tools/list')],
  'tools/call, 2026-07-28': QUESTIONS.map(query => modern('tools/call', call(query))),
};

/** What a round measures, in this order; servers that could not be installed have no rows. */
export function mcpCases(servers: Readonly<Record<string, Child>>): McpCase[] {
  const both = { ...HANDSHAKE, ...STATELESS };
  const rows: Readonly<Record<string, typeof both>> = {
    'raw echo': { 'tools/call': QUESTIONS.map(query => post('/echo', rpc('tools/call', call(query)))) },
    aval: both,
    'SDK v1, a server a request': HANDSHAKE,
    'SDK v2, createMcpHandler': both,
    'FastMCP, stateless': HANDSHAKE,
    'mcp-lite': HANDSHAKE,
  };
  return Object.entries(rows).flatMap(([server, messages]) => {
    const child = servers[server];
    return child ? Object.entries(messages).map(([message, requests]) => ({ server, message, child, requests })) : [];
  });
}

/** A request of MCP 2026-07-28 with the headers that mirror it. */
function modern(method: string, params: { name?: string } = {}): Buffer {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const mirrored = [
    `mcp-protocol-version: ${VERSION}`,
    `mcp-method: ${method}`,
    ...(params.name ? [`mcp-name: ${params.name}`] : []),
  ];
  const request = post('/mcp', rpc(method, { ...params, _meta })).toString();
  return Buffer.from(request.replace('mcp-protocol-version: 2025-06-18', mirrored.join('\r\n')));
}
