import { BUCKETS, type Bucket, type Policies, policyText } from '../../tools/policies.ts';
import { RPC } from '../../tools/protocol.ts';
import { hasActions } from './guidance.ts';
import type { Site } from './site.ts';

/** The limit of a bucket in words: `60 requests per minute per client`. */
export const limitText = (bucket: Bucket, policies: Policies): string =>
  policyText(bucket.policy, policies[bucket.policy]);

/** The limits of a service. Paths that are off and actions that it does not offer are left out. */
export function limitRows({ policies, off, tools }: Pick<Site, 'policies' | 'off' | 'tools'>) {
  const served = Object.entries(BUCKETS).filter(
    ([name, { policy }]) =>
      (name !== 'a2a' || !off.has('a2a')) && (policy === 'default' || hasActions({ tools })),
  );
  return served.map(([, bucket]) => {
    const { quota, windowSeconds, scope } = policies[bucket.policy];
    const text = limitText(bucket, policies);
    return { scope: bucket.covers, policy: bucket.policy, quota, windowSeconds, per: scope, text };
  });
}

/** Codes of JSON-RPC with their meaning: `-32700`, `parse error`. */
export const RPC_MEANINGS: readonly (readonly [code: number, meaning: string])[] = Object.entries(RPC).map(
  ([name, code]) => [code, name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)],
);
