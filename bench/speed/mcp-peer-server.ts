import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { H3, toNodeHandler } from 'h3';
import * as z from 'zod';
import { announce } from './announce.ts';
import { peerTools } from './peer-tools.ts';
import { answerTo } from './stub-answer.ts';

/**
 * A framework that is no dependency of ours, from the folder it was installed into.
 * usage: mcp-peer-server.ts fastmcp|mcp-lite FOLDER
 */
const [peer = '', folder = ''] = process.argv.slice(2);
const door = join(folder, `${peer}.mjs`);
writeFileSync(door, `export * from '${peer}';\n`);
const library = await import(pathToFileURL(door).href);

const tools = peerTools(answerTo);

const PEERS: Readonly<Record<string, () => Promise<void>>> = {
  async fastmcp() {
    const server = new library.FastMCP({ name: 'fastmcp', version: '1.0.0', logger: silent() });
    for (const { name, description, input, run } of tools)
      server.addTool({ name, description, parameters: input, execute: run });
    const port = await freePort();
    const httpStream = { port, host: '127.0.0.1', stateless: true, enableJsonResponse: true };
    await server.start({ transportType: 'httpStream', httpStream });
    process.stderr.write(`${JSON.stringify({ port })}\n`);
  },
  async 'mcp-lite'() {
    const schemaAdapter = (schema: z.ZodType) => z.toJSONSchema(schema);
    const server = new library.McpServer({ name: 'mcp-lite', version: '1.0.0', schemaAdapter });
    for (const { name, description, input, output, run } of tools)
      server.tool(name, { description, inputSchema: input, outputSchema: output, handler: run });
    const serve = new library.StreamableHttpTransport().bind(server);
    announce(createServer(toNodeHandler(new H3().all('/mcp', event => serve(event.req)))));
  },
};
await PEERS[peer]?.();

function silent() {
  const nothing = () => {};
  return { debug: nothing, error: nothing, info: nothing, log: nothing, warn: nothing };
}

/** FastMCP listens itself, and does not tell on which port. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
