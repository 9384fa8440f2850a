import { randomUUID } from 'node:crypto';
import type { TrustedProxies } from '../config/config.ts';
import { type Caller, createIsProxy } from './client-key.ts';

/** Names one request in the log, in the answer, and in the log of the proxy in front. */
export type RequestId = (caller: Caller) => string;

/** What proxies make: UUIDs, hexadecimal, base64. Nothing that a log or a header would read as more than a word. */
const ID = /^[\w.:=+/-]{1,128}$/;

/** The X-Request-Id of a trusted proxy, else one made here: what strangers send could repeat that of somebody else. */
export function createRequestId(proxies: TrustedProxies): RequestId {
  const isProxy = createIsProxy(proxies);
  return ({ socket, headers }) => {
    const given = headers['x-request-id'];
    const isTaken = typeof given === 'string' && ID.test(given) && isProxy(socket.remoteAddress);
    return isTaken ? given : randomUUID();
  };
}
