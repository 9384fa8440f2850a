import type {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';

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

/** The revisions of MCP that we serve: `initialize` answers the first; requests with their own version use the second. */
export const REVISIONS = { handshake: '2025-06-18', stateless: '2026-07-28' } as const;

/** Newest first, as cards and `server/discover` list them. */
export const SUPPORTED_REVISIONS = [REVISIONS.stateless, REVISIONS.handshake] as const;

/** What POST /mcp answers, by revision. */
export const METHODS = {
  [REVISIONS.handshake]: ['initialize', 'ping', 'tools/list', 'tools/call', 'notifications/initialized'],
  [REVISIONS.stateless]: ['server/discover', 'tools/list', 'tools/call'],
} as const;

/** Every method that POST /mcp answers, in either revision. */
export const RPC_METHODS: readonly string[] = [...new Set(Object.values(METHODS).flat())];

/** Reserved members of `_meta` (MCP 2026-07-28, Overview). */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion' satisfies typeof PROTOCOL_VERSION_META_KEY,
  capabilities: 'io.modelcontextprotocol/clientCapabilities' satisfies typeof CLIENT_CAPABILITIES_META_KEY,
  serverInfo: 'io.modelcontextprotocol/serverInfo' satisfies typeof SERVER_INFO_META_KEY,
} as const;
