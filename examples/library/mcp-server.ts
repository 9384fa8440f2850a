import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createServer, registerTools } from 'aval';

const aval = await createServer({ ...process.env, BASE_URL: 'https://norteclaro.example' });

// The server that is there already, with tools of its own.
const server = new McpServer({ name: 'norte-claro', version: '1.0.0' });
server.registerTool('opening_hours', { description: 'When the office is open.' }, async () => ({
  content: [{ type: 'text', text: 'Monday to Friday, 9 to 17 h' }],
}));
registerTools(server, aval.tools());

await server.connect(new StdioServerTransport());
process.stdin.once('end', () => aval.close());
