import { type Fault, jsonPath } from '../profile/fault.ts';
import { EXAMPLE_CLAIM } from '../profile/new-profile.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import type { Claim, Profile } from '../profile/schema.ts';
import type { Embedder } from './embedder.ts';
import { dot } from './vector.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Long enough to review the claims, sign and publish. */
const EXPIRY_NOTICE_DAYS = 60;

/** "n/a", "everyone", "ninguno": half a boundary, though the schema is satisfied. */
const SHORTEST_BOUNDARY = 15;

/**
 * What is allowed in a profile, and seldom meant: boundaries that say nothing, claims left over from `aval init`, proofs that
 * no claim uses, an expiry that is near, a missing signature.
 */
export function profileWarnings({ profile, signed }: LoadedProfile, now: Date): Fault[] {
  const { claims } = profile;
  return [
    ...claims.flatMap(boundaryWarnings),
    ...claims.flatMap(({ claim_id }, at) => (claim_id.startsWith(EXAMPLE_CLAIM) ? [exampleWarning(at)] : [])),
    ...unusedProofs(profile),
    ...dateWarnings(profile, now),
    ...(signed ? [] : [{ path: 'signatures', message: 'the profile is not signed', fix: 'aval sign' }]),
  ];
}

/** Above this cosine, two statements of one language say the same with the bundled model; unlike ones stay below 0.6. */
const NEAR_DUPLICATE = 0.7;

/** Every pair is compared: 2,000 claims are 2 million pairs, about a second. */
const MAX_COMPARED = 2000;

/**
 * Claims that an earlier one nearly repeats: they take each other's place in answers. A profile of more than 2,000 claims is
 * compared up to there.
 */
export async function duplicateWarnings({ claims }: Profile, embedder: Embedder): Promise<Fault[]> {
  const vectors = await embedder.embed(claims.slice(0, MAX_COMPARED).map(claim => claim.statement));
  return vectors.flatMap((vector, at) => {
    // The first that is like this one; unless it is a repetition, that is itself.
    const earlier = vectors.findIndex(other => dot(vector, other) >= NEAR_DUPLICATE);
    if (earlier < 0 || earlier === at) return [];
    const message = `says nearly the same as claims[${earlier}]`;
    return [
      { path: jsonPath(['claims', at, 'statement']), message, fix: 'merge the two, or say what sets them apart' },
    ];
  });
}

function boundaryWarnings({ boundary }: Claim, at: number): Fault[] {
  const { applicable_for, not_applicable_for } = boundary;
  const path = (half: string) => jsonPath(['claims', at, 'boundary', half]);
  const fix = 'say in a sentence for whom the claim holds, and for whom it does not';
  if (applicable_for.trim() === not_applicable_for.trim()) {
    return [{ path: path('not_applicable_for'), message: 'says the same as applicable_for', fix }];
  }
  return Object.entries(boundary)
    .filter(([, text]) => text.trim().length < SHORTEST_BOUNDARY)
    .map(([half]) => ({ path: path(half), message: 'too short to tell anything: the half is missing', fix }));
}

function exampleWarning(at: number): Fault {
  return {
    path: jsonPath(['claims', at]),
    message: 'an example that aval init wrote',
    fix: 'replace it with a claim of yours',
  };
}

function unusedProofs({ claims, proofs }: Profile): Fault[] {
  const used = new Set(claims.flatMap(claim => claim.proof_ids));
  return proofs.flatMap(({ proof_id }, at) =>
    used.has(proof_id) ? [] : [{ path: jsonPath(['proofs', at]), message: 'no claim names it, so no answer shows it' }],
  );
}

function dateWarnings({ issued_at, expires_at }: Profile, now: Date): Fault[] {
  const days = Math.floor((Date.parse(expires_at) - now.getTime()) / DAY_MS);
  if (now.getTime() < Date.parse(issued_at))
    return [{ path: 'issued_at', message: 'lies ahead: no server answers from it before' }];
  if (days >= EXPIRY_NOTICE_DAYS) return [];
  return [
    {
      path: 'expires_at',
      message: `expires in ${days} days`,
      fix: 'review the claims, set a later date and sign again',
    },
  ];
}
