import { POLICIES } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service.ts';

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
export const HEADERS = {
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
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: whole(1), required: true },
  Allow: {
    description: 'The methods that this path answers.',
    schema: { type: 'string', pattern: list('[A-Z]+'), maxLength: 100 },
    required: true,
  },
  Location: {
    description: 'The page that the operator shows after a form was sent.',
    schema: { type: 'string', format: 'uri', maxLength: 2000 },
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
    required: false,
  },
} as const satisfies Record<string, HeaderRow>;

export type HeaderName = keyof typeof HEADERS;

/** What every response carries, the 400 of POST /mcp excepted. */
export const COMMON: readonly HeaderName[] = [
  'API-Version',
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Cache-Control',
  'Access-Control-Allow-Origin',
  'Link',
];

/** The one response without rate-limit headers. */
export const WITHOUT_QUOTA = COMMON.filter(name => !name.startsWith('RateLimit'));

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
