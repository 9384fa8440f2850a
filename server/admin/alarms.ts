import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Log, LogEvent } from '../config/log.ts';

interface AlarmOptions {
  readonly url: string;
  /** Whose server raises them. */
  readonly site: string;
  /** What the receiver verifies with: `whsec_` and 24 to 64 bytes in base64. Without it alarms are not signed. */
  readonly secret: string | undefined;
  /** Told when an alarm could not be handed over. */
  readonly log: Log;
  /** Pauses before each further try. Milliseconds. */
  readonly pausesMs?: readonly number[];
  /** Alarms of one event and cause within this time are told as one, with their count. Milliseconds. */
  readonly mergeMs?: number;
}

const PAUSES_MS = [1000, 5000, 30_000, 120_000];

const TIMEOUT_MS = 10_000;

const MERGE_MS = 60_000;

/** Causes come from error codes, so there are few. A hundred at once would be a flood of its own. */
const MOST_KINDS = 100;

/** An alarm that was sent, and what came after it in the same minute. */
interface Told {
  count: number;
  latest: Alarm;
}

interface Alarm {
  readonly level: string;
  readonly event: LogEvent;
  readonly [field: string]: unknown;
}

/**
 * Sends every log line that carries `alarm: true` to a web address as well: signed, and tried five times within three
 * minutes (Standard Webhooks, standardwebhooks.com). The first of its event and cause is sent at once, what follows
 * within a minute as one, with its count. The lines themselves stay in the log whatever happens.
 */
export function createAlarms({ pausesMs = PAUSES_MS, mergeMs = MERGE_MS, log, ...to }: AlarmOptions): Log {
  const told = new Map<string, Told>();
  return (level, event, fields = {}) => {
    if (fields.alarm !== true) return;
    const alarm = { level, event, ...fields };
    const kind = JSON.stringify([event, fields.cause ?? fields.code ?? fields.fix]);
    const earlier = told.get(kind);
    if (earlier) Object.assign(earlier, { count: earlier.count + 1, latest: alarm });
    if (earlier || told.size >= MOST_KINDS) return;
    told.set(kind, { count: 0, latest: alarm });
    setTimeout(tellRest, mergeMs, kind).unref();
    void deliver(alarm);
  };

  function tellRest(kind: string): void {
    const { count, latest } = told.get(kind) ?? { count: 0 };
    told.delete(kind);
    if (latest && count > 0) void deliver({ ...latest, count });
  }

  async function deliver(alarm: Alarm): Promise<void> {
    const body = alarmBody(to.site, alarm);
    const id = randomUUID();
    for (const pause of [...pausesMs, undefined]) {
      const cause = await postAlarm(to, body, id);
      if (cause === undefined) return;
      if (pause === undefined)
        return log('warn', 'alarm not delivered', { setting: 'ALARM_URL', about: alarm.event, cause });
      await wait(pause, undefined, { ref: false });
    }
  }
}

export const alarmBody = (site: string, alarm: object) =>
  JSON.stringify({ type: 'alarm', timestamp: new Date().toISOString(), data: { site, ...alarm } });

/** One try. @returns why it failed, without the address: that may hold a secret */
export async function postAlarm(
  { url, secret }: Pick<AlarmOptions, 'url' | 'secret'>,
  body: string,
  id: string,
): Promise<string | undefined> {
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    ...(secret !== undefined && { 'webhook-signature': new Webhook(secret).sign(id, now, body) }),
  };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { ok, status } = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
    return ok ? undefined : `answered ${status}`;
  } catch (error) {
    return error instanceof Error ? reasonOf(error) : 'unknown';
  }
}

/** The system's code where there is one (`ECONNREFUSED`), else the kind of error. */
function reasonOf({ name, cause }: Error): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : name;
}
