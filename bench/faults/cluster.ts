import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { POLICIES } from '../../tools/policies.ts';
import { startBystander } from '../load/bystander.ts';
import { addressOf, everySecond, nextNumber, REQUESTS, send, visit } from '../load/crowd.ts';
import { circumstances, keep, print } from '../result.ts';
import { alertsFired } from './alerting.ts';
import { type Deployment, deploy, NO_DEPLOYMENT, type ProxyName } from './deployment.ts';
import { startLedger } from './ledger.ts';
import { rollUnderLoad } from './rolling.ts';

/**
 * `npm run check:cluster`: two instances behind Caddy with Postgres. First 80 actions at once, of which the limits
 * let 20 through; then, under a mixed load, everything the instances stand on is stopped, frozen and restarted in turn.
 * Then instances are restarted one after the other while forms are posted as fast as they are answered, behind nginx and
 * behind Caddy, on Postgres and on one DATA_DIR. `--alerts` asks a Prometheus which rules of deploy/alerts.yml fire, and when.
 * Exit code 1 when a client got more than it may, the status was not answered, an acknowledged submission was lost, or more
 * forms than `--tolerate` (0) failed during the restarts behind one proxy. `--write` keeps the figures of what was left out.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    /** Forms that are posted while instances are restarted, behind each proxy; 0 leaves the restarts out. */
    posts: { type: 'string', default: '10000' },
    tolerate: { type: 'string', default: '0' },
    alerts: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
/** How long a fault lasts; half of it more is watched. */
const SECONDS = Number(options.seconds);

interface Fault {
  readonly name: string;
  readonly begin?: (deployment: Deployment) => unknown;
  readonly end?: (deployment: Deployment) => unknown;
}

const FAULTS: readonly Fault[] = [
  { name: 'none' },
  {
    name: 'Postgres stopped',
    begin: ({ postgres }) => postgres.stop(),
    end: ({ postgres }) => postgres.start(),
  },
  {
    name: 'Postgres frozen',
    begin: ({ postgres }) => postgres.freeze(),
    end: ({ postgres }) => postgres.thaw(),
  },
  { name: 'Postgres restarted', begin: ({ postgres }) => postgres.stop('SIGINT').then(postgres.start) },
  {
    name: 'one instance killed',
    begin: ({ instances }) => instances[0]?.stop('SIGKILL'),
    end: ({ instances }) => instances[0]?.start(),
  },
  {
    name: 'one instance after the other restarted',
    async begin({ instances }) {
      for (const instance of instances) {
        await instance.stop('SIGTERM').then(instance.start);
        // As an operator does; Caddy leaves an instance alone for two seconds.
        await setTimeout(3000);
      }
    },
  },
];

const SENDERS = 16;

const PROXY_NAMES = ['nginx', 'caddy'] as const;

/** What the instances share in the restarts. */
const STORES = ['postgres', 'sqlite'] as const;

/** Limits far away: what counts here is whether a form that was sent is answered. */
const NO_LIMITS = { LIMIT_SUBMISSIONS: '9999999/3600' };

/** Clients that want more than they may have. */
const GREEDY = (['/ask', 'forms', 'actions'] as const).flatMap((step, row) =>
  Array.from({ length: 4 }, (_, index) => ({
    step,
    client: addressOf(index, 3 + row),
    perSecond: step === '/ask' ? 4 : 1,
  })),
);

if (NO_DEPLOYMENT) {
  print(`check:cluster: skipped, ${NO_DEPLOYMENT}`);
  process.exit();
}
const deployment = await deploy({ proxy: 'caddy' });
const seen = await run(deployment).finally(deployment.end);
const restarts = [];
for (const store of options.posts === '0' ? [] : STORES) {
  for (const proxy of PROXY_NAMES)
    restarts.push({ proxy, store, ...circumstances(), ...(await roll(proxy, store)) });
}
const alerts = options.alerts ? await alarmed() : [];
const report = { ...seen, restarts, alerts };
print(JSON.stringify({ submissions: report.submissions, limits: report.limits }));
const wrong = faultsIn(report);
for (const what of wrong) print(`FAILED  ${what}`);
if (options.write) {
  const earlier = JSON.parse(readFileSync('bench/results/cluster.json', 'utf8'));
  // What was left out keeps its figures.
  const kept = {
    restarts: restarts.length > 0 ? restarts : earlier.restarts,
    alerts: options.alerts ? alerts : earlier.alerts,
  };
  keep('cluster', { ...circumstances(), seconds: SECONDS, ...report, ...kept });
}
process.exit(wrong.length === 0 ? 0 : 1);

