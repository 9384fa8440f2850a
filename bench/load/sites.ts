import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sitesTable } from '../../docs/bench-tables.ts';
import { temporaryFolder } from '../../test/support/folder.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startSmtp } from '../../test/support/smtp-server.ts';
import { type Child, memoryMb, start } from '../child.ts';
import { circumstances, keep, print } from '../result.ts';
import { addressOf, failuresOf, nextNumber, perSecond, REQUESTS, send } from './crowd.ts';

/**
 * `npm run bench -- sites [--only table:10,encoder:1 --seconds N --write]`: sites as deploy/aval@.service runs them, a process
 * each, together held to 1 GB, one core and no swap by a cgroup (version 1, as root; elsewhere it says so and holds nothing).
 * Measures the start of all at once, their memory, answers a second in turn, and whether every other site answers and takes a
 * form while one restarts. Exit code 1 when a site was killed or did not answer.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'table:1,table:5,table:10,table:20,encoder:1,encoder:2,encoder:5' },
    seconds: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
});
const GIGABYTE = String(2 ** 30);
const GROUP = `aval-sites-${process.pid}`;
/** What the group may have; memsw is memory and swap together, and is missing where swap is not counted. */
const BOUNDS = {
  memory: { 'memory.limit_in_bytes': GIGABYTE, 'memory.memsw.limit_in_bytes': GIGABYTE },
  cpu: { 'cpu.cfs_period_us': '100000', 'cpu.cfs_quota_us': '100000' },
};
const CONTROLLERS = Object.keys(BOUNDS);
const SENDERS = 8;

const isBounded = bound();
const { url } = await startSmtp({ after: () => {} });
const rows = [];
for (const one of values.only.split(',')) {
  const [mode = '', count] = one.split(':');
  rows.push(await measure(mode, Number(count)));
  process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
}
for (const name of isBounded ? CONTROLLERS : []) rmdirSync(`/sys/fs/cgroup/${name}/${GROUP}`);

const report = { ...circumstances(), isBounded, seconds: Number(values.seconds), rows };
if (values.write) keep('sites', report);
print(sitesTable(JSON.stringify(report)));
process.exit(rows.every(({ killed, failed }) => killed + failed === 0) ? 0 : 1);

/** @returns whether this machine can hold processes */
function bound(): boolean {
  try {
    for (const [name, files] of Object.entries(BOUNDS)) {
      const folder = `/sys/fs/cgroup/${name}/${GROUP}`;
      mkdirSync(folder);
      for (const [file, text] of Object.entries(files)) {
        if (existsSync(`${folder}/${file}`)) writeFileSync(`${folder}/${file}`, text);
      }
    }
    return true;
  } catch {
    process.stderr.write(
      'cgroups of version 1 are not writable here: the sites are not held to 1 GB and one core\n',
    );
    return false;
  }
}

/** A child belongs to the group of its parent, from its first byte: this process goes there while it starts one. */
function launch(env: Record<string, string>): Promise<Child> {
  enter(GROUP);
  const started = start(['dist/server/cli.js', 'serve'], env);
  enter('');
  return started;
}

function enter(group: string): void {
  for (const name of isBounded ? CONTROLLERS : [])
    writeFileSync(join('/sys/fs/cgroup', name, group, 'cgroup.procs'), String(process.pid));
}

async function measure(mode: string, count: number) {
  const before = kills();
  const settings = await Promise.all(Array.from({ length: count }, () => settingsOf(mode)));
  const begunMs = performance.now();
  const started = await Promise.allSettled(settings.map(launch));
  const startMs = Math.round(performance.now() - begunMs);
  const sites = started.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
  const isWhole = sites.length === count;
  if (isWhole) await askInTurn(sites, count);
  const answers = isWhole ? await askInTurn(sites, Number(values.seconds)) : { perSecond: 0, failed: count };
  const memory = { rssMb: sum(sites, 'Rss'), pssMb: sum(sites, 'Pss') };
  const others = isWhole && count > 1 ? await restartOne(sites, settings) : { asked: 0, failed: 0 };
  const killed = kills() - before;
  await Promise.all(sites.map(site => site.stop('SIGKILL')));
  const failed = answers.failed + others.failed;
  return {
    mode,
    sites: count,
    startMs,
    ...memory,
    perSecond: answers.perSecond,
    asked: others.asked,
    failed,
    killed,
  };
}

async function settingsOf(mode: string): Promise<Record<string, string>> {
  const port = String(await freePort());
  return {
    ...{
      NODE_ENV: 'production',
      PORT: port,
      BASE_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: temporaryFolder(),
    },
    ...{
      SMTP_URL: url,
      MAIL_FROM: 'Norte Claro <hola@norteclaro.example>',
      MAIL_TO: 'equipo@norteclaro.example',
    },
    ...{
      LIMIT_DEFAULT: '9999999/60',
      LIMIT_SUBMISSIONS: '9999999/3600',
      ENCODER: mode === 'table' ? 'off' : '',
    },
  };
}

/** Questions that never repeat, one site after the other. */
async function askInTurn(sites: readonly Child[], seconds: number) {
  const statuses: number[] = [];
  const begunMs = performance.now();
  const untilMs = begunMs + seconds * 1000;
  const sender = async () => {
    while (performance.now() < untilMs) {
      const n = nextNumber();
      statuses.push((await send({ port: sites[n % sites.length]?.port ?? 0 }, REQUESTS['/ask'](n))).status);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return { perSecond: perSecond(statuses, begunMs), failed: failuresOf(statuses).length };
}

/** A question and a form to every other site, again and again, until the first is back. */
async function restartOne(
  [first, ...others]: readonly Child[],
  [env = {}]: readonly Record<string, string>[],
) {
  const statuses: number[] = [];
  let isBack = false;
  const visitor = async ({ port }: Child, index: number) => {
    while (!isBack) {
      for (const step of ['/ask', 'forms'] as const) {
        const { status } = await send(
          { port, localAddress: addressOf(index, 5) },
          REQUESTS[step](nextNumber()),
        );
        statuses.push(status);
      }
      await setTimeout(250);
    }
  };
  const visitors = others.map(visitor);
  await first?.stop();
  const again = await launch(env);
  isBack = true;
  await Promise.all(visitors);
  await again.stop();
  return { asked: statuses.length, failed: failuresOf(statuses).length };
}

/** MB of all; PSS counts a page that several share once. */
function sum(sites: readonly Child[], figure: 'Rss' | 'Pss'): number {
  // The kernel may just have ended one.
  return Math.round(
    sites.reduce((total, { pid }) => total + (memoryMb(pid, 'smaps_rollup', figure) || 0), 0),
  );
}

/** What the kernel has ended in the group for want of memory. */
function kills(): number {
  if (!isBounded) return 0;
  return Number(
    /oom_kill (\d+)/.exec(readFileSync(`/sys/fs/cgroup/memory/${GROUP}/memory.oom_control`, 'utf8'))?.[1],
  );
}
