import type { Submission } from '../../tools/deliver.ts';
import {
  type Policies,
  type PolicyName,
  type QuotaState,
  quotaState,
  type SubmissionLimits,
} from '../../tools/policies.ts';
import { DAY_MS } from '../config/timing.ts';
import { type Query, type Sql, sql } from './sql.ts';

/** Who submits, as the hourly limits tell them apart. */
export type Submitter = Pick<Submission, 'channel' | 'clientHash' | 'networkHash' | 'isIpv6'>;

interface Limit {
  readonly policy: PolicyName;
  /** The submissions that count. */
  readonly counted: Sql;
}

/** How far a clock that was set back may have been ahead: a day covers every wrong time zone. */
export const CLOCK_STEP_MS = DAY_MS;

const FORMS = sql`channel IN ('rest', 'form')`;
const ACTIONS = sql`channel IN ('mcp', 'stdio')`;

const isAction = ({ channel }: Submitter) => channel === 'mcp' || channel === 'stdio';

/** The limits that a submission meets, the widest one last. */
function limitsOf(submitter: Submitter): Limit[] {
  const { clientHash, networkHash, isIpv6 = false } = submitter;
  const ofClient = sql`client_key = ${clientHash}`;
  if (isAction(submitter)) {
    return [
      { policy: 'actions', counted: sql`${ofClient} AND ${ACTIONS}` },
      { policy: 'actions-service', counted: ACTIONS },
    ];
  }
  const client: Limit = { policy: 'submissions', counted: sql`${ofClient} AND ${FORMS}` };
  if (!isIpv6 || networkHash === undefined) return [client];
  return [
    client,
    { policy: 'submissions-network', counted: sql`client_network = ${networkHash} AND ${FORMS}` },
  ];
}

/**
 * The lock under which a submission is counted and committed: that of its widest limit, which every
 * submission of a narrower one takes as well.
 */
export function limitLock(submitter: Submitter): string {
  const { clientHash, networkHash, isIpv6 } = submitter;
  if (isAction(submitter)) return 'actions-service';
  return `submissions ${isIpv6 ? networkHash : clientHash}`;
}

/** What is left of the hourly limits of a submitter, by the submissions that were accepted. */
export async function hourlyStates(
  query: Query,
  submitter: Submitter,
  policies: Policies,
  nowMs: number,
): Promise<QuotaState[]> {
  return withoutNetwork(await countAll(query, submitter, policies, nowMs));
}

/**
 * Whether one more submission is within the hourly limits, and what is left after it. To be asked in the
 * transaction that commits it.
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
    // Where nothing was used, this one is the oldest.
    resetSeconds: state.resetSeconds || state.windowSeconds,
  }));
  return { ok, states: withoutNetwork(after) };
}

/**
 * Counts the newest submissions, as many as the quota. Those of the next day count too, so that a step of the
 * clock back frees nothing. Those of a clock that was further ahead do not: they would refuse everybody until
 * then.
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
      ) AS counted`);
    const resetMs = Math.min(Number(row?.oldest) + windowMs - nowMs, windowMs);
    states.push(quotaState(policies, policy, Number(row?.used), resetMs));
  }
  return states;
}

/** The bound on a network is shown only where it refuses: it says how many others there are. */
function withoutNetwork(states: readonly QuotaState[]): QuotaState[] {
  return states.filter(({ policy }) => policy !== 'submissions-network');
}
