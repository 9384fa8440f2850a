import type { Client, Submission } from '../../tools/deliver.ts';
import {
  type Policies,
  type PolicyName,
  type QuotaState,
  quotaState,
  type SubmissionLimits,
} from '../../tools/policies.ts';
import { DAY_MS } from '../config/timing.ts';
import { type Query, type Sql, sql } from './sql.ts';

/** The sender of a submission, for the hourly limits. */
export type Submitter = Client & Pick<Submission, 'channel'>;

interface Limit {
  readonly policy: PolicyName;
  /** What has one count: a client, a network or the service. */
  readonly of: string;
  /** A condition: which submissions count. */
  readonly counted: Sql;
}

/** How far a clock may be set back: a day covers every wrong time zone. */
export const CLOCK_STEP_MS = DAY_MS;

const FORMS = sql`channel IN ('rest', 'form')`;
const ACTIONS = sql`channel IN ('mcp', 'stdio')`;

/** The limits that a submission meets. A narrower one is inside a wider one, which comes last. */
function limitsOf({ channel, clientHash, networkHash, isIpv6 }: Submitter): [Limit, ...Limit[]] {
  const ofClient = sql`client_key = ${clientHash}`;
  if (channel === 'mcp' || channel === 'stdio') {
    return [
      { policy: 'actions', of: clientHash, counted: sql`${ofClient} AND ${ACTIONS}` },
      { policy: 'actions-service', of: 'service', counted: ACTIONS },
    ];
  }
  const client: Limit = { policy: 'submissions', of: clientHash, counted: sql`${ofClient} AND ${FORMS}` };
  if (!isIpv6 || networkHash === undefined) return [client];
  const ofNetwork = sql`client_network = ${networkHash} AND ${FORMS}`;
  return [client, { policy: 'submissions-network', of: networkHash, counted: ofNetwork }];
}

/** The lock for counting and committing a submission: that of its widest limit. */
export function limitLock(submitter: Submitter): string {
  const [narrow, widest = narrow] = limitsOf(submitter);
  return `${widest.policy} ${widest.of}`;
}

/** The hourly limits of a submitter, counted from the accepted submissions. */
export async function hourlyStates(
  query: Query,
  submitter: Submitter,
  policies: Policies,
  nowMs: number,
): Promise<QuotaState[]> {
  return withoutNetwork(await countAll(query, submitter, policies, nowMs));
}

/** The hourly limits of a submitter who has used nothing. */
export const unusedStates = (submitter: Submitter, policies: Policies): QuotaState[] =>
  withoutNetwork(limitsOf(submitter).map(({ policy }) => quotaState(policies, policy, 0, 0)));

/**
 * Whether one more submission is within the hourly limits, and the limits after it. Call it in the
 * transaction that commits the submission.
 */
export async function admitSubmission(
  query: Query,
  submitter: Submitter,
  policies: Policies,
  nowMs: number,
): Promise<SubmissionLimits> {
  const before = await countAll(query, submitter, policies, nowMs);
  const ok = before.every(({ remaining }) => remaining > 0);
  if (!ok) return { ok, states: before };
  const after = before.map(state => ({
    ...state,
    remaining: state.remaining - 1,
    // If nothing was used, this submission is the oldest one.
    resetSeconds: state.resetSeconds || state.windowSeconds,
  }));
  return { ok, states: withoutNetwork(after) };
}

/**
 * Counts the newest submissions, up to the quota. Those up to a day in the future count too, so that setting
 * the clock back frees nothing. Later ones, of a clock that was far ahead, do not: they would refuse
 * everybody.
 */
async function countAll(query: Query, submitter: Submitter, policies: Policies, nowMs: number) {
  const states: QuotaState[] = [];
  for (const { policy, counted } of limitsOf(submitter)) {
    const { quota, windowSeconds } = policies[policy];
    const windowMs = windowSeconds * 1000;
    const [row] = await query(sql`
      SELECT COUNT(*) AS used, MIN(received_at) AS oldest FROM (
        SELECT received_at FROM submissions
        WHERE ${counted} AND received_at > ${nowMs - windowMs} AND received_at <= ${nowMs + CLOCK_STEP_MS}
        ORDER BY received_at DESC LIMIT ${quota}
      ) AS newest`);
    const resetMs = Math.min(Number(row?.oldest) + windowMs - nowMs, windowMs);
    states.push(quotaState(policies, policy, Number(row?.used), resetMs));
  }
  return states;
}

/** Leaves out the bound on a network, which would tell how many others submit. Only a refusal shows it. */
function withoutNetwork(states: readonly QuotaState[]): QuotaState[] {
  return states.filter(({ policy }) => policy !== 'submissions-network');
}
