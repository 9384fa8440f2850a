import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../brand/profile/loopback.ts';
import { ServiceError } from '../../tools/errors.ts';
import { hostOf } from '../connections/message.ts';

/** Which web pages and which host names may reach what acts. */
export interface Gate {
  /** Value of the Origin header. Without one the caller is no web page and is let through. */
  readonly allowsOrigin: (origin: string | undefined) => boolean;
  /** @throws ServiceError 403 when a page of another site, or another name of this server, is behind the request */
  readonly refuseForeign: (request: IncomingMessage) => void;
  /** @throws ServiceError 403 for a form post that a page of another site made a visitor's browser send */
  readonly refuseCrossSite: (request: IncomingMessage) => void;
}

/**
 * Guards against DNS rebinding (a hostile page that resolves its own name to this server still sends its own Origin
 * and Host: MCP 2025-06-18, Transports, Security Warning) and against cross-site form posts, which CORS lets through.
 */
export function createGate(baseUrl: string, allowedOrigins: readonly string[]): Gate {
  const own = new URL(baseUrl);
  const origins = new Set([own.origin, ...allowedOrigins]);
  const allowsOrigin = (origin: string | undefined) =>
    origin === undefined || origins.has(origin) || isLoopbackOrigin(origin);
  const allowsHost = (host: string | undefined) => host === own.host || isLoopbackOrigin(`http://${host}`);
  return {
    allowsOrigin,
    refuseForeign(request) {
      if (!allowsOrigin(request.headers.origin)) throw foreign('Origin', 'ALLOWED_ORIGINS');
      if (!allowsHost(hostOf(request))) throw foreign('Host', 'BASE_URL');
    },
    refuseCrossSite(request) {
      const { origin, host, 'sec-fetch-site': site } = request.headers;
      const fromBrowser = origin !== undefined || site !== undefined;
      if (fromBrowser && !allowsHost(hostOf(request))) throw crossSite('Host', 'BASE_URL');
      const isForeign =
        site === undefined
          ? origin !== undefined && hostIn(origin) !== host
          : site !== 'same-origin' && site !== 'none';
      // The same origins as in the answer to a preflight; a browser that names none is taken for a stranger.
      if (isForeign && (origin === undefined || !allowsOrigin(origin))) throw crossSite('Origin', 'ALLOWED_ORIGINS');
    },
  };
}

/** @param setting what the operator would change to let it through; the log names it too */
const foreign = (header: 'Origin' | 'Host', setting: string) =>
  new ServiceError('invalid_request', {
    reason: 'foreign',
    message: `This ${header} may not use the endpoint.`,
    hint: `Call the public address of the service, from a listed origin or without an Origin header. Its operator can allow this ${header} with ${setting}.`,
    logged: { refused: header, setting },
  });

const crossSite = (header: 'Origin' | 'Host', setting: string) =>
  new ServiceError('invalid_request', {
    reason: 'foreign',
    message: 'A page of another site may not send this form.',
    hint:
      'Send it from the website itself, or without a browser: POST JSON, or use the MCP endpoint. ' +
      `Its operator lets the page in with ${setting}.`,
    logged: { refused: header, setting },
  });

const hostIn = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined);

function isLoopbackOrigin(origin: string): boolean {
  const host = hostIn(origin);
  return host !== undefined && host !== '' && isLoopback(host);
}
