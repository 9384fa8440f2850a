/** Codes of JSON-RPC 2.0, of the contract for a refused rate, and of MCP 2026-07-28. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  rateLimited: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** Each code in words, as documents list them. */
export const RPC_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [RPC.parseError, 'parse error'],
  [RPC.invalidRequest, 'invalid request'],
  [RPC.methodNotFound, 'method not found'],
  [RPC.invalidParams, 'invalid params'],
  [RPC.internalError, 'internal error'],
  [RPC.rateLimited, 'rate limit'],
  [RPC.headerMismatch, 'header mismatch, of MCP 2026-07-28'],
  [RPC.unsupportedVersion, 'unsupported version, of MCP 2026-07-28'],
];

/** Every method that POST /mcp answers, in either revision. */
export const RPC_METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'server/discover',
  'notifications/initialized',
] as const;
