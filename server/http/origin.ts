import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../brand/profile/loopback.ts';
import { ServiceError } from '../../tools/errors.ts';

/** Which web pages and which host names may reach what acts. */
export interface Gate {
  /** Value of the Origin header. Without one the caller is no web page and is let through. */
  readonly allowsOrigin: (origin: string | undefined) => boolean;
  readonly allowsHost: (host: string | undefined) => boolean;
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
  const isListed = (origin: string | undefined) => origin !== undefined && origins.has(origin);
  const isOwnHost = (host: string | undefined) => host === own.host || isLoopbackOrigin(`http://${host}`);
  return {
    allowsOrigin: origin => origin === undefined || isListed(origin) || isLoopbackOrigin(origin),
    allowsHost: isOwnHost,
    refuseCrossSite({ headers }) {
      const fromBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
      if (fromBrowser && !isOwnHost(headers.host)) throw crossSite();
      const site = headers['sec-fetch-site'];
      const isForeign =
        site === undefined
          ? headers.origin !== undefined && hostOf(headers.origin) !== headers.host
          : site !== 'same-origin' && site !== 'none';
      if (isForeign && !isListed(headers.origin)) throw crossSite();
    },
  };
}

const crossSite = () =>
  new ServiceError('invalid_request', {
    status: 403,
    message: 'A page of another site may not send this form.',
    hint: 'Send it from the website itself, or without a browser: POST JSON, or use the MCP endpoint.',
  });

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined);

function isLoopbackOrigin(origin: string): boolean {
  const host = hostOf(origin);
  return host !== undefined && host !== '' && isLoopback(host);
}
