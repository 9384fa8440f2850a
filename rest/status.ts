import type { ErrorCode, ServiceError } from '../tools/errors.ts';

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
