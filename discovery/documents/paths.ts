/** Where the two JSON-RPC endpoints are. The paths of the REST facade stand in its own table, rest/routes.ts. */
export const MCP_PATH = '/mcp';
export const A2A_PATH = '/a2a';
