import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createServer, registerTools } from 'aval';

// Each brand has a profile, a data folder and limits of its own. The prefix keeps the names of its tools apart.
const [one, two] = await Promise.all([
  createServer({ BASE_URL: 'https://one.example', BRAND_FILE: process.env.ONE, DATA_DIR: '.aval/one' }),
  createServer({ BASE_URL: 'https://two.example', BRAND_FILE: process.env.TWO, DATA_DIR: '.aval/two' }),
]);
const instructions = `${one.instructions('one_')}\n${two.instructions('two_')}`;
const server = new McpServer({ name: 'two-brands', version: '1.0.0' }, { instructions });
registerTools(server, one.tools({ prefix: 'one_' }));
registerTools(server, two.tools({ prefix: 'two_', only: ['ask_brand'] })); // it takes no submissions

await server.connect(new StdioServerTransport());
process.stdin.once('end', () => Promise.all([one.close(), two.close()]));
