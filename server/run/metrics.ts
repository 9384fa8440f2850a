import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Profile } from '../../brand/profile/schema.ts';
import type { Mode } from '../../tools/deliver.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { es } from '../../tools/words/es.ts';
import type { Config } from '../config/config.ts';
import type { Log, LogEvent } from '../config/log.ts';
import { inTime, systemClock } from '../config/timing.ts';
import type { Database } from '../outbox/sql.ts';
import { countOverdue, countStates, oldestPendingMs } from '../outbox/stored-submission.ts';
import { freeBytes } from './health.ts';

/** What health and metrics look at. */
export interface Observed {
  readonly config: Pick<Config, 'dataDirectory' | 'databaseUrl' | 'site'>;
  readonly database: Database;
  readonly mode: Mode;
  /** The profile in use. */
  readonly profile: () => Profile | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The metrics of one process (Prometheus naming: base units, `_total` on counters). */
export function createMetrics(observed: Observed) {
  const registry = new Registry();
  registry.setDefaultLabels({ site: observed.config.site });
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  const refresh = createGauges(registry, observed);
  return {
    /** Counts events of the log, so metrics and log agree. */
    follow: ((_level, event, fields = {}) => counters[event]?.(fields)) satisfies Log,
    async text(): Promise<string> {
      await refresh();
      return registry.metrics();
    },
    contentType: String(registry.contentType),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Buckets of request times in seconds, from a cached answer to a wait that people notice. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * The counters of each event of the log. Labels are names of this program, never text of a client. Series of
 * faults start at zero, because `increase()` does not see a series that begins with its first count.
 */
function createCounters(registry: Registry): Partial<Record<LogEvent, (fields: Fields) => void>> {
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const requests = counter('aval_requests_total', 'Requests answered; code: the error of the contract.', [
    'route',
    'method',
    'status',
    'code',
  ]);
  const seconds = new Histogram({
    name: 'aval_request_seconds',
    help: 'Time from the request to its answer.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });
  const submissions = counter('aval_submission_events_total', 'Submissions by what became of them at once.', [
    'outcome',
    'kind',
  ]);
  for (const kind of Object.keys(es.actions)) submissions.inc({ outcome: 'not-kept', kind }, 0);
  const mails = counter('aval_mail_attempts_total', 'Mails tried.', ['part', 'outcome']);
  for (const part of ['team', 'confirm']) {
    for (const outcome of ['temporary', 'ambiguous', 'permanent', 'configuration']) {
      mails.inc({ part, outcome }, 0);
    }
  }
  const unforeseen = counter(
    'aval_unforeseen_total',
    'Faults that nobody foresaw; the log has cause and route.',
  );
  const full = counter(
    'aval_connections_full_total',
    'Minutes in which all connections were taken, and further ones closed.',
  );
  const reloaded = new Gauge({
    name: 'aval_profile_last_reload_success',
    help: 'Whether the last attempt to load the profile worked.',
    registers,
  });
  reloaded.set(1);
  return {
    request({ route, method, status, ms, code = '' }) {
      requests.inc({
        route: String(route),
        method: String(method),
        status: String(status),
        code: String(code),
      });
      seconds.observe({ route: String(route) }, Number(ms) / 1000);
    },
    submission: ({ outcome, kind }) => submissions.inc({ outcome: String(outcome), kind: String(kind) }),
    'submission not kept': ({ kind }) => submissions.inc({ outcome: 'not-kept', kind: String(kind) }),
    mail: ({ part, outcome }) => mails.inc({ part: String(part), outcome: String(outcome) }),
    unforeseen: () => unforeseen.inc(),
    connections: () => full.inc(),
    reload: ({ fault }) => reloaded.set(Number(fault === undefined)),
  };
}

/** Bound of a read of the database, well below the 10 s that Prometheus waits for a scrape. */
const STORE_MS = 2000;

/**
 * Makes the gauges.
 * @returns a function that reads them again. If the database does not answer, only its own gauges are left
 * out
 */
function createGauges(registry: Registry, observed: Observed): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
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
  const { config, database, mode, profile } = observed;
  return async () => {
    const currentProfile = profile();
    show(expires, currentProfile && Date.parse(currentProfile.expires_at) / 1000);
    const [freeDisk, stored] = await Promise.all([
      freeBytes(config.dataDirectory).catch(() => undefined),
      inTime(systemClock, STORE_MS, readStore(database, mode)).catch(() => undefined),
    ]);
    show(disk, freeDisk);
    isUp.set(Number(stored !== undefined));
    states.reset();
    for (const [state, count] of stored?.byState ?? []) states.set({ state }, count);
    show(oldest, stored?.oldestSeconds);
    show(oldestWebhook, stored?.oldestWebhookSeconds);
  };
}

/** Submissions by state, and the ages of the oldest ones that wait. @throws DatabaseFault */
async function readStore(database: Database, mode: Mode) {
  const nowMs = Date.now();
  const byState = await countStates(database, mode);
  byState.set('overdue', await countOverdue(database, nowMs));
  const ageSeconds = async (part: 'team' | 'webhook') => {
    const sinceMs = await oldestPendingMs(database, part, mode);
    return sinceMs === undefined ? 0 : (nowMs - sinceMs) / 1000;
  };
  return {
    byState,
    oldestSeconds: await ageSeconds('team'),
    oldestWebhookSeconds: await ageSeconds('webhook'),
  };
}
