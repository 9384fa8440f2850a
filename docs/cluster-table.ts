import * as z from 'zod';
import { table } from './table.ts';

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
  const head = [
    'While',
    'Questions',
    'p50 ms',
    'p99 ms',
    'Failed',
    'Status failed',
    'Submissions mailed',
    'Not kept',
    'Cut off',
  ];
  const rows = faults.map(({ name, questions, status, submissions: sent }) => [
    name === 'none' ? 'nothing is wrong' : name,
    ...[questions.asked, questions.p50Ms, questions.p99Ms, questions.failures, status.failures],
    ...['delivered', 'not kept', 'unanswered'].map(outcome => sent[outcome] ?? 0),
  ]);
  const most = limits.map(({ policy, quota, reached }) => `\`${policy}\` ${reached} (quota ${quota})`);
  return [
    table(head, rows),
    '',
    `Each fault lasts ${run.seconds} s and is watched for half as long after it; ${run.date}, ${run.machine}, all on one machine.`,
    `80 actions of four clients at once, before the faults: ${burst.accepted.join(', ')} accepted, ${burst.refused} refused.`,
    `Submissions acknowledged: ${submissions.acknowledged}; lost: ${submissions.lost}; mailed twice: ${submissions.mailedTwice}; mailed though their senders were told that they were not kept: ${submissions.mailedThoughNotKept}.`,
    `The most that one client got within a window, all faults included: ${most.join(', ')}.`,
    ...restarts.map(
      ({ proxy, sent, failed, restarts: times }) =>
        `Restarted one after the other ${times} times behind ${proxy}, while 16 senders post forms as fast as they are answered: ${failed} of ${sent} failed.`,
    ),
    ...alerts.map(
      ({ fault, alert, afterSeconds }) => `${fault}: \`${alert}\` fires after ${afterSeconds} s (scraped every 2 s).`,
    ),
  ].join('\n');
}
