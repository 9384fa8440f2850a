import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createServer, registerTools } from 'aval';

// Each brand has a profile, a data folder and limits of its own. The prefix keeps the names of its tools apart.
const [one, two] = await Promise.all([
  createServer({ BASE_URL: 'https://one.example', BRAND_FILE: process.env.ONE, DATA_DIR: '.aval/one' }),
  createServer({ BASE_URL: 'https://two.example', BRAND_FILE: process.env.TWO, DATA_DIR: '.aval/two' }),
]);
// The second only answers: it takes no submissions.
const selected = [one.select({ prefix: 'one_' }), two.select({ prefix: 'two_', only: ['ask_brand'] })];
const instructions = selected.map(tools => tools.instructions).join('\n');
const server = new McpServer({ name: 'two-brands', version: '1.0.0' }, { instructions });
registerTools(server, one, { prefix: 'one_' });
registerTools(server, two, { prefix: 'two_', only: ['ask_brand'] });

await server.connect(new StdioServerTransport());
process.stdin.once('end', () => Promise.all([one.close(), two.close()]));
