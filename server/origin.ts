/** Which web pages and which host names may reach /mcp. */
export interface Gate {
  /** Value of the Origin header. Without one the caller is no web page and is let through. */
  readonly allowsOrigin: (origin: string | undefined) => boolean;
  readonly allowsHost: (host: string | undefined) => boolean;
}

/**
 * Guards against DNS rebinding: a hostile page that resolves its own name to this server still sends its own Origin
 * and Host (MCP 2025-06-18, Transports, Security Warning).
 */
export function createGate(baseUrl: string, allowedOrigins: readonly string[]): Gate {
  const own = new URL(baseUrl);
  const origins = new Set([own.origin, ...allowedOrigins]);
  return {
    allowsOrigin: origin => origin === undefined || origins.has(origin) || isLoopback(origin),
    allowsHost: host => host === own.host || isLoopback(`http://${host}`),
  };
}

function isLoopback(address: string): boolean {
  return URL.canParse(address) && LOOPBACK.test(new URL(address).hostname);
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
