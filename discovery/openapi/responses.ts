import { STATUS } from '../../rest/http/status.ts';
import { ERRORS, type ErrorCode, errorBody, ServiceError } from '../../tools/errors.ts';
import { type Bucket, limitText, POLICIES } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service-facts.ts';
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
      const common = COMMON.filter(name => !(hidesLimits && name.startsWith('RateLimit')));
      // Too large headers are refused before anybody knows the path.
      const link = linked && status !== 431 ? (['Link'] as const) : [];
      const names = [...common, ...link, ...headers];
      return [status, { description, headers: headerRefs(names), ...(content && { content }) }];
    }),
  );
}

/** An error that an operation can answer, with a status and words of its own where they differ from the code's. */
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
      headers: status === 429 ? ['Retry-After'] : status === 405 ? ['Allow'] : [],
    };
  });
}

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

interface HeaderRow {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** On every response that lists it. */
  readonly required: boolean;
}

const policyName = `"(${Object.keys(POLICIES).join('|')})"`;
const list = (item: string) => `^${item}(, ${item})*$`;
const whole = (minimum: number) => ({ type: 'integer', format: 'int32', minimum, maximum: 2_147_483_647 });

/** Every header of a response that a client may act on. */
const HEADERS = {
  'API-Version': {
    description: 'Major version of the API.',
    schema: { type: 'string', const: SERVICE.apiVersion, maxLength: 8 },
    required: true,
  },
  'RateLimit-Policy': {
    description: 'The limits that apply: policy name, quota `q`, window `w` in seconds.',
    schema: { type: 'string', pattern: list(`${policyName};q=\\d+;w=\\d+`), maxLength: 400 },
    required: true,
  },
  RateLimit: {
    description: 'What is left of each: policy name, remaining quota `r`, seconds `t` until a slot frees up.',
    schema: { type: 'string', pattern: list(`${policyName};r=\\d+;t=\\d+`), maxLength: 400 },
    required: true,
  },
  'RateLimit-Limit': { description: 'Quota of the policy met first.', schema: whole(1), required: true },
  'RateLimit-Remaining': { description: 'Remaining quota of that policy.', schema: whole(0), required: true },
  'RateLimit-Reset': { description: 'Seconds until a slot of it frees up.', schema: whole(0), required: true },
  'X-Request-Id': {
    description: 'Names this request in the log of the service.',
    schema: { type: 'string', pattern: '^[\\w.:=+/-]+$', maxLength: 128 },
    required: true,
  },
  'Cache-Control': {
    description: 'Answers are not stored.',
    schema: { type: 'string', const: 'no-store', maxLength: 20 },
    required: true,
  },
  'Access-Control-Allow-Origin': {
    description: 'Which web pages may read the answer; absent for pages that may not.',
    schema: { type: 'string', maxLength: 300 },
    required: false,
  },
  Link: {
    description: 'The documents that describe the service (RFC 8288).',
    schema: { type: 'string', maxLength: 4000 },
    required: true,
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: whole(1), required: true },
  Allow: {
    description: 'The methods that this path answers.',
    schema: { type: 'string', pattern: list('[A-Z]+'), maxLength: 100 },
    required: true,
  },
} as const satisfies Record<string, HeaderRow>;

type HeaderName = keyof typeof HEADERS;

/** On every response; 400 of POST /mcp goes without the RateLimit ones. */
const COMMON: readonly HeaderName[] = [
  'API-Version',
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'Cache-Control',
  'Access-Control-Allow-Origin',
];

export const RATE_LIMIT_HEADERS = COMMON.filter(name => name.startsWith('RateLimit'));

const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));

/** `components.headers`, with examples of a first request under the limits in use. */
export function headerComponents({ policies }: Site): Record<string, object> {
  const { quota, windowSeconds } = policies.default;
  const examples: Readonly<Partial<Record<HeaderName, string | number>>> = {
    'RateLimit-Policy': `"default";q=${quota};w=${windowSeconds}`,
    RateLimit: `"default";r=${quota - 1};t=${windowSeconds}`,
    'RateLimit-Limit': quota,
    'RateLimit-Remaining': quota - 1,
    'RateLimit-Reset': windowSeconds,
    'Retry-After': windowSeconds,
    Allow: 'POST, OPTIONS',
  };
  return Object.fromEntries(
    Object.entries<HeaderRow>(HEADERS).map(([name, row]) => [
      name,
      { ...row, ...(name in examples && { example: Object(examples)[name] }) },
    ]),
  );
}
