import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import type { Clock } from '../../server/config/timing.ts';
import type { Mailer } from '../../server/mail/mailer.ts';
import { createMailgunMailer } from '../../server/mail/mailgun.ts';
import { type MailSettings, teamMail } from '../../server/mail/message.ts';
import { createSmtpMailer } from '../../server/mail/smtp.ts';
import { databaseFile, openDatabase } from '../../server/outbox/database.ts';
import type { Store } from '../../server/outbox/deliveries.ts';
import { Outbox, type OutboxOptions } from '../../server/outbox/outbox.ts';
import { type Database, sql } from '../../server/outbox/sql.ts';
import type { Stored } from '../../server/outbox/stored-submission.ts';
import type { Submission } from '../../tools/deliver.ts';
import { POLICIES, type Policies } from '../../tools/policies.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type MailgunDouble, startMailgunDouble } from '../support/mailgun-double.ts';
import { SQLITE, type StoreUnderTest } from '../support/stores.ts';
import { storedIn } from '../support/submission-support.ts';
import type { LogLine } from '../support/support.ts';

/** The store of a process that nothing else runs in. */
export const storeOf = (database: Database): Store => ({
  database,
  mode: 'production',
  leaseMs: 20_000,
  leaseholder: 'a test',
  policies: WIDE,
  hasWebhook: false,
});

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const MAIL: MailSettings = {
  from: 'Acme <hola@mg.acme.example>',
  team: 'equipo@acme.example',
  profile: () => undefined,
};

/** Limits that no test of something else meets. */
const WIDE: Policies = {
  ...POLICIES,
  submissions: { ...POLICIES.submissions, quota: 100_000 },
  'submissions-network': { ...POLICIES['submissions-network'], quota: 100_000 },
};

/** What the store adds to a submission before it is mailed. */
export const LETTER = { id: 'sub-1', reference: 'BCDF-1234', language: 'es', suspect: false };

export function submission(
  changes: Partial<Submission> = {},
  fields: Record<string, string> = {},
): Submission {
  return {
    kind: 'diagnostic',
    confirms: true,
    replyHours: 48,
    channel: 'rest',
    clientHash: 'client-1',
    networkHash: 'network-1',
    ...changes,
    fields: {
      name: 'Ana Pérez',
      email: 'ana@client.example',
      company: 'Client SL',
      role: 'CMO',
      country: 'España',
      context: 'Queremos medir lo que aporta la marca.',
      ...fields,
    },
  };
}

/** An application, whose sender gets no confirmation. */
export const partner = (changes: Partial<Submission> = {}, fields: Record<string, string> = {}): Submission =>
  submission({ kind: 'partner', confirms: false, ...changes }, fields);

/** Timers fire only when the test moves time on. */
interface FakeClock extends Clock {
  /** Fires what falls due, in order. */
  advance(ms: number): void;
  /** Somebody sets the wall clock by so much. */
  set(ms: number): void;
}

export function createFakeClock(startMs = Date.UTC(2026, 0, 5, 9)): FakeClock {
  let nowMs = startMs;
  let shiftMs = 0;
  const timers = new Map<object, { readonly atMs: number; readonly act: () => void }>();
  const nextUntil = (endMs: number) =>
    [...timers].filter(([, { atMs }]) => atMs <= endMs).sort(([, a], [, b]) => a.atMs - b.atMs)[0];
  return {
    now: () => nowMs + shiftMs,
    monotonic: () => nowMs,
    set(ms) {
      shiftMs += ms;
    },
    setTimer(act, ms) {
      const key = {};
      timers.set(key, { atMs: nowMs + ms, act });
      return () => void timers.delete(key);
    },
    advance(ms) {
      const endMs = nowMs + ms;
      for (let next = nextUntil(endMs); next; next = nextUntil(endMs)) {
        const [key, { atMs, act }] = next;
        timers.delete(key);
        nowMs = atMs;
        act();
      }
      nowMs = endMs;
    },
  };
}

/** Outboxes over a Mailgun double and one database in a place of its own; everything ends with the test. */
export interface Bench {
  readonly double: MailgunDouble;
  readonly clock: FakeClock;
  readonly dataDirectory: string;
  readonly log: LogLine[];
  /** A database of its own over the same content, as another process has it. */
  connect(): Promise<Database>;
  open(changes?: Partial<OutboxOptions>): Promise<Outbox>;
  /** The submissions as they stand. */
  stored(): Promise<Stored[]>;
  /** Which are pending, overdue ones too. */
  pending(): Promise<Stored[]>;
  /** Whether some process is sending something, or has died of it a moment ago. */
  isSending(): Promise<boolean>;
}

