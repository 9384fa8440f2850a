import { STATUS } from '../../rest/response.ts';
import { ERRORS, type ErrorCode, errorBody, ServiceError } from '../../tools/errors.ts';
import { type Bucket, POLICIES } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { limitText } from '../documents/limit-rows.ts';
import type { Site } from '../documents/site.ts';
import { schemaRef } from './schemas.ts';

/** What an operation may answer with one status. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  /** By media type; nothing where there is no body. */
  readonly content?: Readonly<Record<string, Media>>;
  /** Besides those that every response carries. */
  readonly headers?: readonly HeaderName[];
  /** The one response that shows no limits: 400 of POST /mcp. */
  readonly hidesLimits?: boolean;
}

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

/** JSON of a schema, with an example where there is one. */
export const jsonContent = (schema: string, example?: unknown) => ({
  'application/json': { schema: schemaRef(schema), ...(example !== undefined && { example }) },
});

export const limitSentence = (bucket: Bucket, { policies }: Site) => `Limit: ${limitText(bucket, policies)}.`;

/** Whether answers carry a Link to the documents. */
export const isLinked = ({ off }: Site) => !off.has('links');

/** The `responses` of an operation. @param linked its answers carry a Link to the documents */
export function responses(answers: readonly Answer[], linked: boolean): Record<string, object> {
  return Object.fromEntries(
    answers.map(({ status, description, content, headers = [], hidesLimits = false }) => {
      const common = Object.keys(COMMON).filter(name => !(hidesLimits && name.startsWith('RateLimit')));
      // Too large headers are refused before anybody knows the path.
      const link = linked && status !== 431 ? ['Link'] : [];
      const names = [...common, ...link, ...headers];
      return [status, { description, headers: headerRefs(names), ...(content && { content }) }];
    }),
  );
}

/**
 * An error that an operation can answer, with a status and words of its own where they differ from the
 * code's.
 */
export interface Fault {
  readonly code: ErrorCode;
  readonly status?: number;
  readonly when?: string;
}

/** One answer for each status, naming the codes that it can carry. */
export function faultAnswers(faults: readonly Fault[]): Answer[] {
  const statuses = [...new Set(faults.map(statusOf))].sort((a, b) => a - b);
  return statuses.map(status => {
    const rows = faults.filter(fault => statusOf(fault) === status);
    return {
      status,
      description: rows.map(({ code, when }) => `\`${code}\`: ${when ?? ERRORS[code].message}`).join(' '),
      content: { 'application/json': errorMedia(rows) },
      headers: FAULT_HEADERS[status] ?? [],
    };
  });
}

const FAULT_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  405: ['Allow'],
  429: ['Retry-After'],
};

const statusOf = ({ code, status }: Fault) => status ?? STATUS[code];

/** One of the errors in full. A hint of its own is not known here, so a status that differs shows none. */
function errorMedia(rows: readonly Fault[]): Media {
  const isValidation = rows.some(({ code }) => code === 'validation_error');
  const [shown] = rows.filter(({ status, when }) => status === undefined && when === undefined);
  return {
    schema: schemaRef(isValidation ? 'ValidationError' : 'ApiError'),
    ...(shown && { example: exampleError(shown.code) }),
  };
}

function exampleError(code: ErrorCode) {
  const issues = [{ field: 'name', rule: 'required' } as const];
  return errorBody(new ServiceError(code, code === 'validation_error' ? { issues } : {}));
}

const policyName = `"(${Object.keys(POLICIES).join('|')})"`;
const list = (item: string) => `^${item}(, ${item})*$`;
const integerFrom = (minimum: number) => ({
  type: 'integer',
  format: 'int32',
  minimum,
  maximum: 2_147_483_647,
});

const text = (maxLength: number, more: object = {}) => ({ type: 'string', ...more, maxLength });

/** On every response; 400 of POST /mcp goes without the RateLimit ones. */
const COMMON = {
  'API-Version': { description: 'Major version of the API.', schema: text(8, { const: SERVICE.apiVersion }) },
  'RateLimit-Policy': {
    description: 'The limits that apply: policy name, quota `q`, window `w` in seconds.',
    schema: text(400, { pattern: list(`${policyName};q=\\d+;w=\\d+`) }),
  },
  RateLimit: {
    description: 'What is left of each: policy name, remaining quota `r`, seconds `t` until a slot frees up.',
    schema: text(400, { pattern: list(`${policyName};r=\\d+;t=\\d+`) }),
  },
  'RateLimit-Limit': { description: 'Quota of the policy met first.', schema: integerFrom(1) },
  'RateLimit-Remaining': { description: 'Remaining quota of that policy.', schema: integerFrom(0) },
  'RateLimit-Reset': { description: 'Seconds until a slot of it frees up.', schema: integerFrom(0) },
  'X-Request-Id': {
    description: 'Names this request in the log of the service.',
    schema: text(128, { pattern: '^[\\w.:=+/-]+$' }),
  },
  'Cache-Control': { description: 'Answers are not stored.', schema: text(20, { const: 'no-store' }) },
  'Access-Control-Allow-Origin': {
    description: 'Which web pages may read the answer; absent for pages that may not.',
    schema: text(300),
  },
};

/** Every header of a response that a client may act on. */
const HEADERS = {
  ...COMMON,
  Link: { description: 'The documents that describe the service (RFC 8288).', schema: text(4000) },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: integerFrom(1) },
  Location: {
    description: 'Where to go on to: a page that names the reference.',
    schema: text(4000, { format: 'uri-reference' }),
  },
  Allow: {
    description: 'The methods that this path answers.',
    schema: text(100, { pattern: list('[A-Z]+') }),
  },
};

type HeaderName = keyof typeof HEADERS;

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));

/** `components.headers`, with examples of a first request under the limits in use. */
export function headerComponents({ policies }: Site): Record<string, object> {
  const { quota, windowSeconds } = policies.default;
  const examples: Readonly<Record<string, string | number>> = {
    'RateLimit-Policy': `"default";q=${quota};w=${windowSeconds}`,
    RateLimit: `"default";r=${quota - 1};t=${windowSeconds}`,
    'RateLimit-Limit': quota,
    'RateLimit-Remaining': quota - 1,
    'RateLimit-Reset': windowSeconds,
    'Retry-After': windowSeconds,
    Location: 'https://www.acme.example/gracias?reference=BCDF-1234',
    Allow: 'POST, OPTIONS',
  };
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, row]) => {
      const required = name !== 'Access-Control-Allow-Origin';
      return [name, { ...row, required, ...(name in examples && { example: examples[name] }) }];
    }),
  );
}
