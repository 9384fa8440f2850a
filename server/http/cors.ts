import type { Middleware } from 'h3';
import type { HeaderPairs } from '../../rest/event.ts';
import type { Gate } from './origin.ts';

/**
 * What a web page of another origin may do (Fetch standard, CORS protocol). No credentials exist, so
 * documents and questions are open to anyone; where something can be sent in a visitor's name, only listed
 * origins may read. Ours, since h3's `handleCors` answers a preflight itself: without `Allow`, and on paths
 * that do not exist.
 */
export function cors(gate: Gate): Middleware {
  return ({ req, context: { matchedRoute, headers } }, next) => {
    const { isListed = false, letsLocalIn } = matchedRoute?.meta ?? {};
    if (isListed) headers.push(['vary', 'Origin']);
    const readers = isListed ? req.headers.get('origin') : '*';
    if (readers !== null && (!isListed || gate.allowsOrigin(readers, letsLocalIn))) {
      headers.push(['access-control-allow-origin', readers], EXPOSED);
      if (matchedRoute && req.method === 'OPTIONS' && req.headers.has('access-control-request-method'))
        headers.push(...PREFLIGHT);
    }
    return next();
  };
}

const EXPOSED: HeaderPairs[number] = [
  'access-control-expose-headers',
  'API-Version, Deprecation, ETag, Link, RateLimit, RateLimit-Limit, RateLimit-Policy, ' +
    'RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, X-Request-Id',
];

const PREFLIGHT: HeaderPairs = [
  [
    'access-control-allow-headers',
    'A2A-Extensions, A2A-Version, Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, ' +
      'Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  ],
  ['access-control-max-age', '86400'],
];
