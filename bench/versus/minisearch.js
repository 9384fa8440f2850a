import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import MiniSearch from 'minisearch';
import * as z from 'zod';

// What a developer writes with the official SDK and MiniSearch: the claims of a profile, searched by their words.
const { claims } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const texts = claims.map(({ claim_id, statement, metric, boundary }) => ({
  id: claim_id,
  text: `${statement} ${metric?.name ?? ''} ${boundary.applicable_for} ${boundary.not_applicable_for}`,
}));
const index = new MiniSearch({ fields: ['text'], searchOptions: { prefix: true, fuzzy: 0.2 } });
index.addAll(texts);
const byId = new Map(claims.map(claim => [claim.claim_id, claim]));

const server = new McpServer({ name: 'minisearch', version: '1.0.0' });
const config = { description: 'Claims that answer a question.', inputSchema: { query: z.string() } };
server.registerTool('search', config, async ({ query }) => {
  const hits = index.search(query).slice(0, 5);
  const matches = hits.map(({ id, score }) => ({ ...byId.get(id), score }));
  return { content: [{ type: 'text', text: JSON.stringify({ matches }) }] };
});
await server.connect(new StdioServerTransport());
