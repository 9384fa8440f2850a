import { MAX_BODY_BYTES } from '../../rest/body.ts';
import { THANKS_PATH } from '../../rest/reply.ts';
import { STATUS } from '../../rest/response.ts';
import { ERRORS, type ErrorCode, errorBody, ServiceError } from '../../tools/errors.ts';
import { POLICIES } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Site } from '../documents/site.ts';
import { schemaRef } from './schemas.ts';

/** The answer of an operation with one status. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  /** Name of the schema of its JSON. Absent if there is no body. */
  readonly schema?: string;
  readonly example?: unknown;
  /** The one response that shows no limits: 400 of POST /mcp. */
  readonly hidesLimits?: boolean;
}

/** JSON content with a schema and, if given, an example. */
export const jsonContent = (schema: string, example?: unknown) => ({
  'application/json': { schema: schemaRef(schema), ...(example !== undefined && { example }) },
});

/** The `responses` of an operation, by status. */
export function responses(answers: readonly Answer[]): Record<string, object> {
  return Object.fromEntries(
    answers.map(({ status, description, schema, example, hidesLimits = false }) => {
      const common = COMMON_HEADERS.filter(name => !(hidesLimits && name.startsWith('RateLimit')));
      const names = [...common, ...(STATUS_HEADERS[status] ?? [])];
      const headers = Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
      return [status, { description, headers, ...(schema && { content: jsonContent(schema, example) }) }];
    }),
  );
}

/**
 * One answer for each status that these codes have.
 * @param texts words in place of a code's own
 */
export function errorAnswers(
  codes: readonly ErrorCode[],
  texts: Readonly<Partial<Record<ErrorCode, string>>> = {},
): Answer[] {
  const statuses = new Set(codes.map(code => STATUS[code]));
  return [...statuses].map(status => {
    const sharing = codes.filter(code => STATUS[code] === status);
    // `texts` gives no hint, so a code with other words has no example.
    const exampleCode = sharing.find(code => texts[code] === undefined);
    return {
      status,
      description: [
        ...sharing.map(code => `\`${code}\`: ${texts[code] ?? ERRORS[code].message}`),
        ...(status === 503 ? [FULL_QUEUE] : []),
      ].join(' '),
      schema: status === 400 ? 'ValidationError' : 'ApiError',
      example: exampleCode && exampleError(exampleCode),
    };
  });
}

/** A sentence, because OpenAPI would promise a listed header on every response. */
const FULL_QUEUE = 'While too many questions wait, `Retry-After` gives the seconds to wait.';

function exampleError(code: ErrorCode) {
  const issues = [{ field: 'name', rule: 'required' } as const];
  return errorBody(new ServiceError(code, code === 'validation_error' ? { issues } : {}));
}

/** The answer to a request that is refused before its body is read. */
export function refusal(status: keyof typeof REFUSALS, schema = 'ApiError'): Answer {
  return { status, description: REFUSALS[status], schema };
}

const REFUSALS = {
  403: 'A web page of another site, or another host name, is behind the request.',
  413: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  431: 'URL and headers together are too large; use POST.',
} as const;

const COMMON_HEADERS = [
  'API-Version',
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

const STATUS_HEADERS: Readonly<Record<number, readonly string[]>> = {
  303: ['Location'],
  405: ['Allow'],
  429: ['Retry-After'],
};

/** `components.headers`: headers that clients act on, with the values of a first request as examples. */
export function headerComponents({ policies }: Site): Record<string, object> {
  const { quota, windowSeconds } = policies.default;
  const policyName = `"(${Object.keys(POLICIES).join('|')})"`;
  const policyList = (item: string) => `^${policyName};${item}(, ${policyName};${item})*$`;
  return {
    'API-Version': header('Major version of the API.', { type: 'string', const: SERVICE.apiVersion }),
    'RateLimit-Policy': header(
      'The limits that apply: policy name, quota `q`, window `w` in seconds.',
      { type: 'string', maxLength: 400, pattern: policyList('q=\\d+;w=\\d+') },
      `"default";q=${quota};w=${windowSeconds}`,
    ),
    RateLimit: header(
      'What is left of each: policy name, remaining quota `r`, seconds `t` until a slot frees up.',
      { type: 'string', maxLength: 400, pattern: policyList('r=\\d+;t=\\d+') },
      `"default";r=${quota - 1};t=${windowSeconds}`,
    ),
    'RateLimit-Limit': header('Quota of the policy met first.', integerFrom(1), quota),
    'RateLimit-Remaining': header('Remaining quota of that policy.', integerFrom(0), quota - 1),
    'RateLimit-Reset': header('Seconds until a slot of it frees up.', integerFrom(0), windowSeconds),
    'Retry-After': header('Seconds to wait before the next try.', integerFrom(1), windowSeconds),
    Location: header(
      'Where to go on to: a page that names the reference.',
      { type: 'string', maxLength: 4000, format: 'uri-reference' },
      `${THANKS_PATH}?reference=BCDF-1234`,
    ),
    Allow: header(
      'The methods that this path answers.',
      { type: 'string', maxLength: 100, pattern: '^[A-Z]+(, [A-Z]+)*$' },
      'POST, OPTIONS',
    ),
  };
}

function header(description: string, schema: object, example?: string | number): object {
  return { description, required: true, schema, ...(example !== undefined && { example }) };
}

function integerFrom(minimum: number): object {
  return { type: 'integer', format: 'int32', minimum, maximum: 2_147_483_647 };
}
