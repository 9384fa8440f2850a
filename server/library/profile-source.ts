import { request } from 'undici';
import { MAX_PROFILE_BYTES } from '../../brand/profile/profile.ts';
import { boundedBytes, readBounded } from '../../brand/profile/read-bounded.ts';
import { codeOf, isMissing } from '../../brand/profile/thrown.ts';
import { isLoopback, parseUrl } from '../../brand/profile/web-address.ts';
import { keysBeside } from '../../brand/trust/keys.ts';
import { SERVICE } from '../../tools/service-facts.ts';

export interface SourceOptions {
  /**
   * File of the public keys. Default: the keys at the address, or FILE.jwks.json beside FILE.json.
   */
  readonly jwks?: string | undefined;
  /** Host that the profile must name. Default: the host of the address. */
  readonly host?: string;
}

interface Source {
  readonly brand: Uint8Array;
  readonly jwks: Uint8Array;
  /** Host that the profile must name. Undefined for files and for loopback addresses, which are exempt. */
  readonly host: string | undefined;
}

/**
 * Reads a profile and its public keys from a file or an address.
 * @throws Error
 * @example const { brand, jwks } = await readSource('https://acme.example', {});
 */
export async function readSource(target: string, { jwks, host }: SourceOptions): Promise<Source> {
  if (!isAddress(target)) {
    return {
      brand: await readBounded(target, MAX_PROFILE_BYTES),
      jwks: await readKeys(jwks ?? keysBeside(target)),
      host,
    };
  }
  const source = await fetchProfile(new URL(target));
  return {
    brand: source.brand,
    jwks: jwks === undefined ? source.jwks : await readKeys(jwks),
    host: host ?? source.host,
  };
}

/** Whether the target is an address, not a file. @throws Error for a malformed address */
export function isAddress(target: string): boolean {
  if (!/^https?:\/\//i.test(target)) return false;
  if (!parseUrl(target)) throw new Error('this is not an address: write it like https://acme.example');
  return true;
}

function readKeys(jwks: string): Promise<Uint8Array> {
  return readBounded(jwks, MAX_PROFILE_BYTES).catch(error => {
    throw isMissing(error) ? new Error(`${jwks} is missing: name the public keys with --jwks`) : error;
  });
}

/**
 * The profile and keys that a host publishes. Keys come only from that host: with a `jwks_uri` in the
 * document, a forger could bring new keys.
 * @param address of the host, or of the profile if it ends in `.json`
 */
async function fetchProfile(address: URL): Promise<Source> {
  const isProfile = address.pathname.endsWith('.json');
  const [brand, jwks] = await Promise.all([
    fetchDocument(isProfile ? address : new URL('/.well-known/brand.json', address)),
    fetchDocument(new URL('/.well-known/jwks.json', address)),
  ]);
  return { brand, jwks, host: isLoopback(address.host) ? undefined : address.host };
}

/**
 * Fetches bytes over https (http only from this machine), within ten seconds, up to the size of a profile. It
 * follows no redirect, which could lead to another host.
 * @throws Error
 */
export async function fetchDocument(address: URL): Promise<Uint8Array> {
  // The message leaves out the address, because it contains the password.
  if (address.username !== '' || address.password !== '') {
    throw new Error(`${address.origin}: leave the user name and the password out of the address`);
  }
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLoopback(address.host))) {
    throw new Error(`${address.href}: only https can be trusted, and http from this machine`);
  }
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': `aval/${SERVICE.version}`,
  };
  const signal = AbortSignal.timeout(10_000);
  try {
    // `reset` closes the connection after the answer. A kept connection would keep the command running.
    const response = await request(address, { headers, signal, reset: true });
    const { statusCode, body } = response;
    const isPlain = !('content-encoding' in response.headers);
    if (statusCode === 200 && isPlain) return await boundedBytes(body, MAX_PROFILE_BYTES, 'the answer');
    // Without a listener, the aborted body's error would end the process.
    body.on('error', () => {}).destroy();
    if (!isPlain) throw new Error('answered compressed, which was not asked for');
    const isRedirect = statusCode >= 300 && statusCode < 400;
    throw new Error(`answered ${statusCode}${isRedirect ? ': a redirect is not followed' : ''}`);
  } catch (error) {
    throw new Error(`${address.href}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return UNREACHED[codeOf(error)] ?? (error.message || error.name);
}

const UNREACHED: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host of this name: look for a slip in the address',
  EAI_AGAIN: 'the name of the host cannot be looked up now: is this machine on the network?',
  ECONNREFUSED: 'nothing listens there: is the server running, and is this its port?',
};
