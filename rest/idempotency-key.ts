import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../tools/errors.ts';

const MAX_LENGTH = 255;

/**
 * The Idempotency-Key of a request, with or without the quotes of a structured string
 * (draft-ietf-httpapi-idempotency-key-header-07).
 * @throws ServiceError `validation_error` when it is empty, too long or sent twice
 */
export function idempotencyKey({ headersDistinct }: IncomingMessage): string | undefined {
  const [value, ...further] = headersDistinct['idempotency-key'] ?? [];
  if (value === undefined) return undefined;
  const key = /^"(.*)"$/.exec(value.trim())?.[1] ?? value.trim();
  if (key !== '' && key.length <= MAX_LENGTH && further.length === 0) return key;
  throw new ServiceError('validation_error', {
    issues: [`Idempotency-Key: one value of 1 to ${MAX_LENGTH} characters`],
  });
}
