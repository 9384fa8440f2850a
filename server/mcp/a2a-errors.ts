import type * as z from 'zod';
import { statusOf } from '../../rest/status.ts';
import type { ErrorCode, ServiceError } from '../../tools/errors.ts';
import { faultLine } from '../../tools/faults.ts';
import { RPC } from '../../tools/protocol.ts';
import { RpcError } from './messages.ts';

/** The errors of A2A 1.0 that this agent can give (section 5.4). */
export const A2A_ERRORS = {
  TASK_NOT_FOUND: [-32001, 'No such task: every message is answered at once, without a task.'],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 'This agent sends no push notifications.'],
  UNSUPPORTED_OPERATION: [-32004, 'This agent neither streams nor has an extended card.'],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 'Send the question as text parts.'],
  VERSION_NOT_SUPPORTED: [-32009, 'This interface speaks A2A 1.0: send the header A2A-Version: 1.0.'],
} as const;

/** @returns the error with its details as google.rpc.ErrorInfo (section 9.5) */
export function a2aError(reason: keyof typeof A2A_ERRORS): RpcError {
  const [code, message] = A2A_ERRORS[reason];
  return new RpcError(code, message, { data: [errorInfo(reason, 'a2a-protocol.org')] });
}

/** Parameters that do not fit their schema, as google.rpc.BadRequest. */
export function invalidParams({ issues }: z.ZodError): RpcError {
  const fieldViolations = issues.slice(0, MOST_VIOLATIONS).map(({ path, message }) => ({
    field: path.length > 0 ? path.map(String).join('.') : 'params',
    description: message,
  }));
  const data = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
  const lines = fieldViolations.map(({ field, description }) => `${field}: ${description}`);
  return new RpcError(RPC.invalidParams, `Invalid parameters: ${lines.join('; ')}.`, { data });
}

const MOST_VIOLATIONS = 20;

/** A refusal of the service as an error of A2A; with a status of its own where the request as such is refused. */
export function asA2aError(error: RpcError | ServiceError): RpcError {
  if (error instanceof RpcError) return error;
  const code = CODES[error.code] ?? RPC.internalError;
  const refused = error.code === 'rate_limited' || error.code === 'invalid_request';
  return new RpcError(code, `${error.message} ${error.hint}`, {
    status: refused ? statusOf(error) : 200,
    data: details(error),
  });
}

const CODES: Partial<Record<ErrorCode, number>> = {
  validation_error: RPC.invalidParams,
  missing_query: RPC.invalidParams,
  invalid_request: RPC.invalidRequest,
  rate_limited: RPC.rateLimited,
};

function details({ code, details: { issues, retryAfterSeconds } }: ServiceError): object[] {
  const metadata = {
    ...(issues && { issues: issues.map(faultLine).join('; ') }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds: String(retryAfterSeconds) }),
  };
  return [errorInfo(code.toUpperCase(), 'aval', metadata)];
}

function errorInfo(reason: string, domain: string, metadata: Readonly<Record<string, string>> = {}): object {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain, metadata };
}
