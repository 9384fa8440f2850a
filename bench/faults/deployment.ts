import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Ending } from '../../test/support/child.ts';
import { temporaryFolder } from '../../test/support/folder.ts';
import { freePort } from '../../test/support/free-port.ts';
import { nginxArguments, shippedSite } from '../../test/support/nginx.ts';
import { startSmtp } from '../../test/support/smtp-server.ts';
import { POSTGRES, startCluster } from '../../test/support/stores.ts';
import { ROOT } from '../../test/support/support.ts';
import { type Child, start, startProgram } from '../child.ts';

const NO_CADDY =
  spawnSync('caddy', ['version']).status !== 0 && 'caddy is not installed; apt-get install caddy brings it';
const NO_NGINX = !existsSync('/usr/sbin/nginx') && 'nginx is not installed; apt-get install nginx brings it';

/** Why there is nothing to deploy with, or `false`. */
export const NO_DEPLOYMENT = POSTGRES.skip || NO_CADDY || NO_NGINX;

export const TEAM = 'equipo@norteclaro.example';

/** One instance of the server, which always listens on the same port. */
export interface Instance {
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
}

export type Deployment = Awaited<ReturnType<typeof deploy>>;

interface DeployOptions {
  readonly proxy: ProxyName;
  /** What the instances share: Postgres, or one DATA_DIR, as those of deploy/aval.service do. */
  readonly store?: 'postgres' | 'sqlite';
  /** Settings of the instances besides those of deploy/compose.yaml. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * What deploy/compose.yaml describes, without containers: two instances behind deploy/Caddyfile, submissions and limits in
 * Postgres, and a mail server. A visitor's address is the loopback address it connects from.
 */
export async function deploy({ proxy, store = 'postgres', settings = {} }: DeployOptions) {
  const folder = temporaryFolder();
  const endings: (() => unknown)[] = [];
  const t = { after: (ending: () => unknown) => void endings.unshift(ending) };
  const mails = await startSmtp(t);
  const postgres = await startCluster();
  t.after(() => postgres.stop());
  postgres.run('createdb', 'aval');
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    BASE_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1/32',
    ...(store === 'postgres' && { DATABASE_URL: postgres.url('aval') }),
    SMTP_URL: mails.url,
    MAIL_FROM: 'Norte Claro <hola@norteclaro.example>',
    MAIL_TO: TEAM,
    ...settings,
  };
  // Addresses of their own, since a proxy asks all of them on the same admin port.
  const [own, admin] = [await freePort(), await freePort()];
  const hosts = ['127.0.0.2', '127.0.0.3'];
  const instances = await Promise.all(
    hosts.map((host, index) =>
      startInstance(t, {
        ...env,
        ...{ HOST: host, PORT: String(own), ADMIN_HOST: host, ADMIN_PORT: String(admin), DRAIN_SECONDS: '3' },
        DATA_DIR: join(folder, store === 'postgres' ? `${index}` : 'shared'),
      }),
    ),
  );
  await startProxy(t, proxy, { port, admin, upstreams: hosts.map(host => `${host}:${own}`), folder });
  return {
    port,
    metrics: hosts.map(host => `${host}:${admin}`),
    mails: mails.mails,
    postgres,
    instances,
    async end() {
      for (const ending of endings) await ending();
    },
  };
}

async function startInstance(t: Ending, env: Record<string, string>): Promise<Instance> {
  const launched = () =>
    start(['--enable-source-maps', '--max-semi-space-size=4', 'dist/server/cli.js', 'serve'], env);
  let child: Child = await launched();
  t.after(() => child.stop());
  return {
    stop: signal => child.stop(signal),
    async start() {
      child = await launched();
    },
  };
}

/** Arguments and environment of a proxy. */
interface Prepared {
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
}

interface Place {
  readonly port: number;
  /** The admin port of every instance. */
  readonly admin: number;
  readonly upstreams: readonly string[];
  readonly folder: string;
}

/** Each with the file that is shipped for it; only addresses are others. */
const PROXIES = {
  caddy: ({ port, admin, upstreams, folder }) => ({
    args: ['run', '--config', `${ROOT}deploy/Caddyfile`, '--adapter', 'caddyfile'],
    env: {
      CADDY_ADMIN: `unix/${folder}/caddy.sock`,
      AVAL_HOST: `http://127.0.0.1:${port}`,
      AVAL_UPSTREAMS: upstreams.join(' '),
      AVAL_ADMIN_PORT: String(admin),
    },
  }),
  nginx({ port, upstreams, folder }) {
    const site = shippedSite(`127.0.0.1:${port} backlog=4096`, (_: string, line: string) =>
      upstreams.map(address => line.replace(/127\.0\.0\.1:\d+/, address)).join(''),
    ).replace(/server_name .*;/, 'server_name _;');
    return { args: nginxArguments(folder, site, 'worker_connections 2048;') };
  },
} as const satisfies Record<string, (place: Place) => Prepared>;

export type ProxyName = keyof typeof PROXIES;

async function startProxy(t: Ending, name: ProxyName, place: Place): Promise<void> {
  const { args, env }: Prepared = PROXIES[name](place);
  const settings = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: place.folder, ...env };
  t.after(await startProgram([name, ...args], `http://127.0.0.1:${place.port}/api/v1/status`, settings));
}
