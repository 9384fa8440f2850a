import type { IncomingMessage } from 'node:http';
import { allowedMethods, type Resource } from '../rest/resource.ts';
import type { Gate } from './origin.ts';

/**
 * What a web page of another origin may do (Fetch standard, CORS protocol). No credentials exist, so documents and
 * questions are open to anyone; where something can be sent in a visitor's name, only listed origins may read.
 */
export function corsHeaders(
  resource: Resource | undefined,
  { method, headers }: IncomingMessage,
  gate: Gate,
): Record<string, string> {
  const listed = resource?.readableFrom === 'listed';
  if (listed && (headers.origin === undefined || !gate.allowsOrigin(headers.origin))) return { vary: 'Origin' };
  const preflight = method === 'OPTIONS' && resource && headers['access-control-request-method'] !== undefined;
  return {
    'access-control-allow-origin': listed ? (headers.origin ?? '') : '*',
    'access-control-expose-headers': EXPOSED,
    ...(listed && { vary: 'Origin' }),
    ...(preflight && {
      'access-control-allow-methods': allowedMethods(resource),
      'access-control-allow-headers': ACCEPTED,
      'access-control-max-age': '86400',
    }),
  };
}

const EXPOSED = [
  'API-Version, Deprecation, ETag, Link, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining',
  'RateLimit-Reset, Retry-After, Sunset',
].join(', ');

const ACCEPTED = [
  'Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, MCP-Protocol-Version',
  'Mcp-Method, Mcp-Name, Mcp-Session-Id',
].join(', ');
