import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isSubmission, ROUTES } from '../../rest/routes.ts';
import { POLICIES } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { es } from '../../tools/words/es.ts';
import type { Log, LogEvent } from '../config/log.ts';
import { inTime, systemClock } from '../config/timing.ts';

/** Values that a scrape reads, because no event counts them. */
export interface Readings {
  /**
   * Submissions by state, and since when the oldest pending one waits, in milliseconds since 1970.
   * @throws Error if the database does not answer
   */
  readonly submissions: () => Promise<{
    byState: ReadonlyMap<string, number>;
    oldestPendingMs: number | undefined;
    /** Since when the oldest event of the webhook waits. */
    oldestWebhookMs: number | undefined;
  }>;
  /** When the profile in use expires, in milliseconds since 1970. Undefined without a profile. */
  readonly profileExpiresMs: () => number | undefined;
  readonly diskFree: () => Promise<number>;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

export type Metrics = ReturnType<typeof createMetrics>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The metrics of one process (Prometheus naming: base units, `_total` on counters).
 * @param site host of the site, a label of every metric
 */
export function createMetrics(readings: Readings, site: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ site });
  collectDefaultMetrics({ register: registry });
  const make = metricMakers(registry);
  const counters = createCounters(make);
  const refresh = createGauges(make, readings);
  const answers = make.counter('aval_answers_total', 'Answers to clients; match: yes or no.', ['match']);
  for (const match of ['yes', 'no']) answers.inc({ match }, 0);
  return {
    /** Counts events of the log, so metrics and log agree. */
    follow: ((_level, event, fields = {}) => counters[event]?.(fields)) satisfies Log,
    answered: (isMatch: boolean) => answers.inc({ match: isMatch ? 'yes' : 'no' }),
    async text(): Promise<string> {
      await refresh();
      return registry.metrics();
    },
    contentType: String(registry.contentType),
  };
}

/** Buckets of request times in seconds, from a cached answer to a wait that people notice. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

function metricMakers(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
      new Histogram({ name, help, labelNames, buckets: BUCKETS, registers }),
  };
}

type Makers = ReturnType<typeof metricMakers>;

/**
 * The counters of each event of the log. Labels are names of this program, never text of a client. Series of
 * faults start at zero, because `increase()` does not see a series that begins with its first count.
 */
