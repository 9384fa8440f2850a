import { HTTPResponse } from 'h3';
import { type ErrorCode, errorBody, type ServiceError } from '../tools/errors.ts';

/** A JSON response with a status. h3 answers a returned object with 200. */
export function jsonResponse(
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): HTTPResponse {
  const all = { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers };
  return new HTTPResponse(json, { status, headers: all });
}

/**
 * A ServiceError as the contract's REST answer.
 * @example errorResponse(new ServiceError('not_found')).status; // 404
 */
export const errorResponse = (error: ServiceError): HTTPResponse =>
  jsonResponse(statusOf(error), JSON.stringify(errorBody(error)), errorHeaders(error));

/** Headers of an error: `Retry-After` for a wait, `Connection: close` if the body was not fully read. */
export function errorHeaders({
  details: { retryAfterSeconds, reason },
}: ServiceError): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...((reason === 'too-large' || reason === 'too-many-headers') && { connection: 'close' }),
  };
}

/** The HTTP status of each error code. */
export const STATUS = {
  validation_error: 400,
  invalid_request: 400,
  missing_query: 400,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  delivery_failed: 500,
  not_configured: 503,
} as const satisfies Record<ErrorCode, number>;

const REASON_STATUS = { 'too-large': 413, 'too-many-headers': 431, foreign: 403 } as const;

export const statusOf = ({ code, details: { reason } }: ServiceError): number =>
  reason === undefined ? STATUS[code] : REASON_STATUS[reason];
