import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { announce } from './announce.ts';
import { DESCRIPTION, INPUT, NAME, OUTPUT, resultOf } from './mcp-stub.ts';

/** The stateless pattern of the SDK's own examples: a server and a transport for every request. */
async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' });
  const config = { description: DESCRIPTION, inputSchema: INPUT, outputSchema: OUTPUT };
  server.registerTool(NAME, config, async ({ query }) => ({ ...resultOf(query) }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  // The SDK types its own transport against looser optional members than exactOptionalPropertyTypes allows.
  await server.connect(transport as Parameters<McpServer['connect']>[0]);
  await transport.handleRequest(request, response);
}

announce(createServer((request, response) => void handle(request, response)));
