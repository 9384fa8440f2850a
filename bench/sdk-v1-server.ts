import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';
import { Boundary, Metric, Proof } from '../brand/schema.ts';
import { readConfig } from '../server/config.ts';
import { loadBrand } from '../server/load-brand.ts';
import { announce } from './announce.ts';

/** The pattern of the SDK's own examples: a server and a transport for every request, the same tool behind it. */
const brand = await loadBrand(readConfig({}), () => {});
brand.warm(4000);

const outputSchema = {
  brand: z.string(),
  query: z.string(),
  matches: z.array(
    z.object({
      claim_id: z.string(),
      statement: z.string(),
      category: z.string(),
      metric: Metric.optional(),
      boundary: Boundary,
      confidence: z.string(),
      similarity: z.number(),
      proofs: z.array(Proof),
    }),
  ),
};

function buildServer(): McpServer {
  const server = new McpServer({ name: 'sdk', version: '1.0.0' });
  const description = 'Answers a question with claims of the brand profile.';
  server.registerTool(
    'ask_brand',
    { description, inputSchema: { query: z.string().min(1) }, outputSchema },
    async ({ query }) => {
      const answer = await brand.ask(query);
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } };
    },
  );
  return server;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const server = buildServer();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  // The SDK types its own transport against looser optional members than exactOptionalPropertyTypes allows.
  await server.connect(transport as Parameters<McpServer['connect']>[0]);
  await transport.handleRequest(request, response);
}

const server = createServer((request, response) => void handle(request, response));
announce(server);