async function roll(proxy: ProxyName, store: (typeof STORES)[number]) {
  const rolled = await deploy({ proxy, store, settings: NO_LIMITS });
  const what = await rollUnderLoad(rolled, { atLeast: Number(options.posts), senders: SENDERS }).finally(
    rolled.end,
  );
  print(JSON.stringify({ proxy, store, ...what }));
  return what;
}

async function alarmed() {
  const watched = await deploy({ proxy: 'caddy', settings: NO_LIMITS });
  const fired = await alertsFired(watched).finally(watched.end);
  for (const one of fired) print(JSON.stringify(one));
  return fired;
}

async function run(deployment: Deployment) {
  const { port, mails } = deployment;
  const ledger = startLedger(mails);
  const burst = await sendBurst(port, ledger);
  print(`80 actions at once: ${JSON.stringify(burst)}`);
  const untilMs = performance.now() + FAULTS.length * SECONDS * 1500;
  const crowd = visit({ port, clients: 100, untilMs, onVisit: ledger.note });
  const greedy = GREEDY.map(one => press(port, one, ledger));
  const faults = [];
  for (const fault of FAULTS) {
    const suffered = { name: fault.name, ...(await suffer(deployment, fault, ledger)) };
    print(JSON.stringify(suffered));
    faults.push(suffered);
  }
  await Promise.all([crowd, ...greedy.map(end => end())]);
  return { burst, faults, submissions: await ledger.settle(), limits: ledger.limits() };
}

type Ledger = ReturnType<typeof startLedger>;

/** 4 clients, 20 actions each, all at once. */
async function sendBurst(port: number, ledger: Ledger) {
  const clients = Array.from({ length: 4 }, (_, index) => addressOf(index, 2));
  const answers = clients.map(localAddress =>
    Promise.all(
      Array.from({ length: 20 }, async () => {
        const n = nextNumber();
        const answer = await send({ port, localAddress, agent: false }, REQUESTS.actions(n));
        ledger.note({ ...answer, step: 'actions', n, client: localAddress });
        return answer;
      }),
    ),
  );
  const perClient = await Promise.all(answers);
  const accepted = perClient.map(all => all.filter(({ status }) => status === 200).length);
  const refused = perClient.flat().filter(({ status, text }) => status === 429 && isRefusal(text)).length;
  return { accepted, refused };
}

function isRefusal(text: string): boolean {
  const { error } = Object(JSON.parse(text));
  return error?.code === -32000 && error.data?.ok === false && error.data.code === 'rate_limited';
}

/** @returns what ends it */
function press(port: number, { step, client, perSecond }: (typeof GREEDY)[number], ledger: Ledger) {
  return everySecond(perSecond, async () => {
    const n = nextNumber();
    const answer = await send({ port, localAddress: client, agent: false }, REQUESTS[step](n));
    ledger.note({ ...answer, step, n, client });
  });
}

/** What bystanders see while it lasts, and for half as long after it. */
async function suffer(deployment: Deployment, { begin, end }: Fault, ledger: Ledger) {
  const { port } = deployment;
  const questions = startBystander({ port, perSecond: 20 });
  const status = startBystander({ port, net: 2, pathOf: () => '/api/v1/status' });
  const formsBefore = ledger.outcomes();
  await begin?.(deployment);
  await setTimeout(SECONDS * 1000);
  await end?.(deployment);
  await setTimeout(SECONDS * 500);
  const [asked, looked] = [await questions.stop(), await status.stop()];
  const forms = ledger.outcomes();
  for (const [outcome, count] of Object.entries(formsBefore)) forms[outcome] = (forms[outcome] ?? 0) - count;
  return { questions: asked, status: looked, submissions: forms };
}

function faultsIn({ burst, faults, submissions, limits, restarts }: typeof report): string[] {
  const { quota } = POLICIES.actions;
  return [
    ...(burst.accepted.every(count => count === quota) && burst.refused === 80 - 4 * quota
      ? []
      : ['80 actions at once']),
    ...faults
      .filter(({ status }) => status.failures > 0)
      .map(({ name }) => `${name}: the status was not answered`),
    ...restarts
      .filter(({ failed }) => failed > Number(options.tolerate))
      .map(({ proxy, store, failed }) => `${proxy}, ${store}: ${failed} forms failed`),
    ...(submissions.lost > 0 ? [`${submissions.lost} submissions lost`] : []),
    // What each of the two instances accepts alone, while Postgres is away, is never told to it.
    ...limits
      .filter(({ quota: most, reached }) => reached > 3 * most)
      .map(({ policy }) => `${policy}: more than three times`),
  ];
}
