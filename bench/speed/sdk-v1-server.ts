import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { readConfig } from '../../server/config/config.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { announce } from './announce.ts';
import { peerTools } from './peer-tools.ts';

/** The stateless pattern of the SDK's own examples: a server and a transport for every request. */
const brand = await loadBrand(readConfig(process.env), () => {});
const tools = peerTools(brand.ask);

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' });
  for (const { name, description, input, output, run } of tools)
    server.registerTool(name, { description, inputSchema: input.shape, outputSchema: output.shape }, run);
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
