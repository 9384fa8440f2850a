import type { Deliver } from '../../tools/deliver.ts';
import type { Log } from '../config/log.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { MailSettings } from '../mail/message.ts';
import { createBreaker } from './breaker.ts';
import { type Clock, sleep, systemClock } from './clock.ts';
import type { CommandResult, OutboxCommand } from './command.ts';
import { watchCommands } from './command-inbox.ts';
import { createConfirmationCaps } from './confirmation-caps.ts';
import { type Courier, createCourier } from './courier.ts';
import { type Entry, entriesOf, stateOf } from './entry.ts';
import { createInFlight } from './in-flight.ts';
import { createIntake } from './intake.ts';
import { createLedger } from './ledger.ts';
import { createOperator } from './operator.ts';
import type { JournalContent } from './read-journal.ts';
import { createRedelivery, type Redelivery } from './redelivery.ts';
import { keepRetention, RETENTION_DAYS } from './retention.ts';
import { SCHEDULE, type Schedule } from './schedule.ts';
import { openStore } from './store.ts';

export interface OutboxOptions {
  readonly dataDirectory: string;
  readonly mailer: Mailer;
  readonly mail: MailSettings;
  readonly log: Log;
  readonly clock?: Clock;
  readonly schedule?: Partial<Schedule>;
  readonly retentionDays?: number;
  /** `false` for one command of the operator: no re-delivery, no retention, no command inbox. */
  readonly background?: boolean;
}

export interface Outbox {
  readonly deliver: Deliver;
  /** Times, oldest first, of MCP submissions within the last `windowMs`: rebuilds the `actions-service` limit. */
  actionTimesMs(windowMs: number): number[];
  readonly status: () => { readonly pending: number; readonly overdue: number; readonly isMailDown: boolean };
  run(command: OutboxCommand): Promise<CommandResult>;
  /** Lets sends under way end, at most `withinMs` (12 s); then syncs and releases the directory. */
  close(withinMs?: number): Promise<void>;
}

/**
 * Opens the outbox of a data directory and takes up what is still owed.
 * @throws OutboxLocked when another process has it @throws DataDirectoryUnusable
 */
export async function openOutbox(options: OutboxOptions): Promise<Outbox> {
  const { dataDirectory, mailer, mail, log, clock = systemClock, background = true } = options;
  const schedule = { ...SCHEDULE, ...options.schedule };
  const { content, journal, lock } = await openStore(dataDirectory);
  reportDamage(content, log);

  const closing = new AbortController();
  const entries = entriesOf(content.records);
  const caps = createConfirmationCaps(entries.values(), [mail.from, ...mail.team.split(',')]);
  const ledger = createLedger({ dataDirectory, journal, entries, now: clock.now, log });
  const breaker = createBreaker(FAILURES_TO_OPEN, schedule.probeEveryMs, clock.now);
  const inFlight = createInFlight();
  const courier: Courier = createCourier({
    ...{ mailer, mail, ledger, breaker, schedule, clock, closing: closing.signal },
    onTeamAccepted: entry => redelivery.planConfirmation(entry),
    onMail(isBack) {
      log(isBack ? 'info' : 'error', isBack ? 'mail is back' : 'mail is down', isBack ? {} : { alarm: true });
      if (isBack) redelivery.planAll();
    },
  });
  const parts = { ledger, courier, breaker, caps, inFlight, schedule, clock, log, closing: closing.signal };
  const redelivery: Redelivery = createRedelivery(parts);
  const run = createOperator({ ...parts, redelivery, isMailDown: breaker.isOpen });

  const stopRetention = background
    ? keepRetention(ledger, options.retentionDays ?? RETENTION_DAYS, clock, log)
    : () => {};
  const stopCommands = background ? await watchCommands({ dataDirectory, clock, run, log }) : () => Promise.resolve();
  if (background) redelivery.planAll();
  else await redelivery.stop();

  return {
    deliver: createIntake({ ...parts, redelivery }),
    run,
    actionTimesMs: windowMs => actionTimes(entries.values(), clock.now() - windowMs),
    status() {
      const states = [...entries.values()].map(entry => stateOf(entry, clock.now()));
      const count = (state: string) => states.filter(one => one === state).length;
      return { pending: count('pending'), overdue: count('overdue'), isMailDown: breaker.isOpen() };
    },
    async close(withinMs = CLOSE_WITHIN_MS) {
      closing.abort();
      stopRetention();
      const isQuiet = new AbortController();
      void Promise.all([redelivery.stop(), inFlight.settled(), stopCommands()]).then(() => isQuiet.abort());
      await sleep(clock, withinMs, isQuiet.signal);
      await journal.close().finally(() => lock.release());
    },
  };
}

/** Failures in a row after which requests no longer wait for mail. */
const FAILURES_TO_OPEN = 5;

/** Longer than a send takes. */
const CLOSE_WITHIN_MS = 12_000;

function reportDamage({ damagedLines, tornBytes }: JournalContent, log: Log): void {
  if (damagedLines.length > 0) log('error', 'journal lines damaged', { lines: damagedLines, alarm: true });
  if (tornBytes > 0) log('warn', 'journal ended in a torn write', { bytes: tornBytes });
}

function actionTimes(entries: Iterable<Entry>, sinceMs: number): number[] {
  const isAction = ({ channel, receivedAtMs }: Entry) =>
    (channel === 'mcp' || channel === 'stdio') && receivedAtMs > sinceMs;
  return [...entries].filter(isAction).map(({ receivedAtMs }) => receivedAtMs);
}
