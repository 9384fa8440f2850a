import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createMetrics } from '../../server/run/metrics.ts';

it('/metrics tells of a store that fails, and everything else as ever', async () => {
  const nowMs = Date.UTC(2026, 5, 1);
  const metrics = createMetrics(
    {
      submissions: () => Promise.reject(new Error('connect ECONNREFUSED')),
      profileExpiresMs: () => nowMs,
      diskFree: async () => 5_000_000_000,
      now: () => nowMs,
    },
    'acme.example',
  );
  metrics.follow('error', 'submission not kept', { kind: 'partner' });
  const lines = (await metrics.text()).split('\n');
  for (const line of [
    'aval_store_up{site="acme.example"} 0',
    'aval_submission_events_total{outcome="not-kept",kind="partner",site="acme.example"} 1',
    // `increase()` does not see a series that begins with its first count.
    'aval_submission_events_total{outcome="not-kept",kind="diagnostic",site="acme.example"} 0',
    'aval_mail_attempts_total{part="team",outcome="configuration",site="acme.example"} 0',
    `aval_profile_expires_timestamp_seconds{site="acme.example"} ${nowMs / 1000}`,
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
  assert.ok(!lines.some(line => line.startsWith('aval_submission_oldest_seconds{')));
});
