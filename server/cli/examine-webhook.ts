import type { Config } from '../config/config.ts';
import { createWebhook, testEvent, WebhookError } from '../webhook/webhook.ts';

/** A receiver that takes longer makes others wait for their event. */
const SLOW_MS = 5000;

/**
 * `aval doctor --webhook`: sends an event of the type "test", and says what came back.
 * @throws Error with what to change
 */
export async function webhook({ webhook: settings }: Config) {
  if (settings === undefined) throw new Error('none is configured: set WEBHOOK_URL and WEBHOOK_SECRET');
  const { host } = new URL(settings.url);
  const beginMs = performance.now();
  try {
    await createWebhook(settings).send(testEvent());
  } catch (error) {
    const { code } = error instanceof WebhookError ? error : new WebhookError('unknown');
    throw new Error(`${host} did not take the test (${code}): ${fixOf(code)}`);
  }
  const seconds = (performance.now() - beginMs) / 1000;
  const answer = `${host} took the test in ${seconds.toFixed(1)} s`;
  if (seconds * 1000 < SLOW_MS) return answer;
  return {
    note: `${answer}: let the receiver answer first and work afterwards; after 15 s it is sent again`,
  };
}

/** What a code means, the most exact one first. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/^http-3/, 'redirects are not followed: set WEBHOOK_URL to the address where the redirect ends'],
  [
    /^http-40[13]/,
    'the receiver refuses: give it the same WEBHOOK_SECRET, and let it ask for no other login',
  ],
  [
    /^http-404/,
    'there is nothing at this path: copy the address from the receiver again, and switch it on there',
  ],
  [/^http-410/, 'the receiver wants no more events: make a new address there'],
  [/^http-4/, 'the receiver does not take the body: it must accept a POST of JSON'],
  [/^http-5/, 'the receiver has a fault: its own log says which'],
  [/ENOTFOUND|EAI_AGAIN/, 'there is no such host: check WEBHOOK_URL'],
  [/ECONNREFUSED/, 'nothing listens there: check host and port, and start the receiver'],
  [/Timeout/, 'no answer within 15 s: check the network, or let the receiver answer before it works'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/,
    'its certificate does not hold: renew it, or use the name that it is for',
  ],
];

const fixOf = (code: string): string =>
  FIXES.find(([pattern]) => pattern.test(code))?.[1] ?? 'check WEBHOOK_URL and the network';
