import { createServer } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { H3, toNodeHandler } from 'h3';
import * as z from 'zod';
import { announce } from './announce.ts';
import { DESCRIPTION, INPUT, NAME, OUTPUT, resultOf } from './mcp-stub.ts';

/** The handler of SDK v2, which serves both revisions: JSON to requests of 2026-07-28, an event stream to the others. */
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'sdk-v2', version: '1.0.0' });
  const config = { description: DESCRIPTION, inputSchema: z.object(INPUT), outputSchema: z.object(OUTPUT) };
  server.registerTool(NAME, config, async ({ query }) => ({ ...resultOf(query) }));
  return server;
});

const app = new H3().all('/mcp', event => handler.fetch(event.req));
announce(createServer(toNodeHandler(app)));
