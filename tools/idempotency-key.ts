import { ServiceError } from './errors.ts';

/** Name of the key in `_meta` of an MCP call, for clients that cannot set a header. */
export const META_KEY = 'idempotency-key';

/** Characters of a key at most. */
export const MAX_KEY_LENGTH = 255;

/**
 * The Idempotency-Key of a submission, with or without the quotes of a structured string
 * (draft-ietf-httpapi-idempotency-key-header-07).
 * @param sent every value of the request; empty if there is none
 * @throws ServiceError `validation_error` when it is empty, too long, no text or sent twice
 * @example idempotencyKey(['"7f3a"']); // '7f3a'
 */
export function idempotencyKey(sent: readonly unknown[]): string | undefined {
  const [value, ...further] = sent;
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value.trim() : '';
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (key !== '' && key.length <= MAX_KEY_LENGTH && further.length === 0) return key;
  throw new ServiceError('validation_error', {
    issues: [{ field: 'Idempotency-Key', rule: 'oneKey', bound: MAX_KEY_LENGTH }],
  });
}
