/**
 * Parses an address. Undefined for other text. Do not use `URL.canParse`: on Node 20 and 22 it refuses
 * addresses with ñ or accents after some thousand calls, when it is compiled.
 * @example parseUrl('https://peñón.example')?.host // 'xn--pen-8mak.example'
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an http or https address. `z.url` would trim it, and the signed text would change. */
export function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/\S+$/.test(value) && parseUrl(value) !== undefined;
}

/** Paths of addresses that no browser can open. Pages leave them out. */
export function badAddressPaths(logos: readonly unknown[], privacyPolicyUrl: unknown): (string | number)[][] {
  const paths: (string | number)[][] = [];
  for (const [index, logo] of logos.entries()) {
    const url = typeof logo === 'object' && logo !== null && 'url' in logo ? logo.url : undefined;
    if (!isWebAddress(url) && !String(url).startsWith('data:image/')) paths.push(['logos', index, 'url']);
  }
  if (privacyPolicyUrl !== undefined && !isWebAddress(privacyPolicyUrl)) paths.push(['privacy_policy_url']);
  return paths;
}

/**
 * Whether a URL's host (with or without a port) is this machine itself: 127.0.0.0/8, ::1 or localhost (RFC
 * 6761).
 * @example isLoopback('127.0.0.1:8787'); // true
 */
export function isLoopback(host: string): boolean {
  const { hostname } = new URL(`http://${host}`);
  return /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]' || /(^|\.)localhost$/.test(hostname);
}

/** Whether an address is unencrypted http to another machine. */
export const isOpenHttp = (url = ''): boolean => url.startsWith('http:') && !isLoopback(new URL(url).host);
