import type { Log } from '../config/log.ts';
import type { MailError } from '../mail/mailer.ts';
import type { Breaker } from './breaker.ts';
import type { Clock } from './clock.ts';
import type { ConfirmationCaps } from './confirmation-caps.ts';
import type { Courier } from './courier.ts';
import { createDueQueue, type Due } from './due-queue.ts';
import { type Entry, isPending } from './entry.ts';
import type { InFlight } from './in-flight.ts';
import type { Ledger } from './ledger.ts';
import { nextTryAtMs, type Schedule } from './schedule.ts';

interface RedeliveryParts {
  readonly ledger: Ledger;
  readonly courier: Courier;
  readonly breaker: Breaker;
  readonly caps: ConfirmationCaps;
  readonly inFlight: InFlight;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly log: Log;
}

export type Redelivery = ReturnType<typeof createRedelivery>;

/** Sends what no request waits for any more: the team's mail that failed, and every confirmation. */
export function createRedelivery(parts: RedeliveryParts) {
  const { ledger, courier, breaker, caps, inFlight, schedule, clock, log } = parts;

  /** One background attempt; planned anew when it fails or while mail is known to be down. */
  const attempt = async (due: Due): Promise<void> => {
    const entry = ledger.entries.get(due.id);
    if (!entry || !isOwed(entry, due) || inFlight.has(due.id)) return;
    if (!breaker.claim(clock.now())) return postpone(entry, due);
    if (due.part === 'confirm') return confirm(entry, due);
    await inFlight.join(entry.id, async () => {
      const failure = await courier.sendOnce(entry, 'team');
      if (!failure) return 'delivered';
      planTeam(entry, due.tries + 1, failure);
      return 'kept';
    });
  };
  const queue = createDueQueue(clock, attempt);

  const postpone = (entry: Entry, due: Due) => {
    const isOverdue = nextTryAtMs(entry.receivedAtMs, 0, clock.now(), schedule) === undefined;
    if (isOverdue && due.part === 'team') return planTeam(entry, due.tries);
    queue.plan({ ...due, atMs: breaker.nextAtMs() });
  };

  /** Plans the next try after `tries` background ones; past the promise of a reply, raises the alarm instead. */
  const planTeam = (entry: Entry, tries: number, failure?: MailError) => {
    if (failure) report(entry, failure);
    const atMs = nextTryAtMs(entry.receivedAtMs, tries, clock.now(), schedule);
    if (atMs !== undefined) return queue.plan({ id: entry.id, part: 'team', atMs, tries });
    log('error', 'submission overdue', { id: entry.id, kind: entry.kind, attempts: entry.failures.team, alarm: true });
  };

  /** A failure that only the operator can end is an alarm at once. */
  const report = ({ id, kind, failures }: Entry, failure: MailError) => {
    const needsOperator = failure.kind === 'configuration' || failure.kind === 'permanent';
    const fields = { id, kind, attempts: failures.team, outcome: failure.kind, code: failure.code };
    log(needsOperator ? 'error' : 'warn', 'mail failed', { ...fields, ...(needsOperator && { alarm: true }) });
  };

  const confirm = async (entry: Entry, { id, tries }: Due) => {
    const failure = await courier.sendOnce(entry, 'confirm');
    if (!failure) return;
    const atMs = nextTryAtMs(entry.receivedAtMs, tries, clock.now(), schedule);
    if (atMs !== undefined && failure.kind !== 'permanent') {
      return queue.plan({ id, part: 'confirm', atMs, tries: tries + 1 });
    }
    log('warn', 'confirmation given up', { id, outcome: failure.kind, code: failure.code });
    await ledger.note({ record: 'done', id, atMs: clock.now(), confirmation: 'failed' });
  };

  return {
    planTeam,

    /** Plans the confirmation of a submission the team has, within the caps. */
    async planConfirmation({ id, fields }: Entry): Promise<void> {
      const atMs = clock.now();
      if (caps.take(fields?.email ?? '', atMs)) return queue.plan({ id, part: 'confirm', atMs, tries: 0 });
      await ledger.note({ record: 'done', id, atMs, confirmation: 'skipped' });
    },

    /** Everything that is owed, at once: at start, and when mail is back. */
    planAll(): void {
      const atMs = clock.now();
      for (const entry of ledger.entries.values()) {
        if (inFlight.has(entry.id)) continue;
        if (isPending(entry)) queue.plan({ id: entry.id, part: 'team', atMs, tries: 0 });
        else if (owesConfirmation(entry)) queue.plan({ id: entry.id, part: 'confirm', atMs, tries: 0 });
      }
    },
    cancel: queue.cancel,
    stop: queue.stop,
  };
}

const owesConfirmation = ({ confirmation, doneAtMs, abandoned }: Entry) =>
  confirmation === 'due' && doneAtMs === undefined && !abandoned;

function isOwed(entry: Entry, { part }: Due): boolean {
  return part === 'team' ? isPending(entry) : owesConfirmation(entry);
}
