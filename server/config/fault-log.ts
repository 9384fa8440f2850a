import { statusOf } from '../../rest/response.ts';
import { ServiceError } from '../../tools/errors.ts';
import type { Log } from './log.ts';

interface Place {
  readonly route: string | undefined;
  /** The `id` of the request's own line. */
  readonly request?: string | undefined;
}

/**
 * What the log says of a fault: members for the line of its request, and a line of its own for what nobody
 * foresaw or what the server itself is to blame for.
 */
export function logFault(log: Log, place: Place, fault: unknown): Readonly<Record<string, string>> {
  if (!(fault instanceof ServiceError)) {
    if (!isProtocolError(fault)) log('error', 'unforeseen', { ...place, ...originOf(fault) });
    return {};
  }
  const { code, details, cause } = fault;
  if (cause !== undefined && statusOf(fault) >= 500)
    log('error', 'fault', { ...place, code, ...originOf(cause) });
  return { code, ...details.logged };
}

/** A protocol error of JSON-RPC is an answer, not a fault. */
const isProtocolError = (fault: unknown) => fault instanceof Error && fault.name === 'RpcError';

/** Where a fault arose, without its message: that may quote what a person wrote. */
function originOf(thrown: unknown) {
  if (!(thrown instanceof Error)) return { cause: typeof thrown };
  const frames = (thrown.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return { cause: thrown.name, at: frames.slice(0, 3).map(line => line.trim()) };
}
