import type { Log } from '../config/log.ts';
import { submissionEvent, WebhookError, type WebhookSender } from '../webhook/webhook.ts';
import type { Clock } from './clock.ts';
import type { DatabaseState } from './delivery.ts';
import type { Round } from './rounds.ts';
import { nextTry, type Schedule } from './schedule.ts';
import { type Database, numberOf, sql } from './sql.ts';
import { find, type Store } from './store.ts';

/** A clock may go back by this much. A plan further in the future counts as due. */
const CLOCK_SLACK_MS = 60_000;

/** Longer than a send and what is noted after it. */
const LEASE_MS = 20_000;

export interface WebhookParts {
  readonly webhook: WebhookSender;
  readonly store: Store;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly log: Log;
  readonly databaseState: DatabaseState;
}

/** Plans it anew, where it has not arrived: an operator has mended the receiver. */
export const replanWebhook = ({ query }: Database, submission: string, nowMs: number) =>
  query(sql`
    UPDATE webhooks SET state = 'pending', tries = 0, due_at = ${nowMs}, planned_at = ${nowMs}
    WHERE submission = ${submission} AND state <> 'delivered'`);

/** Since when the oldest that has not arrived waits, in milliseconds of Unix time. */
export const oldestWebhookMs = ({ query }: Database): Promise<number | undefined> =>
  numberOf(
    query,
    sql`SELECT MIN(received_at) FROM submissions JOIN webhooks ON submission = id WHERE webhooks.state = 'pending'`,
  );

/**
 * A round of webhooks: sends what is due, one after the other. It shares nothing with the mails, so neither
 * waits for the other and neither is sent again because the other failed.
 */
export function runWebhookRound(parts: WebhookParts): Round {
  const { store, schedule, clock, databaseState } = parts;
  return async stopping => {
    try {
      while (!stopping.aborted && (await sendNext(parts, stopping)));
      const dueAtMs = await numberOf(
        store.database.query,
        sql`SELECT MIN(due_at) FROM webhooks WHERE due_at IS NOT NULL`,
      );
      const waitMs = (dueAtMs ?? Number.POSITIVE_INFINITY) - clock.now();
      return waitMs > 0 ? Math.min(waitMs, schedule.pollEveryMs) : schedule.pollEveryMs;
    } catch (cause) {
      databaseState.failed(cause);
      return schedule.pollEveryMs;
    }
  };
}

/** @returns whether one was due */
async function sendNext(
  { webhook, store, schedule, clock, log }: WebhookParts,
  stopping: AbortSignal,
): Promise<boolean> {
  const { database, leaseholder } = store;
  const { query } = database;
  const leased = await leaseNext(store, clock.now());
  if (!leased) return false;
  const record = await find(database, leased.submission);
  const settle = (state: string, dueAtMs: number | null, note: string | null) =>
    query(sql`
      UPDATE webhooks SET state = ${state}, due_at = ${dueAtMs}, planned_at = ${clock.now()}, note = ${note},
        tries = ${leased.tries + 1}, lease = NULL, lease_until = NULL
      WHERE submission = ${leased.submission} AND lease = ${leaseholder} AND state = 'pending'`);
  const fields = record?.fields;
  if (!record || !fields) {
    await settle('failed', null, 'no fields');
    return true;
  }
  const { reference } = record;
  try {
    await webhook.send(submissionEvent({ ...record, fields }), stopping);
    await settle('delivered', null, null);
    log('info', 'webhook', { reference, outcome: 'delivered' });
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    // Cut off by the end of this process: it is sent again once the lease has ended.
    if (stopping.aborted) return false;
    const { code } = error;
    // 410 Gone: the receiver wants no more of it.
    const dueAtMs =
      code === 'http-410' ? null : nextTry({ ...record, tries: leased.tries }, clock.now(), schedule);
    await settle(dueAtMs === null ? 'failed' : 'pending', dueAtMs, code);
    log('warn', 'webhook', { reference, outcome: 'failed', code });
    if (dueAtMs === null) log('error', 'webhook given up', { reference, code, alarm: true });
  }
  return true;
}

async function leaseNext({ database, leaseholder, mode }: Store, nowMs: number) {
  const [row] = await database.query(sql`
    UPDATE webhooks SET lease = ${leaseholder}, lease_until = ${nowMs + LEASE_MS}
    WHERE submission = (
      SELECT submission FROM webhooks JOIN submissions ON id = submission
      WHERE webhooks.due_at IS NOT NULL AND mode = ${mode}
        AND (webhooks.due_at <= ${nowMs} OR webhooks.planned_at > ${nowMs + CLOCK_SLACK_MS})
        AND (webhooks.lease_until IS NULL OR webhooks.lease_until <= ${nowMs}
          OR webhooks.lease_until > ${nowMs + LEASE_MS + CLOCK_SLACK_MS})
      ORDER BY webhooks.due_at LIMIT 1 ${database.dialect === 'postgres' ? sql`FOR UPDATE OF webhooks SKIP LOCKED` : sql``}
    ) RETURNING submission, tries`);
  return row && { submission: String(row.submission), tries: Number(row.tries) };
}
