import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createMailgunMailer } from '../server/mail/mailgun.ts';
import type { MailSettings } from '../server/mail/message.ts';
import type { Clock } from '../server/submissions/clock.ts';
import { type Outbox, type OutboxOptions, openOutbox } from '../server/submissions/outbox.ts';
import type { Submission } from '../tools/deliver.ts';
import { type MailgunDouble, startMailgunDouble } from './mailgun-double.ts';

export const MAIL: MailSettings = {
  from: 'Acme <hola@mg.acme.example>',
  team: 'equipo@acme.example',
  brandName: 'Acme',
};

export function submission(changes: Partial<Submission> = {}, fields: Record<string, string> = {}): Submission {
  return {
    kind: 'diagnostic',
    channel: 'rest',
    clientHash: 'client-1',
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

/** Timers fire only when the test moves time on. */
export interface FakeClock extends Clock {
  /** Fires what falls due, in order. */
  advance(ms: number): void;
}

export function createFakeClock(startMs = Date.UTC(2026, 0, 5, 9)): FakeClock {
  let nowMs = startMs;
  const timers = new Map<object, { readonly atMs: number; readonly act: () => void }>();
  const nextUntil = (endMs: number) =>
    [...timers].filter(([, { atMs }]) => atMs <= endMs).sort(([, a], [, b]) => a.atMs - b.atMs)[0];
  return {
    now: () => nowMs,
    random: () => 0,
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

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** An outbox over a Mailgun double in a folder of its own; everything ends with the test. */
export interface Bench {
  readonly double: MailgunDouble;
  readonly clock: FakeClock;
  readonly dataDirectory: string;
  readonly log: LogLine[];
  open(changes?: Partial<OutboxOptions>): Promise<Outbox>;
}

export async function createBench(t: TestContext): Promise<Bench> {
  const double = await startMailgunDouble();
  const dataDirectory = await temporaryFolder(t);
  const clock = createFakeClock();
  const log: LogLine[] = [];
  const opened: Outbox[] = [];
  t.after(async () => {
    await Promise.all(opened.map(outbox => outbox.close().catch(() => {})));
    await double.close();
  });
  return {
    double,
    clock,
    dataDirectory,
    log,
    async open(changes = {}) {
      const outbox = await openOutbox({
        dataDirectory,
        mail: MAIL,
        mailer: mailgunAt(double.url),
        clock,
        log: (level, event, fields) => void log.push({ level, event, ...fields }),
        schedule: { inlineBaseMs: 0 },
        ...changes,
      });
      opened.push(outbox);
      return outbox;
    },
  };
}

export function mailgunAt(url: string, timeoutMs = 300) {
  return createMailgunMailer({ key: 'key-secret', domain: 'mg.acme.example', url, timeoutMs, testMode: false });
}

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'aval-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Waits for files and sockets, which no fake clock moves. */
export async function until(isTrue: () => boolean | Promise<boolean>, what = String(isTrue)): Promise<void> {
  for (const endMs = Date.now() + 5_000; !(await isTrue()); ) {
    if (Date.now() > endMs) throw new Error(`never became true: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
