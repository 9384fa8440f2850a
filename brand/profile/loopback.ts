/**
 * Whether a URL's host (with or without a port) is this machine itself: 127.0.0.0/8, ::1 or localhost (RFC
 * 6761).
 */
export function isLoopback(host: string): boolean {
  const { hostname } = new URL(`http://${host}`);
  return /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]' || /(^|\.)localhost$/.test(hostname);
}
