import { type FieldFault, faultLine } from './faults.ts';
import { MAX_QUERY } from './fields.ts';

/** Every error code of the contract with its message and its hint. */
export const ERRORS = {
  validation_error: {
    message: 'Some fields are missing or invalid.',
    hint: 'Correct the fields listed in issues and send the request again.',
  },
  invalid_request: {
    message: 'The body is neither valid JSON nor valid form data.',
    hint: 'Send UTF-8 JSON with Content-Type: application/json.',
  },
  missing_query: {
    message: 'The request has no query.',
    hint: `Send the question as query, a text of 1 to ${MAX_QUERY} characters.`,
  },
  not_found: {
    message: 'No API endpoint exists at this path.',
    hint:
      'The endpoints are GET and POST /ask, POST /mcp and those under /api/v1; paths have no ' +
      'trailing slash.',
  },
  method_not_allowed: {
    message: 'This path does not answer this method.',
    hint: 'Use one of the methods in the Allow header.',
  },
  rate_limited: {
    message: 'Rate limit exceeded.',
    hint: 'Wait the seconds given in Retry-After, then try again.',
  },
  delivery_failed: {
    message: 'The submission could not be delivered.',
    hint: 'Try again in a few minutes.',
  },
  not_configured: {
    message: 'The retrieval backend is unavailable.',
    hint: 'Try again later; the other endpoints keep working.',
  },
} as const satisfies Record<string, Readonly<Record<'message' | 'hint', string>>>;

export type ErrorCode = keyof typeof ERRORS;

/** Every code, in the order in which documents list them. */
export const ERROR_CODES = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);

export interface ErrorDetails {
  readonly message?: string;
  readonly hint?: string;
  /** For every surface with `validation_error`; with another code for pages alone. */
  readonly issues?: readonly FieldFault[];
  /** Why a request was refused before it was read: its body, its headers, or the site that sent it. */
  readonly reason?: 'too-large' | 'too-many-headers' | 'foreign';
  /** Whole seconds after which the request can succeed. */
  readonly retryAfterSeconds?: number;
  /** Reference of a submission that was kept although its mail failed: `ABCD-1234`. */
  readonly reference?: string;
  /** For the log; never shown to a client. */
  readonly cause?: unknown;
  /** Members for the log line of the request: nothing personal. A client never sees them. */
  readonly logged?: Readonly<Record<string, string>>;
}

/**
 * The only error that a client sees. REST, MCP and A2A render it.
 * @example throw new ServiceError('validation_error', { issues: [{ field: 'email', rule: 'email' }] });
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  /** A client sees `issues` and `retryAfterSeconds` only. */
  readonly details: Omit<ErrorDetails, 'message' | 'hint' | 'cause'>;

  constructor(code: ErrorCode, { message, hint, cause, ...details }: ErrorDetails = {}) {
    const row = ERRORS[code];
    super(message ?? row.message, { cause });
    this.name = 'ServiceError';
    this.code = code;
    this.hint = hint ?? row.hint;
    this.details = details;
  }
}

/**
 * Body of REST errors, of failed MCP tools, and of `data` in JSON-RPC errors. `issues` has one `field: rule`
 * for each fault.
 * @example
 * errorBody(new ServiceError('not_found')); // { ok: false, error: '…', code: 'not_found', hint: '…' }
 */
export const errorBody = ({ message, code, hint, details: { issues } }: ServiceError) =>
  ({
    ok: false,
    error: message,
    code,
    hint,
    ...(code === 'validation_error' && issues && { issues: issues.map(faultLine) }),
  }) as const;

/**
 * Makes a ServiceError of any error. An unexpected one gets the code `unforeseen` and stays in `cause`.
 * @example asServiceError(new Error('disk full'), 'delivery_failed').code; // 'delivery_failed'
 */
export function asServiceError(error: unknown, unforeseen: ErrorCode = 'not_configured'): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError(unforeseen, { cause: error });
}
