import { assertMessage, exchangeJson, request } from './mcp-messages.ts';

/** What every request of MCP 2026-07-28 says about itself. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of MCP 2026-07-28 with id 1. */
export const modern = (method: string, params: object = {}, meta: object = META) => ({
  ...request(method),
  params: { ...params, _meta: meta },
});

type Modern = ReturnType<typeof modern>;

export const modernCall = (name: string, args: unknown) => modern('tools/call', { name, arguments: args });

/** The headers that repeat a request. */
export function mirrors({ method, params }: Modern): Record<string, string> {
  return {
    'mcp-protocol-version': Object(params._meta)['io.modelcontextprotocol/protocolVersion'],
    'mcp-method': method,
    ...('name' in params && { 'mcp-name': String(params.name) }),
  };
}

/** Sends a request as MCP 2026-07-28 does, and compares the answer with its schema. */
export async function sendModern(url: string, message: Modern, changed: Record<string, string> = {}) {
  const { response, message: answer } = await exchangeJson(url, message, { ...mirrors(message), ...changed });
  assertMessage('2026-07-28', 'error' in answer ? 'JSONRPCErrorResponse' : 'JSONRPCResultResponse', answer);
  return { status: response.status, headers: response.headers, ...answer };
}
