import { errorBody, type ServiceError } from '../../tools/errors.ts';
import { jsonReply, type Reply } from './reply.ts';

/** A ServiceError as the contract's REST answer. */
export function errorReply(error: ServiceError, headers: Reply['headers'] = {}): Reply {
  return jsonReply(error.status, errorBody(error), { ...errorHeaders(error), ...headers });
}

/** `Retry-After` where there is a time to wait; `Connection: close` where the rest of the body was left unread. */
export function errorHeaders({ status, retryAfterSeconds }: ServiceError): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 413 && { connection: 'close' }),
  };
}
