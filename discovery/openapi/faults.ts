import { ERRORS, type ErrorCode } from '../../tools/errors.ts';
import type { Answer } from './responses.ts';
import { schemaRef } from './schemas.ts';

/** An error that an operation can answer, with a status and words of its own where they differ from the code's. */
export interface Fault {
  readonly code: ErrorCode;
  readonly status?: number;
  readonly when?: string;
}

/** One answer for each status, naming the codes that it can carry. `asPage`: also as HTML for a browser's form post. */
export function faultAnswers(faults: readonly Fault[], asPage = false): Answer[] {
  const statuses = [...new Set(faults.map(statusOf))].sort((a, b) => a - b);
  return statuses.map(status => {
    const rows = faults.filter(fault => statusOf(fault) === status);
    return {
      status,
      description: rows.map(({ code, when }) => `\`${code}\`: ${when ?? ERRORS[code].message}`).join(' '),
      content: { 'application/json': errorSchema(rows), ...(asPage && { 'text/html': PAGE }) },
      headers: status === 429 ? ['Retry-After'] : status === 405 ? ['Allow'] : [],
    };
  });
}

const statusOf = ({ code, status }: Fault) => status ?? ERRORS[code].status;

/** A page for people, in Spanish. */
export const PAGE = { type: 'string', description: 'A page in Spanish.', maxLength: 20_000 };

const errorSchema = (rows: readonly Fault[]) =>
  schemaRef(rows.some(({ code }) => code === 'validation_error') ? 'ValidationError' : 'ApiError');