export async function createBench(t: TestContext, store: StoreUnderTest = SQLITE): Promise<Bench> {
  const dataDirectory = temporaryFolder();
  const settings = await store.settings(t, dataDirectory);
  const clock = createFakeClock();
  const log: LogLine[] = [];
  const opened: Outbox[] = [];
  const connect = () => openDatabase(settings);
  const watcher = await connect();
  t.after(async () => {
    await Promise.all(opened.map(outbox => outbox.close(0).catch(() => {})));
    await watcher.close();
  });
  const double = await startMailgunDouble(t);
  return {
    double,
    clock,
    dataDirectory,
    log,
    connect,
    async open(changes = {}) {
      if (!changes.clock && opened.length > 0) clock.advance(1); // A process starts later than what it finds.
      const outbox = new Outbox({
        database: changes.database ?? (await connect()),
        mode: 'production',
        policies: WIDE,
        mail: MAIL,
        mailer: mailgunAt(double.url),
        clock,
        log: (level, event, fields) => void log.push({ level, event, ...fields }),
        ...changes,
        schedule: { inlinePausesMs: [0, 0], ...changes.schedule },
      });
      opened.push(outbox);
      return outbox;
    },
    stored: () => storedIn(watcher),
    pending: async () => (await storedIn(watcher)).filter(({ state }) => state === 'pending'),
    async isSending() {
      const leased = await watcher.query(sql`SELECT 1 FROM deliveries WHERE lease_until > ${clock.now()}`);
      return leased.length > 0;
    },
  };
}

export const teamMails = ({ double }: Bench) => double.mails.filter(({ to }) => to === MAIL.team);
export const confirmations = ({ double }: Bench) => double.mails.filter(({ to }) => to !== MAIL.team);

/** Lets what is due at this moment happen. */
export function background({ clock }: Bench, ready: () => boolean | Promise<boolean>): Promise<void> {
  return until(() => {
    clock.advance(0);
    return ready();
  });
}

/** The same on a clock that goes on. It stands still while something is sent: it would end that try and its lease on a slow machine. */
export function inSteps(
  { clock, isSending }: Bench,
  stepMs: number,
  ready: () => boolean | Promise<boolean>,
): Promise<void> {
  return until(async () => {
    if (!(await isSending())) clock.advance(stepMs);
    return ready();
  });
}

/** The result of work that waits for the clock. */
export async function ended<Result>(bench: Bench, work: Promise<Result>): Promise<Result> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  void work.then(end, end);
  await inSteps(bench, 50, () => hasEnded);
  return work;
}

/** Everything that stands in the file of its database and in the log of that. */
export async function bytesOnDisk({ dataDirectory }: Bench): Promise<string> {
  const parts = ['', '-wal'].map(end => readFile(`${databaseFile(dataDirectory)}${end}`, 'latin1'));
  return (await Promise.all(parts)).join('');
}

/** A mail to the team. */
export const TEAM_MAIL = teamMail({ ...submission(), ...LETTER, received_at: 0 }, MAIL);

/** Longer than any answer takes on a busy machine: a test that waits for the end of it says how long. */
const PATIENT_MS = 60_000;

export const smtpAt = (url: string, timeoutMs = PATIENT_MS) =>
  createSmtpMailer({ url, timeoutMs, plain: false });

export const mailerThat = (send: Mailer['send']): Mailer => ({ name: 'smtp', verify: async () => {}, send });

/** A mailer that never answers, and how many mails it was given. */
export function createHanging() {
  const sends: string[] = [];
  return { sends, mailer: mailerThat(({ messageId }) => new Promise(() => sends.push(messageId))) };
}

export function mailgunAt(url: string, timeoutMs = PATIENT_MS) {
  return createMailgunMailer({ key: 'key-secret', domain: 'mg.acme.example', url, timeoutMs });
}

/** Waits for files and sockets, which no fake clock moves. Only what never comes true waits so long, on a busy machine too. */
export async function until(isTrue: () => boolean | Promise<boolean>, what = String(isTrue)): Promise<void> {
  for (const endMs = Date.now() + 240_000; !(await isTrue()); ) {
    if (Date.now() > endMs) throw new Error(`never became true: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
