import type { H3Event } from 'h3';
import { isLoopback, parseUrl } from '../../brand/profile/web-address.ts';
import type { HeaderPairs } from '../../rest/event.ts';
import { ServiceError } from '../../tools/errors.ts';

/** Decides which web pages and host names may use MCP and the forms. */
export type Gate = ReturnType<typeof createGate>;

interface GateSettings {
  readonly baseUrl: string;
  /** In lower case, with the port if clients send one. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** A dry run, in which people build a website on their own machine. */
  readonly isLocal: boolean;
  readonly anyHost: boolean;
}

/**
 * Guards against two attacks by web pages. DNS rebinding: a page resolves its own name to this server, but
 * still sends its own Origin and Host (MCP 2025-06-18, Transports, Security Warning). Cross-site form posts:
 * CORS lets them through. Pages on a loopback address may use MCP, but may send forms in a dry run only.
 * @example
 * const gate = createGate({ baseUrl, allowedHosts: [], allowedOrigins: [], isLocal: false, anyHost: false });
 * gate.refuseCrossSite(event); // throws for a form that another site posts
 */
export function createGate({ baseUrl, allowedHosts, allowedOrigins, isLocal, anyHost }: GateSettings) {
  const { origin, host, hostname, port, protocol } = new URL(baseUrl);
  const origins = new Set([origin, ...allowedOrigins]);
  const names = new Set([host, `${hostname}:${port || PORTS[protocol]}`, ...allowedHosts]);
  const isLocalGate = isLocal || isLoopback(host);
  /** @param allowsLoopbackOrigins whether pages on a loopback address may too */
  const allowsOrigin = (origin: string, allowsLoopbackOrigins = isLocalGate) =>
    // Electron writes the host of an app's scheme in small letters, WebKit as it stands.
    origins.has(origin.toLowerCase()) || (allowsLoopbackOrigins && isLoopbackOrigin(origin));
  const allowsHost = (host: string) => anyHost || names.has(host) || isLoopbackOrigin(`http://${host}`);
  return {
    allowsOrigin,
    /**
     * The CORS headers of an answer (Fetch standard). There are no credentials, so pages of any origin may
     * read documents and answers; only listed origins may read answers of routes that act for a visitor. h3's
     * `handleCors` would answer preflights itself, without `Allow`, and on unknown paths.
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
    /** @throws ServiceError 403 for an Origin or a Host that is not allowed */
    refuseForeign(event: H3Event): void {
      const origin = event.req.headers.get('origin');
      if (origin !== null && !allowsOrigin(origin, true)) throw forbidden('Origin', FOREIGN);
      if (!allowsHost(hostOf(event))) throw forbidden('Host', FOREIGN);
    },
    /** @throws ServiceError 403 for a form that a page of another site made the visitor's browser post */
    refuseCrossSite(event: H3Event): void {
      const { headers } = event.req;
      const origin = headers.get('origin');
      const site = headers.get('sec-fetch-site');
      const host = hostOf(event);
      if ((origin ?? site) !== null && !allowsHost(host)) throw forbidden('Host', CROSS_SITE);
      const isSame = site === null ? origin === null || hostIn(origin) === host : SAME_SITES.has(site);
      // A page with `Referrer-Policy: no-referrer` hides its origin; Sec-Fetch-Site still tells its site.
      if (origin === OPAQUE && site === 'same-site') return;
      // The origins of CORS. A browser that names none counts as another site.
      if (!isSame && (origin === null || !allowsOrigin(origin))) throw forbidden('Origin', CROSS_SITE);
    },
  };
}

/** Default ports: a client may name them or not (RFC 9110, 4.2.3). */
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The host of an absolute target (RFC 9112, 3.2.2), else the Host header. Empty if there is none: h3 would
 * take the address of the socket.
 */
const hostOf = ({ req, url }: H3Event): string => (req.headers.get('host') ? url.host : '');

/**
 * The Origin of a sandboxed frame, or of a page that hides its own (Fetch standard, 3.2). ALLOWED_ORIGINS may
 * list it.
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

/** The error 403. The log also gets the header and the setting that would allow it. */
function forbidden(header: 'Origin' | 'Host', { message, hint }: typeof FOREIGN): ServiceError {
  const setting = header === 'Origin' ? 'ALLOWED_ORIGINS' : 'ALLOWED_HOSTS';
  return new ServiceError('invalid_request', {
    reason: 'foreign',
    message,
    hint: `${hint} Its operator can allow this ${header} with ${setting}.`,
    logged: { refused: header, setting },
  });
}

/** A name has at most 253 characters (RFC 1035). Longer ones with letters beyond ASCII cost 10 ms. */
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
