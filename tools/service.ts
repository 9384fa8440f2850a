/** What the service is called and which versions it speaks. Every card, document and status line reads it here. */
export const SERVICE = {
  name: 'aval',
  title: 'Aval',
  /** Equals the version in package.json; a test keeps them together. */
  version: '0.1.0',
  /** Major version of the REST API, as sent in `API-Version`. */
  apiVersion: '1',
  /** MCP revision answered to every `initialize`. */
  protocolVersion: '2025-06-18',
  /** MCP revision of requests that carry their own version, without `initialize`. */
  statelessProtocolVersion: '2026-07-28',
  /** All of them, newest first, as cards and `server/discover` list them. */
  supportedProtocolVersions: ['2026-07-28', '2025-06-18'],
  /** A person answers a submission within this many hours. */
  replyHours: 48,
  /** Confirmations by mail that one address gets in 24 hours. */
  confirmationsPerDay: 3,
} as const;
