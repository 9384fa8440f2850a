import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Ending, startProgram } from '../../test/support/child.ts';
import { ROOT, temporaryFolder } from '../../test/support/folder.ts';
import { freePort } from '../../test/support/free-port.ts';
import { nginxArguments, shippedSite } from '../../test/support/nginx.ts';
import { startSmtp } from '../../test/support/smtp-server.ts';
import { POSTGRES, startCluster } from '../../test/support/stores.ts';
import { type Child, start } from '../child.ts';
import { addressOf, send } from './send.ts';

const NO_CADDY =
  spawnSync('caddy', ['version']).status !== 0 && 'caddy is not installed; apt-get install caddy brings it';
const NO_NGINX = !existsSync('/usr/sbin/nginx') && 'nginx is not installed; apt-get install nginx brings it';

/** Why a deployment cannot be tried here, or `false`. */
export const NO_DEPLOYMENT = POSTGRES.skip || NO_CADDY || NO_NGINX;

/** One instance of the server, which always listens on the same address. */
interface Instance {
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  /** Resolves once it has answered through the proxy since it started: the proxy counts on it. */
  serves(): Promise<void>;
}

export interface Deployment {
  /** The proxy's. */
  readonly port: number;
  readonly instances: readonly Instance[];
  readonly end: () => Promise<void>;
}

export type ProxyName = 'caddy' | 'nginx';

/** The settings that deploy/aval.service gives each instance, such as DRAIN_SECONDS. */
function unitSettings(): Record<string, string> {
  const unit = readFileSync(`${ROOT}deploy/aval.service`, 'utf8');
  const pairs = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
  return Object.fromEntries(pairs.map(pair => pair.split('=')));
}

/**
 * The pair of docs/operations.md behind a proxy: two instances on two addresses of this machine, with the
 * settings of deploy/aval.service, and the proxy with the file that is shipped for it. Only addresses and
 * ports are others.
 */
export async function deploy(proxy: ProxyName, store: 'postgres' | 'sqlite'): Promise<Deployment> {
  const folder = temporaryFolder();
  const endings: (() => unknown)[] = [];
  const t = { after: (ending: () => unknown) => void endings.unshift(ending) };
  const mails = await startSmtp(t);
  const port = await freePort();
  const serverPort = await freePort();
  const adminPort = await freePort();
  const hosts = ['127.0.0.1', '127.0.0.2'];
  const env: Record<string, string> = {
    ...unitSettings(),
    BASE_URL: `http://127.0.0.1:${port}`,
    BRAND_FILE: `${ROOT}examples/brand.json`,
    BRAND_JWKS: `${ROOT}examples/brand.jwks.json`,
    TRUSTED_PROXIES: '127.0.0.1/32',
    DATA_DIR: join(folder, 'data'),
    SMTP_URL: mails.url,
    MAIL_FROM: 'Norte Claro <hola@norteclaro.example>',
    MAIL_TO: 'equipo@norteclaro.example',
    PORT: String(serverPort),
    ADMIN_PORT: String(adminPort),
    // Each sender has its own address; the forms of an hour are not what is measured.
    LIMITS: 'submissions=9999999/3600',
  };
  if (store === 'postgres') {
    const postgres = await startCluster();
    t.after(() => postgres.stop());
    postgres.run('createdb', 'aval');
    env.DATABASE_URL = postgres.url('aval');
  }
  const instances = await Promise.all(
    hosts.map(host => startInstance(t, { ...env, HOST: host, ADMIN_HOST: host })),
  );
  const upstreams = hosts.map(host => `${host}:${serverPort}`);
  if (proxy === 'nginx') await startNginx(t, { port, upstreams });
  else await startCaddy(t, { port, upstreams, adminPort });
  return {
    port,
    instances,
    async end() {
      for (const ending of endings) await ending();
    },
  };
}

async function startInstance(t: Ending, env: Record<string, string>): Promise<Instance> {
  const command = ['--enable-source-maps', '--max-semi-space-size=4', 'dist/server/cli.js', 'serve'];
  let child: Child = await start(command, env);
  t.after(() => child.stop());
  return {
    stop: signal => child.stop(signal),
    async start() {
      child = await start(command, env);
    },
    async serves() {
      const { port: proxyPort } = new URL(env.BASE_URL ?? '');
      // The proxy chooses by address. One of several addresses is sent to this instance.
      for (let turn = 0; !(await hasServed(env)); turn += 1) {
        const from = { port: proxyPort, localAddress: addressOf(turn, 5), agent: false } as const;
        await send(from, { method: 'GET', path: '/api/v1/status' });
        await setTimeout(50);
      }
    },
  };
}

async function hasServed({ ADMIN_HOST, ADMIN_PORT }: Record<string, string>): Promise<boolean> {
  const metrics = await (await fetch(`http://${ADMIN_HOST}:${ADMIN_PORT}/metrics`)).text();
  return /^aval_requests_total\{route="\/api\/v1\/status",method="GET",status="200".* [1-9]\d*$/m.test(
    metrics,
  );
}

interface Place {
  readonly port: number;
  readonly upstreams: readonly string[];
}

/** nginx with deploy/nginx.conf, without TLS. */
export async function startNginx(t: Ending, { port, upstreams }: Place): Promise<void> {
  const servers = (_: string, line: string) =>
    upstreams.map(address => line.replace(/127\.0\.0\.\d:\d+/, address)).join('');
  const site = shippedSite(`127.0.0.1:${port} backlog=4096`, servers).replace(
    /server_name .*;/,
    'server_name _;',
  );
  const args = nginxArguments(temporaryFolder(), site, 'worker_connections 8192;');
  await startProxy(t, ['nginx', ...args], port);
}

/** Caddy with deploy/Caddyfile. */
async function startCaddy(t: Ending, { port, upstreams, adminPort }: Place & { readonly adminPort: number }) {
  await startProxy(
    t,
    ['caddy', 'run', '--config', `${ROOT}deploy/Caddyfile`, '--adapter', 'caddyfile'],
    port,
    {
      CADDY_ADMIN: `unix/${temporaryFolder()}/caddy.sock`,
      AVAL_HOST: `http://127.0.0.1:${port}`,
      AVAL_UPSTREAMS: upstreams.join(' '),
      AVAL_ADMIN_PORT: String(adminPort),
    },
  );
}

/** @throws Error when it ends before it answers */
async function startProxy(
  t: Ending,
  command: readonly string[],
  port: number,
  settings: Record<string, string> = {},
) {
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: temporaryFolder(), ...settings };
  const { process: child, printed } = startProgram(t, command, { env });
  // A killed nginx leaves its workers, whose output then stays open.
  t.after(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${port}/api/v1/status`).catch(() => undefined))?.ok === true;
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${command[0]} ended: ${printed.stderr}`);
    await setTimeout(50);
  }
}
