import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { startProgram } from '../support/child.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { startSmtp } from '../support/smtp-server.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { bodyOf, post } from '../support/support.ts';

/** `npm run check:package`: the image, as somebody who deploys it gets it. */

/** For `skip`: why no image can be built here, or `false`. */
const NO_IMAGES =
  ['buildah', 'debootstrap', 'unshare'].some(tool => spawnSync(tool, ['--version']).status !== 0) ||
  process.getuid?.() !== 0
    ? 'needs root, buildah and debootstrap: apt-get install buildah debootstrap'
    : false;

/** Everything that buildah writes. */
const store = temporaryFolder();
after(() => {
  if (!NO_IMAGES) spawnSync('buildah', [...WHERE, 'umount', '--all']);
});

const WHERE = ['--root', join(store, 'storage'), '--runroot', join(store, 'run')];
const buildah = (...args: string[]) =>
  execFileSync('buildah', [...WHERE, ...args], {
    env: { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

describe('the image', { skip: NO_IMAGES, timeout: 900_000 }, () => {
  let image = '';
  before(() => {
    image = buildImage();
  });

  /** What compose.yaml gives a server, with a mail server of the test. */
  async function installation(t: TestContext) {
    const mails = await startSmtp(t);
    const port = String(await freePort());
    const env = {
      PORT: port,
      BASE_URL: `http://127.0.0.1:${port}`,
      SMTP_URL: mails.url,
      MAIL_FROM: 'Norte Claro <hola@norteclaro.example>',
      MAIL_TO: 'equipo@norteclaro.example',
    };
    return { mails, serve: (data: string) => runContainer(t, image, { env, data }) };
  }

  it('runs as nobody on a read-only root, mails what it takes, and has it after a restart', async t => {
    const { mails, serve } = await installation(t);
    const data = volume();
    const first = serve(data);
    const url = await first.listening();
    const asked = await bodyOf(await fetch(`${url}/ask?q=precio`));
    assert.ok(asked.matches.length > 0);
    assert.equal((await send(url, DIAGNOSTIC)).mode, undefined, 'production');
    await mails.received(2);
    await first.stop();
    assert.equal(statSync(join(data, 'aval.db')).uid, 10001);

    const second = serve(data);
    await send(await second.listening(), { ...DIAGNOSTIC, context: 'Otra petición, después del reinicio.' });
    await mails.received(4);
    await second.stop();
  });
});

/** A folder as a volume gives it to the user of the image. */
function volume(): string {
  const path = mkdtempSync(join(store, 'data-'));
  chmodSync(store, 0o755);
  chmodSync(path, 0o700);
  chownSync(path, 10001, 10001);
  return path;
}

async function send(url: string, body: object) {
  const answer = await post(`${url}/api/v1/contact`, body);
  assert.equal(answer.status, 200);
  return bodyOf(answer);
}

/**
 * Builds deploy/Dockerfile, and gives the folder that the image unpacks to. No registry of images is asked: what the
 * Dockerfile starts from is made of Debian's minimal system and the Node.js that npm has, as node:24-slim is.
 */
function buildImage(): string {
  const base = join(store, 'base');
  execFileSync(
    'debootstrap',
    ['--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', base],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  addNode(base);
  const made = buildah('from', 'scratch');
  buildah('add', made, base, '/');
  buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', made);
  buildah('commit', '--quiet', made, 'localhost/aval-node');
  const file = ['--file', join(ROOT, 'deploy/Dockerfile'), '--build-arg', 'NODE_IMAGE=localhost/aval-node'];
  // What this machine trusts, the build may trust: it fetches packages as the machine does.
  buildah(
    'bud',
    '--quiet',
    '--format',
    'docker',
    '--volume',
    '/etc/ssl/certs:/etc/ssl/certs:ro',
    ...file,
    '--tag',
    'aval',
    ROOT,
  );
  return buildah('mount', buildah('from', 'localhost/aval'));
}

function addNode(base: string): void {
  const npm = join(
    dirname(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()),
    'node_modules/npm',
  );
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(store, 'node');
  mkdirSync(folder);
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@24`], {
    stdio: 'ignore',
  });
  cpSync(join(folder, 'node_modules', name, 'bin/node'), join(base, 'usr/local/bin/node'));
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
}

interface Run {
  readonly env: Readonly<Record<string, string>>;
  /** Folder of this machine that is its /data. */
  readonly data: string;
}

/**
 * Runs the image's own command as compose.yaml does: uid 10001, read-only root, process numbers of its own.
 * The network is this machine's, since what is tested talks on loopback.
 */
function runContainer(t: TestContext, image: string, { env, data }: Run) {
  mkdirSync(join(image, 'data'), { recursive: true });
  const settings = { NODE_ENV: 'production', HOST: '127.0.0.1', DATA_DIR: '/data', ...env };
  const command = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c'];
  const {
    process: child,
    ended,
    until,
  } = startProgram(t, [...command, containerScript(image, data)], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...settings },
  });
  /** Tells the first process of its own process numbers, not unshare, which would leave it behind. */
  const end = async (signal: 'TERM' | 'KILL') => {
    if (child.exitCode === null) spawnSync('pkill', [`-${signal}`, '-P', String(child.pid)]);
    await ended;
  };
  t.after(() => end('KILL'));
  return {
    stop: () => end('TERM'),
    /** The address it listens on. @throws Error with its output when it ends before */
    listening: async () => JSON.parse(await until('stderr', /\{"[^\n]*"event":"listening".*\}/)).url,
  };
}

/** chroot(1) itself needs a capability; it gives up every right in the same call. */
function containerScript(image: string, data: string): string {
  return [
    `mount --bind '${image}' '${image}'`,
    `mount -o remount,bind,ro '${image}'`,
    `mount -t tmpfs tmpfs '${image}/tmp'`,
    `mount -t proc proc '${image}/proc'`,
    `mount --bind '${data}' '${image}/data'`,
    `exec chroot --userspec=10001:10001 --groups= '${image}' /bin/sh -c 'cd /app && exec node dist/server/cli.js serve'`,
  ].join(' && ');
}
