import { ERRORS, type ErrorCode } from '../../tools/errors.ts';
import { MAX_QUERY } from '../../tools/fields.ts';
import { BUCKETS, type Bucket, type Policies, policyText } from '../../tools/policies.ts';
import { RPC } from '../../tools/protocol.ts';
import { actionsIn, type Site } from './site.ts';

/** What holds for a bucket, in words. */
export const limitText = (bucket: Bucket, policies: Policies): string =>
  policyText(bucket.policy, policies[bucket.policy]);

/**
 * The table of limits of a service, without those of paths that are switched off and of actions that nobody
 * offers.
 */
export function limitRows({ policies, off, tools }: Pick<Site, 'policies' | 'off' | 'tools'>) {
  const acts = actionsIn(tools).length > 0;
  const served = Object.entries(BUCKETS).filter(
    ([name, { policy }]) => (name !== 'a2a' || !off.has(name)) && (acts || policy === 'default'),
  );
  return served.map(([, bucket]) => {
    const { quota, windowSeconds, scope } = policies[bucket.policy];
    const text = limitText(bucket, policies);
    return { scope: bucket.covers, policy: bucket.policy, quota, windowSeconds, per: scope, text };
  });
}

/** What to do about a code: its hint, or how to read the hint where that depends on the case. */
export function adviceOn(code: ErrorCode): string {
  return BY_CASE[code] ?? ERRORS[code].hint;
}

const BY_CASE: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_query: `Send the question as q (GET /ask) or query (POST /ask, MCP), a text of 1 to ${MAX_QUERY} characters.`,
  invalid_request:
    'Follow the hint: it says what is wrong with the body, its type, its size or where it came from.',
  delivery_failed:
    'Follow the hint: it says whether the request was kept. If it was, send nothing again; if not, try again in a few minutes.',
};

export const RPC_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [RPC.parseError, 'parse error'],
  [RPC.invalidRequest, 'invalid request'],
  [RPC.methodNotFound, 'method not found'],
  [RPC.invalidParams, 'invalid params'],
  [RPC.internalError, 'internal error'],
  [RPC.rateLimited, 'rate limit'],
  [RPC.headerMismatch, 'header mismatch, of MCP 2026-07-28'],
  [RPC.unsupportedVersion, 'unsupported version, of MCP 2026-07-28'],
];
