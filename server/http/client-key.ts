import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Client } from '../../tools/deliver.ts';
import type { TrustedProxies } from '../config/config.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Ranges = ReadonlyArray<[network: Address, bits: number]>;

/** A request, or only the socket of a request that could not be read. */
interface Caller {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

interface KeyOptions {
  readonly proxies: TrustedProxies;
  readonly hash: (client: string) => string;
  /**
   * Called when an untrusted internal address sends X-Forwarded-For: all visitors of that proxy count as one.
   */
  readonly onUntrustedForward?: () => void;
}

/** Ranges of ipaddr.js in which an operator's proxies are. Only these cause the warning. */
const INTERNAL = new Set(['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

/** Finds the client of a request. */
export type ClientKey = (caller: Caller) => Required<Client>;

/**
 * Makes the hash that names a client. Without the secret nobody can find the address from it.
 * @example createClientHash('secret')('192.0.2.1'); // 'hO3ECCFnTRJZVNZUa1_kdY'
 */
export function createClientHash(secret: string | Buffer): (client: string) => string {
  return client => createHmac('sha256', secret).update(client).digest('base64url').slice(0, 22);
}

/**
 * Tells clients and their networks apart without keeping an address.
 * @example
 * const clientKey = createClientKey({ proxies: config.proxies, hash: createClientHash(secret) });
 * const { clientHash, networkHash } = clientKey(request);
 */
export function createClientKey({ proxies, hash, onUntrustedForward }: KeyOptions): ClientKey {
  const ranges = proxies.ranges.map(range => ipaddr.parseCIDR(range));
  return ({ socket, headers }) => {
    const forwarded = headers['x-forwarded-for'];
    if (forwarded !== undefined && proxies.hops === 0) reportUntrusted(socket.remoteAddress);
    return clientAt(clientAddress(socket.remoteAddress, String(forwarded ?? ''), ranges, proxies.hops));
  };

  function clientAt(address: Address | undefined): Required<Client> {
    return {
      clientHash: hash(prefixOf(address, CLIENT_BYTES)),
      networkHash: hash(prefixOf(address, NETWORK_BYTES)),
      isIpv6: address?.kind() === 'ipv6',
    };
  }

  function reportUntrusted(text: string | undefined): void {
    const address = parseAddress(text ?? '');
    if (address && !isIn(address, ranges) && INTERNAL.has(address.range())) onUntrustedForward?.();
  }
}

/**
 * Walks X-Forwarded-For from the right while the hop is trusted. Entries further left can be forged.
 */
function clientAddress(
  socket: string | undefined,
  forwardedFor: string,
  ranges: Ranges,
  hops: number,
): Address | undefined {
  const forwarded = forwardedFor.split(',');
  let current = parseAddress(socket ?? '');
  for (let hop = 0; current && (hop < hops || isIn(current, ranges)); hop += 1) {
    const next = parseAddress(forwarded.pop() ?? '');
    if (!next) break;
    current = next;
  }
  return current;
}

function isIn(address: Address, ranges: Ranges): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * An address with or without port and brackets. IPv4 mapped into IPv6 (::ffff:192.0.2.1) counts as IPv4.
 */
function parseAddress(text: string): Address | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  // For an empty address the package throws and catches, which took a fifth of a request without proxy.
  if (bare === '' || !ipaddr.isValid(bare)) return undefined;
  return ipaddr.process(bare);
}

/** Bytes of an address that name a client, and its network. */
const CLIENT_BYTES = { ipv4: 4, ipv6: 8 };
const NETWORK_BYTES = { ipv4: 3, ipv6: 6 };

function prefixOf(address: Address | undefined, bytes: typeof CLIENT_BYTES): string {
  if (!address) return 'unknown';
  const kind = address.kind();
  return `${address.toByteArray().slice(0, bytes[kind]).join('.')}/${bytes[kind] * 8}`;
}
