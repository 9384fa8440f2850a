import * as z from 'zod';
import { bullets, table } from '../discovery/documents/markdown.ts';

const number = z.number();
const RUN = { date: z.string(), machine: z.string() };

const Speed = z.object({
  ...RUN,
  ...{ rounds: number, seconds: number, connections: number },
  rows: z.array(
    z.object({
      name: z.string(),
      against: z.string().optional(),
      ratio: number.optional(),
      ...{ perSecond: number, cpuMicroseconds: number, p50Ms: number, p99Ms: number },
    }),
  ),
  residentMb: z.object({ encoder: number, table: number }),
});

/** bench/results/speed.json as a table with its conditions. */
export function speedTable(json: string): string {
  const { rows, rounds, seconds, connections, date, machine, residentMb } = Speed.parse(JSON.parse(json));
  const body = rows.map(({ name, perSecond, against, ratio, cpuMicroseconds, p50Ms, p99Ms }) => [
    ...[name, perSecond, compared(against, ratio), cpuMicroseconds, p50Ms, p99Ms],
  ]);
  return [
    table(['', 'Requests a second', 'Against', 'CPU µs a request', 'p50 ms', 'p99 ms'], body),
    '',
    `Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections; ${date}, ${machine}, load and servers on the same machine. Memory afterwards: ${residentMb.encoder} MB, table alone ${residentMb.table} MB.`,
  ].join('\n');
}

/** The row that it is compared with sends the same: its first words are enough. */
function compared(against: string | undefined, ratio: number | undefined): string {
  if (against === undefined || ratio === undefined) return '';
  const [name] = against.split(',');
  return ratio < 2 ? `${Math.round(ratio * 100)} % of ${name}` : `${ratio.toFixed(1)} × ${name}`;
}

const StartRow = z.object({ name: z.string(), ms: number, mb: number });
const Start = z.object({ ...RUN, rounds: number, rows: z.tuple([StartRow]).rest(StartRow) });

/** bench/results/start.json as a table; the first row is what the others are multiples of. */
export function startTable(json: string): string {
  const { rows, rounds, date, machine } = Start.parse(JSON.parse(json));
  const body = rows.map(({ name, ms, mb }) => [name, ms, (ms / rows[0].ms).toFixed(1), mb || '']);
  return [
    table(['', 'ms', `× ${rows[0].name}`, 'Memory, MB'], body),
    '',
    `Medians of ${rounds} interleaved rounds; ${date}, ${machine}.`,
  ].join('\n');
}

const Phase = z.object({
  requests: number,
  refused: number,
  p50Ms: number,
  p99Ms: number,
  residentMb: number,
});
const Load = z.object({
  ...RUN,
  ...{ clients: number, seconds: number, failed: number, attackers: number, calm: Phase, attacked: Phase },
});

/** bench/results/load.json as a table with its conditions. */
export function loadTable(json: string): string {
  const { calm, attacked, clients, attackers, seconds, failed, date, machine } = Load.parse(JSON.parse(json));
  const row = (name: string, { requests, refused, p50Ms, p99Ms, residentMb }: z.infer<typeof Phase>) => [
    ...[name, requests.toLocaleString('en'), refused, p50Ms, p99Ms, residentMb],
  ];
  return [
    table(
      ['', 'Answered', 'Refused', 'p50 ms', 'p99 ms', 'Memory, MB'],
      [row(`${clients} clients`, calm), row(`and ${attackers} sockets that hold half a request`, attacked)],
    ),
    '',
    `${seconds} s each, with the encoder; ${date}, ${machine}, load and server on the same machine. Failed otherwise: ${failed}.`,
  ].join('\n');
}

const Site = z.object({
  mode: z.string(),
  ...{ sites: number, startMs: number, rssMb: number, pssMb: number, perSecond: number },
  ...{ asked: number, failed: number, killed: number },
});
const Sites = z.object({ ...RUN, isBounded: z.boolean(), seconds: number, rows: z.array(Site) });

