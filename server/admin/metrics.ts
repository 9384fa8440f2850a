import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import type { Log, LogEvent } from '../config/log.ts';

/** What is read when the metrics are, rather than counted as it happens. */
export interface Readings {
  /** Submissions by state, and since when the oldest of the pending ones waits, in milliseconds of Unix time. */
  readonly submissions: () => Promise<{ byState: ReadonlyMap<string, number>; oldestPendingMs: number | undefined }>;
  /** When the profile in use ends, in milliseconds of Unix time; `undefined` without a profile. */
  readonly profileExpiresMs: () => number | undefined;
  readonly now: () => Date;
}

export interface Metrics {
  /** Counts the events of the log: a metric and the lines cannot tell two stories. */
  readonly follow: Log;
  /** Counts an answer by the similarity of its best match; undefined where there is none. */
  readonly answered: (similarity: number | undefined) => void;
  /** In the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/** Seconds: what a cached answer takes, what a new one takes, and what somebody notices. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The metrics of one process (Prometheus naming: base units, `_total` on counters). */
export function createMetrics(readings: Readings): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  const answers = new Counter({
    name: 'aval_answers_total',
    help: 'Answers by the band of their best match: answers, nearest, possible; none without a match.',
    labelNames: ['band'],
    registers: [registry],
  });
  createGauges(registry, readings);
  return {
    follow: (_level, event, fields = {}) => counters[event]?.(fields),
    answered: similarity => answers.inc({ band: similarity === undefined ? 'none' : bandOf(similarity) }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** What each event of the log adds to. Labels are names of ours, never anything a client sent. */
function createCounters(registry: Registry): Readonly<Partial<Record<LogEvent, (fields: Fields) => void>>> {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const requests = counter('aval_requests_total', 'Requests answered.', ['route', 'method', 'status']);
  const refused = counter('aval_limits_refused_total', 'Requests refused by a limit.', ['policy']);
  const submissions = counter('aval_submission_events_total', 'Submissions by what became of them at once.', [
    'outcome',
    'kind',
  ]);
  const mails = counter('aval_mail_attempts_total', 'Mails tried.', ['part', 'outcome']);
  const seconds = new Histogram({
    name: 'aval_request_seconds',
    help: 'Time from the request to its answer.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    request({ route, method, status, ms, policy }) {
      requests.inc({
        route: String(route),
        method: KNOWN_METHODS.has(String(method)) ? String(method) : 'other',
        status: String(status),
      });
      seconds.observe({ route: String(route) }, Number(ms) / 1000);
      if (policy !== undefined) refused.inc({ policy: String(policy) });
    },
    submission: ({ outcome, kind }) => submissions.inc({ outcome: String(outcome), kind: String(kind) }),
    'submission not kept': ({ kind }) => submissions.inc({ outcome: 'not-kept', kind: String(kind) }),
    mail: ({ part, outcome }) => mails.inc({ part: String(part), outcome: String(outcome) }),
  };
}

/** A client may send any word as a method; each would be a series of its own. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

function createGauges(registry: Registry, { submissions, profileExpiresMs, now }: Readings): void {
  const oldest = new Gauge({
    name: 'aval_submission_oldest_seconds',
    help: 'Age of the oldest submission that waits for its mail; 0 where none waits.',
    registers: [registry],
  });
  new Gauge({
    name: 'aval_submissions',
    help: 'Submissions in the store by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { byState, oldestPendingMs } = await submissions();
      this.reset();
      for (const [state, count] of byState) this.set({ state }, count);
      oldest.set(oldestPendingMs === undefined ? 0 : (now().getTime() - oldestPendingMs) / 1000);
    },
  });
  new Gauge({
    name: 'aval_profile_expires_timestamp_seconds',
    help: 'When the profile in use expires, in Unix time.',
    registers: [registry],
    collect() {
      const expires = profileExpiresMs();
      if (expires !== undefined) this.set(expires / 1000);
    },
  });
}
