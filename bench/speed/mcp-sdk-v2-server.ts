import { createServer } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { H3, toNodeHandler } from 'h3';
import { announce } from './announce.ts';
import { peerTools } from './peer-tools.ts';
import { answerTo } from './stub-answer.ts';

const tools = peerTools(answerTo);

/** The handler of SDK v2, which serves both revisions: JSON to requests of 2026-07-28, an event stream to the others. */
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'sdk-v2', version: '1.0.0' });
  for (const { name, description, input, output, run } of tools)
    server.registerTool(name, { description, inputSchema: input, outputSchema: output }, run);
  return server;
});

const app = new H3().all('/mcp', event => handler.fetch(event.req));
announce(createServer(toNodeHandler(app)));