function createCounters({
  counter,
  gauge,
  histogram,
}: Makers): Partial<Record<LogEvent, (fields: Fields) => void>> {
  const requests = counter('aval_requests_total', 'Requests answered; code: the error of the contract.', [
    'route',
    'method',
    'status',
    'code',
  ]);
  const seconds = histogram('aval_request_seconds', 'Time from the request to its answer.', ['route']);
  const queueFull = counter(
    'aval_questions_refused_total',
    'Questions refused because too many were waiting for the encoder.',
  );
  const refused = counter('aval_limits_refused_total', 'Requests refused by a limit.', ['policy']);
  const submissions = counter('aval_submission_events_total', 'Submissions by what became of them at once.', [
    'outcome',
    'kind',
  ]);
  const mails = counter('aval_mail_attempts_total', 'Mails tried.', ['part', 'outcome']);
  const unforeseen = counter(
    'aval_unforeseen_total',
    'Faults that nobody foresaw; the log has cause and route.',
  );
  const reloaded = gauge(
    'aval_profile_last_reload_success',
    'Whether the last attempt to load the profile worked.',
  );
  const full = gauge(
    'aval_connections_full',
    'Whether all connections are taken, so that further ones are closed.',
  );
  reloaded.set(1);
  full.set(0);
  for (const route of ROUTES) {
    const [status, code] = isSubmission(route) ? ['500', 'delivery_failed'] : ['503', 'not_configured'];
    requests.inc({ route: route.path, method: route.method, status, code }, 0);
  }
  for (const policy of Object.keys(POLICIES)) refused.inc({ policy }, 0);
  for (const kind of Object.keys(es.actions)) {
    for (const outcome of ['delivered', 'replayed', 'kept', 'not-kept'])
      submissions.inc({ outcome, kind }, 0);
  }
  for (const part of ['team', 'confirm']) {
    for (const outcome of ['accepted', 'temporary', 'ambiguous', 'permanent', 'configuration']) {
      mails.inc({ part, outcome }, 0);
    }
  }
  const webhooks = counter('aval_webhooks_total', 'Events sent to the webhook.', ['outcome']);
  for (const outcome of ['delivered', 'failed', 'given-up']) webhooks.inc({ outcome }, 0);
  return {
    request(fields) {
      const { status, ms, policy, code = '', queue } = fields;
      const route = String(fields.route);
      const method = KNOWN_METHODS.has(String(fields.method)) ? String(fields.method) : 'other';
      requests.inc({ route, method, status: String(status), code: String(code) });
      seconds.observe({ route }, Number(ms) / 1000);
      if (queue === 'full') queueFull.inc();
      if (policy !== undefined) refused.inc({ policy: String(policy) });
    },
    submission: ({ outcome, kind }) => submissions.inc({ outcome: String(outcome), kind: String(kind) }),
    'submission not kept': ({ kind }) => submissions.inc({ outcome: 'not-kept', kind: String(kind) }),
    mail: ({ part, outcome }) => mails.inc({ part: String(part), outcome: String(outcome) }),
    webhook: ({ outcome }) => webhooks.inc({ outcome: String(outcome) }),
    'webhook given up': () => webhooks.inc({ outcome: 'given-up' }),
    unforeseen: () => unforeseen.inc(),
    connections: fields => typeof fields.full === 'boolean' && full.set(Number(fields.full)),
    reload: ({ fault }) => reloaded.set(Number(fault === undefined)),
  };
}

/** Other methods share one label: a client may send any word, and each would be a new series. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/**
 * Makes the gauges.
 * @returns a function that reads them again. If the database does not answer, only its own gauges are left
 * out
 */
function createGauges({ gauge }: Makers, readings: Readings): () => Promise<void> {
  const { submissions, profileExpiresMs, diskFree, now } = readings;
  gauge('aval_build_info', 'Which version runs.', ['version']).set({ version: SERVICE.version }, 1);
  const expires = gauge(
    'aval_profile_expires_timestamp_seconds',
    'When the profile in use expires, in Unix time.',
  );
  const disk = gauge('aval_disk_free_bytes', 'Space left on the disk of DATA_DIR.');
  const isUp = gauge('aval_store_up', 'Whether the store of submissions answers.');
  const states = gauge('aval_submissions', 'Submissions in the store by state.', ['state']);
  const oldest = gauge(
    'aval_submission_oldest_seconds',
    'Age of the oldest submission that waits for its mail; 0 where none waits.',
  );
  const oldestWebhook = gauge(
    'aval_webhook_oldest_seconds',
    'Age of the oldest submission that the webhook has not got; 0 where none waits.',
  );
  const show = (metric: Gauge, value: number | undefined) => {
    if (value === undefined) metric.remove();
    else metric.set(value);
  };
  return async () => {
    const expiresMs = profileExpiresMs();
    show(expires, expiresMs && expiresMs / 1000);
    const [freeDisk, stored] = await Promise.all([
      diskFree().catch(() => undefined),
      inTime(systemClock, STORE_MS, submissions()).catch(() => undefined),
    ]);
    const nowMs = now();
    const ageSeconds = (sinceMs: number | undefined) => stored && (nowMs - (sinceMs ?? nowMs)) / 1000;
    show(disk, freeDisk);
    isUp.set(Number(stored !== undefined));
    states.reset();
    for (const [state, count] of stored?.byState ?? []) states.set({ state }, count);
    show(oldest, ageSeconds(stored?.oldestPendingMs));
    show(oldestWebhook, ageSeconds(stored?.oldestWebhookMs));
  };
}

/** Bound of a read of the database, well below the 10 s that Prometheus waits for a scrape. */
const STORE_MS = 2000;
