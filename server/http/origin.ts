import type { H3Event } from 'h3';
import { isLoopback, parseUrl } from '../../brand/profile/web-address.ts';
import type { HeaderPairs } from '../../rest/event.ts';
import { ServiceError } from '../../tools/errors.ts';

/** Which web pages and which host names may reach what acts. */
export type Gate = ReturnType<typeof createGate>;

interface GateSettings {
  readonly baseUrl: string;
  /** In small letters, with a port where clients send one. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** A dry run: people build a website with it on their own machine. */
  readonly isLocal: boolean;
  readonly anyHost: boolean;
}

/**
 * Guards against DNS rebinding (a hostile page that resolves its own name to this server still sends its own
 * Origin and Host: MCP 2025-06-18, Transports, Security Warning) and against cross-site form posts, which
 * CORS lets through. Pages of the visitor's own machine may use MCP; where mail is sent they may send no
 * form.
 */
export function createGate({ baseUrl, allowedHosts, allowedOrigins, isLocal, anyHost }: GateSettings) {
  const { origin, host, hostname, port, protocol } = new URL(baseUrl);
  const origins = new Set([origin, ...allowedOrigins]);
  const names = new Set([host, `${hostname}:${port || PORTS[protocol]}`, ...allowedHosts]);
  const isLocalGate = isLocal || isLoopback(host);
  /** @param allowsLoopbackOrigins pages of the visitor's own machine too */
  const allowsOrigin = (origin: string, allowsLoopbackOrigins = isLocalGate) =>
    origins.has(origin) || (allowsLoopbackOrigins && isLoopbackOrigin(origin));
  const allowsHost = (host: string) => anyHost || names.has(host) || isLoopbackOrigin(`http://${host}`);
  return {
    allowsOrigin,
    /**
     * What a web page of another origin may do (Fetch standard, CORS protocol). No credentials exist, so
     * documents and questions are open to anyone; where something can be sent in a visitor's name, only
     * listed origins may read. Ours, since h3's `handleCors` answers a preflight itself: without `Allow`, and
     * on paths that do not exist.
     */
    corsHeaders({ req, context: { matchedRoute } }: H3Event): HeaderPairs {
      const { restrictsOrigins = false, allowsLoopbackOrigins } = matchedRoute?.meta ?? {};
      const vary: HeaderPairs = restrictsOrigins ? [['vary', 'Origin']] : [];
      const readers = restrictsOrigins ? req.headers.get('origin') : '*';
      if (readers === null || (restrictsOrigins && !allowsOrigin(readers, allowsLoopbackOrigins)))
        return vary;
      const isPreflight = req.method === 'OPTIONS' && req.headers.has('access-control-request-method');
      const preflight = matchedRoute && isPreflight ? PREFLIGHT : [];
      return [...vary, ['access-control-allow-origin', readers], EXPOSED, ...preflight];
    },
    /**
     * @throws ServiceError 403 when a page of another site, or another name of this server, is behind the
     * request
     */
    refuseForeign(event: H3Event): void {
      const origin = event.req.headers.get('origin');
      if (origin !== null && !allowsOrigin(origin, true)) throw refusal('Origin', FOREIGN);
      if (!allowsHost(hostOf(event))) throw refusal('Host', FOREIGN);
    },
    /** @throws ServiceError 403 for a form post that a page of another site made a visitor's browser send */
    refuseCrossSite(event: H3Event): void {
      const { headers } = event.req;
      const origin = headers.get('origin');
      const site = headers.get('sec-fetch-site');
      const host = hostOf(event);
      if ((origin ?? site) !== null && !allowsHost(host)) throw refusal('Host', CROSS_SITE);
      const isSame = site === null ? origin === null || hostIn(origin) === host : SAME_SITES.has(site);
      // A page with `Referrer-Policy: no-referrer` hides its origin, and the browser still says whose site it
      // is on.
      if (origin === OPAQUE && site === 'same-site') return;
      // The same origins as in the answer to a preflight; a browser that names none is taken for a stranger.
      if (!isSame && (origin === null || !allowsOrigin(origin))) throw refusal('Origin', CROSS_SITE);
    },
  };
}

/** A client may name the port that its scheme has anyway (RFC 9110, 4.2.3). */
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * That of an absolute target (RFC 9112, 3.2.2), else the Host header; without one h3 takes the address of the
 * socket.
 */
const hostOf = ({ req, url }: H3Event): string => (req.headers.get('host') ? url.host : '');

/**
 * What a page has for an origin that it hides, and a sandboxed frame (Fetch standard, 3.2). ALLOWED_ORIGINS
 * may list it.
 */
const OPAQUE = 'null';

const SAME_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

const FOREIGN = {
  message: 'This Origin or Host may not use the endpoint.',
  hint: 'Call the public address of the service, from a listed origin or without an Origin header.',
};
const CROSS_SITE = {
  message: 'A page of another site may not send this form.',
  hint: 'Send it from the website itself, or without a browser: POST JSON, or use the MCP endpoint.',
};

/** The operator's log names the header and the setting too. */
function refusal(header: 'Origin' | 'Host', { message, hint }: typeof FOREIGN): ServiceError {
  const setting = header === 'Origin' ? 'ALLOWED_ORIGINS' : 'ALLOWED_HOSTS';
  return new ServiceError('invalid_request', {
    reason: 'foreign',
    message,
    hint: `${hint} Its operator can allow this ${header} with ${setting}.`,
    logged: { refused: header, setting },
  });
}

/** A name has 253 characters (RFC 1035). Longer ones cost 10 ms where they hold letters beyond ASCII. */
const MAX_ORIGIN = 300;

const hostIn = (origin: string) => (origin.length <= MAX_ORIGIN ? parseUrl(origin)?.host : undefined);

function isLoopbackOrigin(origin: string): boolean {
  const host = hostIn(origin);
  return host !== undefined && host !== '' && isLoopback(host);
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
