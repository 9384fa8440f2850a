import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics, type Readings } from '../../server/run/metrics.ts';

const NOW = new Date('2026-06-01T12:00:00Z');

/** The metrics of a server whose store is as given. */
function metricsOf(readings: Partial<Readings> = {}) {
  return createMetrics(
    {
      submissions: async () => ({
        byState: new Map([['pending', 2]]),
        oldestWebhookMs: undefined,
        oldestPendingMs: NOW.getTime() - 60_000,
      }),
      profileExpiresMs: () => NOW.getTime() + 1000,
      diskFree: async () => 5_000_000_000,
      now: () => NOW.getTime(),
      ...readings,
    },
    'acme.example',
  );
}

/** The samples of this program, by name and labels, without the site. */
function samples(text: string): Record<string, number> {
  const lines = text.split('\n').filter(line => line.startsWith('aval_'));
  return Object.fromEntries(
    lines.map(line => {
      const [, name = '', value] = /^(.*) (\S+)$/.exec(line) ?? [];
      assert.match(name, /site="acme\.example"/);
      return [name.replace(/,?site="acme\.example"/, '').replace('{}', ''), Number(value)];
    }),
  );
}

describe('/metrics', () => {
  it('tells of a store that fails, and everything else as ever', async () => {
    const metrics = metricsOf({ submissions: () => Promise.reject(new Error('connect ECONNREFUSED')) });
    metrics.follow('error', 'submission not kept', { kind: 'partner' });
    const seen = samples(await metrics.text());
    assert.equal(seen.aval_store_up, 0);
    assert.equal(seen['aval_submission_events_total{outcome="not-kept",kind="partner"}'], 1);
    assert.equal(seen.aval_submission_oldest_seconds, undefined);
    assert.equal(seen['aval_submissions{state="pending"}'], undefined);
    assert.equal(seen.aval_profile_expires_timestamp_seconds, NOW.getTime() / 1000 + 1);
  });

  it('has each counter of a fault at zero before the first fault', async () => {
    const seen = samples(await metricsOf().text());
    for (const name of [
      'aval_submission_events_total{outcome="not-kept",kind="diagnostic"}',
      'aval_submission_events_total{outcome="kept",kind="partner"}',
      'aval_mail_attempts_total{part="team",outcome="configuration"}',
      'aval_mail_attempts_total{part="confirm",outcome="ambiguous"}',
      'aval_limits_refused_total{policy="actions-service"}',
      'aval_requests_total{route="/api/v1/contact",method="POST",status="500",code="delivery_failed"}',
      'aval_requests_total{route="/ask",method="GET",status="503",code="not_configured"}',
      'aval_answers_total{match="no"}',
      'aval_unforeseen_total',
    ])
      assert.equal(seen[name], 0, name);
  });
});