/** bench/results/sites.json as a table with its conditions, and how many sites fit. */
export function sitesTable(json: string): string {
  const { rows, isBounded, seconds, date, machine } = Sites.parse(JSON.parse(json));
  const body = rows.map(({ mode, sites, startMs, pssMb, perSecond, failed, killed }) => [
    ...[sites, mode === 'table' ? 'table alone' : 'encoder', (startMs / 1000).toFixed(1), pssMb, perSecond],
    ...[failed, killed],
  ]);
  const held = isBounded ? 'held to 1 GB, one core, no swap' : 'not held to 1 GB';
  const most = (wanted: string) =>
    Math.max(
      0,
      ...rows.flatMap(({ mode, sites, failed, killed }) =>
        mode === wanted && failed + killed === 0 ? [sites] : [],
      ),
    );
  const fits = `Without a fault: ${most('table')} sites with \`ENCODER=off\`, or ${most('encoder')} with the encoder.`;
  return [
    table(['Sites', 'Mode', 'Start, s', 'PSS, MB', 'Questions a second', 'Failed', 'Killed'], body),
    '',
    `All sites together ${held}: ${seconds} s of new questions, then one site restarts while the others work. ${date}, ${machine}.`,
    ...(isBounded ? [fits] : []),
  ].join('\n');
}

const Seen = z.object({ asked: number, failures: number, p50Ms: number, p99Ms: number });
const Cluster = z.object({
  ...RUN,
  seconds: number,
  burst: z.object({ accepted: z.array(number), refused: number }),
  faults: z.array(
    z.object({ name: z.string(), questions: Seen, status: Seen, submissions: z.record(z.string(), number) }),
  ),
  submissions: z.object({
    acknowledged: number,
    lost: number,
    mailedTwice: number,
    mailedThoughNotKept: number,
  }),
  limits: z.array(z.object({ policy: z.string(), quota: number, reached: number })),
  restarts: z
    .array(
      z.object({
        ...RUN,
        proxy: z.string(),
        store: z.string(),
        sent: number,
        failed: number,
        restarts: number,
      }),
    )
    .default([]),
  alerts: z.array(z.object({ fault: z.string(), alert: z.string(), afterSeconds: number })).default([]),
});

/** bench/results/cluster.json: what bystanders saw of each fault, and what became of limits and submissions. */
export function clusterTable(json: string): string {
  const { burst, faults, submissions, limits, restarts, alerts, ...run } = Cluster.parse(JSON.parse(json));
  const rows = faults.map(({ name, questions, submissions: sent }) => [
    name === 'none' ? 'nothing is wrong' : name,
    ...[questions.p50Ms, questions.p99Ms, sent.delivered ?? 0],
  ]);
  const most = limits.map(({ policy, quota, reached }) => `\`${policy}\` ${reached} (${quota})`);
  return [
    table(['While', 'p50 ms', 'p99 ms', 'Submissions mailed'], rows),
    '',
    `Each fault lasts ${run.seconds} s. ${run.date}, ${run.machine}, all on one machine.`,
    '',
    bullets([
      `Failed questions and status requests: ${during(faults, ({ questions, status }) => questions.failures + status.failures)}. Forms not kept: ${during(faults, ({ submissions: sent }) => sent['not kept'])}. Forms cut off: ${during(faults, ({ submissions: sent }) => sent.unanswered)}.`,
      `Submissions acknowledged: ${submissions.acknowledged}; lost ${submissions.lost}; mailed twice ${submissions.mailedTwice}; mailed though answered "not kept" ${submissions.mailedThoughNotKept}.`,
      `Most accepted within a window (quota): ${most.join(', ')}. Without a fault, of 80 actions of four clients at once: ${burst.accepted.join(', ')}.`,
      ...(alerts.length > 0 ? [`Alerts, scraped every 2 s: ${alerts.map(alertText).join(', ')}.`] : []),
    ]),
    '',
    'Two instances restarted in turn, while 16 senders post forms:',
    '',
    table(
      ['Proxy', 'Store', 'Restarts', 'Forms failed'],
      restarts.map(({ proxy, store, sent, failed, restarts: times }) => [
        ...[proxy, STORES[store] ?? store, times, `${failed} of ${sent}`],
      ]),
    ),
  ].join('\n');
}

type Alert = z.infer<typeof Cluster>['alerts'][number];

const alertText = ({ fault, alert, afterSeconds }: Alert) => `\`${alert}\` ${afterSeconds} s after ${fault}`;

const STORES: Readonly<Record<string, string>> = { postgres: 'Postgres', sqlite: 'one `DATA_DIR`' };

type Fault = z.infer<typeof Cluster>['faults'][number];

/** `Postgres stopped 10, Postgres frozen 4`: the faults that count any. */
function during(faults: readonly Fault[], count: (fault: Fault) => number | undefined): string {
  const counted = faults
    .map(fault => [fault.name, count(fault) ?? 0] as const)
    .filter(([, times]) => times > 0);
  return counted.map(pair => pair.join(' ')).join(', ') || 'none';
}
