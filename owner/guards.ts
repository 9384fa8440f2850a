import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import type { FindingCode } from '../brand/profile/finding-words.ts';
import type { Claim } from '../brand/profile/schema.ts';
import type { Draft } from './draft.ts';

/** What a draft is judged by beside itself. */
export interface Context {
  /** What the draft was read from. */
  readonly document: unknown;
  readonly now: Date;
  /** Names that the profile may not say. */
  readonly neverPublish: readonly string[];
}

/** Finds what owners get wrong. */
export type Guard = (draft: Draft, context: Context) => readonly Fault[];

/**
 * What an owner may get wrong in a claim: its code, the member to mend, and whether a claim has it. A text that `finds` gives
 * fills the gap of the finding's sentence.
 */
export type ClaimGuard = readonly [
  code: FindingCode,
  member: string,
  finds: (claim: Claim, draft: Draft, context: Context) => boolean | string | readonly string[] | undefined,
];

/** A guard of all claims. */
export const guardOfClaims =
  (guards: readonly ClaimGuard[]): Guard =>
  (draft, context) =>
    draft.claims.flatMap(({ at, part }) =>
      guards.flatMap(([code, member, finds]) => {
        const found = finds(part, draft, context);
        const values = typeof found === 'boolean' ? [] : [found ?? []].flat();
        return found
          ? fault(jsonPath(['claims', at, ...member.split('.').filter(Boolean)]), code, ...values)
          : [];
      }),
    );
