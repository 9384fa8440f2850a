import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const Seen = z.object({ asked: z.number(), failures: z.number(), p50Ms: z.number(), p99Ms: z.number() });

const Report = z.object({
  date: z.string(),
  machine: z.string(),
  seconds: z.number(),
  burst: z.object({ accepted: z.array(z.number()), refused: z.number() }),
  faults: z.array(
    z.object({
      name: z.string(),
      questions: Seen,
      status: Seen,
      submissions: z.record(z.string(), z.number()),
    }),
  ),
  submissions: z.object({
    acknowledged: z.number(),
    lost: z.number(),
    mailedTwice: z.number(),
    mailedThoughNotKept: z.number(),
  }),
  limits: z.array(z.object({ policy: z.string(), quota: z.number(), reached: z.number() })),
  restarts: z
    .array(z.object({ proxy: z.string(), sent: z.number(), failed: z.number(), restarts: z.number() }))
    .default([]),
  alerts: z.array(z.object({ fault: z.string(), alert: z.string(), afterSeconds: z.number() })).default([]),
});

/** bench/results/cluster.json: what bystanders saw of each fault, and what became of limits and submissions. */
export function clusterTable(json: string): string {
  const { burst, faults, submissions, limits, restarts, alerts, ...run } = Report.parse(JSON.parse(json));
  const rows = faults.map(({ name, questions, submissions: sent }) => [
    name === 'none' ? 'nothing is wrong' : name,
    ...[questions.p50Ms, questions.p99Ms, sent.delivered ?? 0],
  ]);
  const asked = faults.map(({ questions }) => questions.asked);
  const most = limits.map(({ policy, quota, reached }) => `\`${policy}\` ${reached} (${quota})`);
  return [
    table(['While', 'p50 ms', 'p99 ms', 'Submissions mailed'], rows),
    '',
    `Each fault lasts ${run.seconds} s and is watched half as long after it: ${Math.min(...asked)} to ${Math.max(...asked)} questions. ${run.date}, ${run.machine}, all on one machine.`,
    `Failed questions and status requests: ${during(faults, ({ questions, status }) => questions.failures + status.failures)}. Forms not kept: ${during(faults, ({ submissions: sent }) => sent['not kept'])}. Forms cut off: ${during(faults, ({ submissions: sent }) => sent.unanswered)}.`,
    `80 actions of four clients at once, before the faults: ${burst.accepted.join(', ')} accepted, ${burst.refused} refused.`,
    `Submissions acknowledged: ${submissions.acknowledged}; lost: ${submissions.lost}; mailed twice: ${submissions.mailedTwice}; mailed though answered "not kept": ${submissions.mailedThoughNotKept}.`,
    `Most accepted within a window (quota), faults included: ${most.join(', ')}.`,
    ...restarts.map(
      ({ proxy, sent, failed, restarts: times }) =>
        `Restarted one after the other ${times} times behind ${proxy}, while 16 senders post forms as fast as they are answered: ${failed} of ${sent} failed.`,
    ),
    ...alerts.map(
      ({ fault, alert, afterSeconds }) => `${fault}: \`${alert}\` fires after ${afterSeconds} s (scraped every 2 s).`,
    ),
  ].join('\n');
}

type Fault = z.infer<typeof Report>['faults'][number];

/** `Postgres stopped 10, Postgres frozen 4`: the faults that count any. */
function during(faults: readonly Fault[], count: (fault: Fault) => number | undefined): string {
  const counted = faults.map(fault => [fault.name, count(fault) ?? 0] as const).filter(([, times]) => times > 0);
  return counted.map(pair => pair.join(' ')).join(', ') || 'none';
}
