import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../test/support/folder.ts';
import { POSTGRES, startCluster } from '../../test/support/stores.ts';
import { circumstances, keep, print } from '../result.ts';
import { besideBystander } from './bystander.ts';
import { deploy, NO_DEPLOYMENT } from './deployment.ts';
import { rollUnderLoad } from './rolling.ts';
import { randomFault, type Story, startStory } from './story.ts';

/**
 * `npm run bench -- torture [--kills N --seconds N --only kills|rolling|bystander --load TEXT --write]`.
 * Kills servers under load, again and again, with a mail provider that fails at random; takes
 * their disk and their Postgres away; and counts. Every submission that was answered with anything but
 * `not-kept` was promised to be delivered. Then restarts two instances in turn behind each proxy while forms
 * are posted, and asks as a bystander beside each kind of load, bare and behind nginx. Exit code 1 when a
 * submission was lost, or a form failed during the restarts.
 */
const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    load: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const KILLS = Number(options.kills);
const isWanted = (part: string) => options.only === undefined || options.only === part;
const folder = temporaryFolder();
/** Servers that cannot see each other's processes, as containers on one volume. */
const APART = ['unshare', '--pid', '--fork', '--kill-child=SIGKILL'];
const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

const results: Record<string, object> = {};
let isSafe = true;

async function tell(
  title: string,
  story: (tale: Story) => Promise<boolean | undefined>,
  databaseUrl?: string,
): Promise<void> {
  const dataDirectory = join(folder, title.replaceAll(/\W+/g, '-'));
  mkdirSync(dataDirectory);
  const tale = await startStory(dataDirectory, databaseUrl);
  try {
    const isAsExpected = await story(tale);
    const counts = await tale.counts();
    const isGood = isAsExpected !== false && counts.lost === 0 && counts.strangers === 0;
    isSafe &&= isGood;
    results[title] = counts;
    print(`${isGood ? 'good' : 'FAILED'}  ${title}: ${JSON.stringify(counts)}`);
  } finally {
    await tale.end();
  }
}

/**
 * Two servers on one store, all the time; one of them is killed, over and over, and another takes its place.
 */
const kills = (wrapper: readonly string[]) => async (tale: Story) => {
  tale.double.behave(randomFault);
  let pair = await Promise.all([tale.server(wrapper), tale.server(wrapper)]);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const [victim, other] = kill % 2 === 0 ? pair : pair.toReversed();
    if (!victim || !other) return false;
    await tale.load([victim, other], 200 + Math.random() * 600);
    const clients = tale.load([victim, other], 300);
    await victim.stop('SIGKILL');
    await clients;
    pair = [other, await tale.server(wrapper)];
  }
  await Promise.all(pair.map(server => server.stop('SIGKILL')));
  return tale.heal();
};

/** A story whose data directory is a disk of its own, mounted with these options. */
const onDisk = (options: string, story: (tale: Story) => Promise<boolean>) => async (tale: Story) => {
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', tale.dataDirectory]).status === 0;
  if (!isMounted) return void print('needs the right to mount');
  return story(tale).finally(() => spawnSync('umount', ['-l', tale.dataDirectory]));
};

async function killing(): Promise<void> {
  const apart = canUnshare ? ', each in a PID namespace of its own' : '';
  await tell(`${KILLS} kills, two servers on one SQLite file${apart}`, kills(canUnshare ? APART : []));

  await tell(
    'full disk, then room again',
    onDisk('size=1m', async tale => {
      const server = await tale.server();
      for (let n = 0; n < 200; n += 1) await tale.submit(server, 'x'.repeat(4000));
      // The last one may be in the journal with no room left to note that it was sent: it waits for room.
      spawnSync('mount', ['-o', 'remount,size=8m', tale.dataDirectory]);
      return (await tale.heal([server])) && tale.answered('not-kept') > 0;
    }),
  );

  await tell('a disk whose sync fails (EIO)', async tale => {
    if (spawnSync('strace', ['-V']).status !== 0) return void print('EIO: needs strace');
    const inject = 'inject=fdatasync,fsync:error=EIO:when=40..60';
    // With -D it is the server that is killed, and strace goes with it.
    const strace = 'strace -D -f -qqq -o /dev/null -e trace=fdatasync,fsync -e'.split(' ');
    const server = await tale.server([...strace, inject]);
    for (let n = 0; n < 60; n += 1) await tale.submit(server);
    await server.stop('SIGKILL');
    return (await tale.heal()) && tale.answered('not-kept') > 0;
  });

  if (POSTGRES.skip) print(`Postgres: skipped, ${POSTGRES.skip}`);
  else {
    const cluster = await startCluster();
    cluster.run('createdb', 'killed');
    cluster.run('createdb', 'stopped');
    await tell(`${KILLS} kills, two instances on one Postgres`, kills([]), cluster.url('killed'));
    await tell(
      'Postgres stopped for 10 s under load',
      async tale => {
        const pair = await Promise.all([tale.server(), tale.server()]);
        await tale.load(pair, 2000);
        const clients = tale.load(pair, 14_000);
        await cluster.stop();
        await setTimeout(10_000);
        await cluster.start();
        await clients;
        await tale.load(pair, 2000);
        return (await tale.heal(pair)) && tale.answered('not-kept') > 0;
      },
      cluster.url('stopped'),
    );
    await cluster.stop();
  }
}

async function rolling(): Promise<void> {
  if (NO_DEPLOYMENT) return print(`rolling restarts: skipped, ${NO_DEPLOYMENT}`);
  for (const store of ['sqlite', 'postgres'] as const) {
    for (const proxy of ['nginx', 'caddy'] as const) {
      const deployment = await deploy(proxy, store);
      const counts = await rollUnderLoad(deployment);
      await deployment.end();
      isSafe &&= counts.failed === 0;
      results[`rolling restarts behind ${proxy}, ${store}`] = counts;
      print(`${counts.failed === 0 ? 'good' : 'FAILED'}  ${proxy}, ${store}: ${JSON.stringify(counts)}`);
    }
  }
}

async function bystander(): Promise<void> {
  for (const isBehindNginx of NO_DEPLOYMENT ? [false] : [false, true]) {
    const rows = await besideBystander({
      seconds: Number(options.seconds),
      isBehindNginx,
      only: options.load,
    });
    const title = `bystander, ${isBehindNginx ? 'behind nginx' : 'bare'}`;
    results[title] = rows;
    print(`${title}\n${rows.map(row => JSON.stringify(row)).join('\n')}`);
  }
}

if (isWanted('kills')) await killing();
if (isWanted('rolling')) await rolling();
if (isWanted('bystander')) await bystander();
if (options.write) keep('torture', { ...circumstances(), ...results });
print(isSafe ? 'torture: nothing was lost' : 'torture: FAILED');
process.exit(isSafe ? 0 : 1);
