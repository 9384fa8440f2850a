import type { ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Error codes of JSON-RPC 2.0 and MCP 2026-07-28, and the contract's code for a rate limit. */
export const RPC = {
  parseError: -32700 satisfies ProtocolErrorCode.ParseError,
  invalidRequest: -32600 satisfies ProtocolErrorCode.InvalidRequest,
  methodNotFound: -32601 satisfies ProtocolErrorCode.MethodNotFound,
  invalidParams: -32602 satisfies ProtocolErrorCode.InvalidParams,
  internalError: -32603 satisfies ProtocolErrorCode.InternalError,
  rateLimited: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022 satisfies ProtocolErrorCode.UnsupportedProtocolVersion,
} as const;

/** These codes with their meaning: `-32700`, `parse error`. */
export const RPC_MEANINGS: readonly (readonly [code: number, meaning: string])[] = Object.entries(RPC).map(
  ([name, code]) => [code, name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)],
);

/**
 * Revisions of MCP: the contract's, which begins with `initialize`, and the newer one without it.
 */
export const REVISIONS = { handshake: '2025-06-18', stateless: '2026-07-28' } as const;

/** Revisions that `initialize` accepts, newest first: the SDK's, up to the contract's. */
export const HANDSHAKE_REVISIONS = [REVISIONS.handshake, '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** All served revisions, newest first, for cards. */
export const SUPPORTED_REVISIONS = [REVISIONS.stateless, ...HANDSHAKE_REVISIONS] as const;

/** Methods of POST /mcp by kind of revision. */
export const METHODS = {
  handshake: ['initialize', 'ping', 'tools/list', 'tools/call', 'notifications/initialized'],
  stateless: ['server/discover', 'tools/list', 'tools/call'],
} as const;

/** All methods of POST /mcp, of any revision. */
export const RPC_METHODS = [...new Set(Object.values(METHODS).flat())];
