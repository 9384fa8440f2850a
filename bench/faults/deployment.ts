import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../test/free-port.ts';
import { NO_REDIS, startRedis } from '../../test/redis-server.ts';
import { startSmtp } from '../../test/smtp-server.ts';
import { POSTGRES, startCluster } from '../../test/stores.ts';
import { ROOT } from '../../test/support.ts';
import { type Child, start } from '../child.ts';

const NO_CADDY =
  spawnSync('caddy', ['version']).status !== 0 && 'caddy is not installed; apt-get install caddy brings it';

/** Why there is nothing to deploy with, or `false`. */
export const NO_DEPLOYMENT = NO_REDIS || POSTGRES.skip || NO_CADDY;

export const TEAM = 'equipo@norteclaro.example';

/** One instance of the server, which always listens on the same port. */
export interface Instance {
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
}

export type Deployment = Awaited<ReturnType<typeof deploy>>;

/**
 * What deploy/compose.yaml describes, without containers: two instances behind deploy/Caddyfile, submissions in Postgres,
 * limits in a Redis that keeps them, and a mail server. A visitor's address is the loopback address it connects from.
 */
export async function deploy() {
  const folder = mkdtempSync(join(tmpdir(), 'aval-deployment-'));
  const endings: (() => unknown)[] = [];
  const t = { after: (ending: () => unknown) => void endings.unshift(ending) };
  const mails = await startSmtp(t);
  const redis = await startRedis(t, REDIS);
  const postgres = await startCluster();
  t.after(() => postgres.stop());
  postgres.run('createdb', 'aval');
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    BASE_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1/32',
    DATABASE_URL: postgres.url('aval'),
    REDIS_URL: redis.url,
    INSTANCES: '2',
    CLIENT_KEY_SECRET: 'a secret of all instances, 32 characters or more',
    SMTP_URL: mails.url,
    MAIL_FROM: 'Norte Claro <hola@norteclaro.example>',
    MAIL_TO: TEAM,
  };
  const ports = [await freePort(), await freePort()];
  const instances = await Promise.all(
    ports.map((own, index) => startInstance(t, { ...env, PORT: String(own), DATA_DIR: join(folder, `${index}`) })),
  );
  await startCaddy(t, { port, ports, folder });
  return {
    port,
    mails: mails.mails,
    redis,
    postgres,
    instances,
    async end() {
      for (const ending of endings) await ending();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As deploy/compose.yaml has it. */
const REDIS = { appendonly: 'yes', appendfsync: 'everysec', 'maxmemory-policy': 'noeviction' };

interface Test {
  after(ending: () => unknown): void;
}

async function startInstance(t: Test, env: Record<string, string>): Promise<Instance> {
  const launched = () => start(['--enable-source-maps', '--max-semi-space-size=8', 'dist/server/cli.js', 'serve'], env);
  let child: Child = await launched();
  t.after(() => child.stop());
  return {
    stop: signal => child.stop(signal),
    async start() {
      child = await launched();
    },
  };
}

interface Caddy {
  readonly port: number;
  readonly ports: readonly number[];
  readonly folder: string;
}

/** deploy/Caddyfile as it is; the address and the instances come from the environment, as they do in compose.yaml. */
async function startCaddy(t: Test, { port, ports, folder }: Caddy): Promise<void> {
  const child = spawn('caddy', ['run', '--config', `${ROOT}deploy/Caddyfile`, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CADDY_ADMIN: `unix/${folder}/caddy.sock`,
      AVAL_HOST: `http://127.0.0.1:${port}`,
      AVAL_UPSTREAMS: ports.map(own => `127.0.0.1:${own}`).join(' '),
    },
  });
  process.once('exit', () => child.kill());
  t.after(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  while (!(await fetch(`http://127.0.0.1:${port}/api/v1/status`).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error('caddy ended; caddy run --config deploy/Caddyfile says why');
    await setTimeout(50);
  }
}
