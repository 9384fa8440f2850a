import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';

interface Options {
  readonly url: string;
  /** Whose server raises them. */
  readonly site: string;
  /** What the receiver verifies with: `whsec_` and 24 to 64 bytes in base64. Without it alarms are not signed. */
  readonly secret: string | undefined;
  /** Told when an alarm could not be handed over. */
  readonly log: Log;
  /** Pauses before each further try. Milliseconds. */
  readonly pausesMs?: readonly number[];
}

const PAUSES_MS = [1000, 5000, 30_000, 120_000];

const TIMEOUT_MS = 10_000;

/**
 * Sends every log line that carries `alarm: true` to a web address as well: signed, and tried five times within three
 * minutes (Standard Webhooks, standardwebhooks.com). The line itself stays in the log whatever happens.
 */
export function createAlarms({ url, site, secret, log, pausesMs = PAUSES_MS }: Options): Log {
  return (level, event, fields = {}) => {
    if (fields.alarm !== true) return;
    const body = JSON.stringify({
      type: 'alarm',
      timestamp: new Date().toISOString(),
      data: { site, level, event, ...fields },
    });
    void deliver(body, randomUUID()).catch(error =>
      log('warn', 'alarm not delivered', { setting: 'ALARM_URL', about: event, cause: messageOf(error) }),
    );
  };

  async function deliver(body: string, id: string): Promise<void> {
    for (const pause of [...pausesMs, undefined]) {
      try {
        return await post(body, id);
      } catch (error) {
        if (pause === undefined) throw error;
        await wait(pause, undefined, { ref: false });
      }
    }
  }

  async function post(body: string, id: string): Promise<void> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = secret === undefined ? {} : { 'webhook-signature': sign(`${id}.${timestamp}.${body}`, secret) };
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...signature,
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { ok, status } = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
    if (!ok) throw new Error(`answered ${status}`);
  }
}

function sign(text: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}
