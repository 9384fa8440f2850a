import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { create, insertMultiple, search } from '@orama/orama';
import * as z from 'zod';

// What a developer writes with the official SDK and Orama: the claims of a profile, by full text.
const { claims } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const texts = claims.map(({ claim_id, statement, metric, boundary }) => ({
  id: claim_id,
  text: `${statement} ${metric?.name ?? ''} ${boundary.applicable_for} ${boundary.not_applicable_for}`,
}));
const database = create({ schema: { text: 'string' } });
await insertMultiple(database, texts);
const byId = new Map(claims.map(claim => [claim.claim_id, claim]));

const server = new McpServer({ name: 'orama', version: '1.0.0' });
const config = { description: 'Claims that answer a question.', inputSchema: { query: z.string() } };
server.registerTool('search', config, async ({ query }) => {
  const { hits } = await search(database, { term: query, limit: 5 });
  const matches = hits.map(({ id, score }) => ({ ...byId.get(id), score }));
  return { content: [{ type: 'text', text: JSON.stringify({ matches }) }] };
});
await server.connect(new StdioServerTransport());
