import type { IncomingMessage } from 'node:http';
import type { HeaderPairs } from '../../rest/reply.ts';
import { allowedMethods, type Resource } from '../../rest/resource.ts';
import type { Gate } from './origin.ts';

/**
 * What a web page of another origin may do (Fetch standard, CORS protocol). No credentials exist, so documents and
 * questions are open to anyone; where something can be sent in a visitor's name, only listed origins may read.
 */
export function corsHeaders(
  resource: Resource | undefined,
  { method, headers }: IncomingMessage,
  gate: Gate,
): HeaderPairs {
  const listed = resource?.readableFrom === 'listed';
  if (listed && (headers.origin === undefined || !gate.allowsOrigin(headers.origin))) return VARIES;
  const open: HeaderPairs = listed
    ? [['access-control-allow-origin', headers.origin ?? ''], EXPOSED, ...VARIES]
    : ANYONE;
  const preflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return preflight && resource
    ? [...open, ['access-control-allow-methods', allowedMethods(resource)], ...PREFLIGHT]
    : open;
}

const EXPOSED: HeaderPairs[number] = [
  'access-control-expose-headers',
  'API-Version, Deprecation, ETag, Link, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, ' +
    'RateLimit-Reset, Retry-After, Sunset, X-Request-Id',
];

const ANYONE: HeaderPairs = [['access-control-allow-origin', '*'], EXPOSED];

const VARIES: HeaderPairs = [['vary', 'Origin']];

const PREFLIGHT: HeaderPairs = [
  [
    'access-control-allow-headers',
    'A2A-Extensions, A2A-Version, Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, ' +
      'Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  ],
  ['access-control-max-age', '86400'],
];
