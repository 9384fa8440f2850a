import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { readConfig } from '../../server/config/config.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { serve } from '../../test/support/serve.ts';
import { TOOLS } from '../../tools/index.ts';

/** The stateless pattern of the SDK's own examples: a server and a transport for every request. */
const brand = await loadBrand(readConfig(process.env), () => {});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' });
  // As a user of an SDK writes them. Only questions are sent, so each of them asks.
  for (const { name, description, input, output } of TOOLS)
    server.registerTool(name, { description, inputSchema: input.shape, outputSchema: output.shape }, ask);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  // The SDK types its own transport against looser optional members than exactOptionalPropertyTypes allows.
  await server.connect(transport as Parameters<McpServer['connect']>[0]);
  await transport.handleRequest(request, response);
}

async function ask({ query }: Record<string, unknown>) {
  const answer = await brand.ask(String(query));
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
  };
}

const url = await serve({ after: () => {} }, (request, response) => void handle(request, response));
process.stderr.write(`${JSON.stringify({ url })}\n`);
