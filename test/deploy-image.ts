import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { temporaryFolder } from './folder.ts';
import { ROOT } from './support.ts';

/** For `skip`: why no image can be built here, or `false`. */
export const NO_IMAGES =
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

/**
 * Builds deploy/Dockerfile, and gives the folder that the image unpacks to. No registry of images is asked: what the
 * Dockerfile starts from is made of Debian's minimal system and the Node.js that npm has, as node:24-slim is.
 */
export function buildImage(): string {
  const base = join(store, 'base');
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', base], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
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
  const npm = join(dirname(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()), 'node_modules/npm');
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(store, 'node');
  mkdirSync(folder);
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@24`], { stdio: 'ignore' });
  cpSync(join(folder, 'node_modules', name, 'bin/node'), join(base, 'usr/local/bin/node'));
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
}

interface Run {
  readonly env: Readonly<Record<string, string>>;
  /** Folder of this machine → folder of the container; written to only under /data. */
  readonly volumes: Readonly<Record<string, string>>;
  /** Of the image's own program. */
  readonly args?: readonly string[];
}

/**
 * Runs the image's own command as compose.yaml does: uid 10001, read-only root, process numbers of its own.
 * The network is this machine's, since what is tested talks on loopback.
 */
export function runContainer(t: TestContext, image: string, { env, volumes, args = ['serve'] }: Run) {
  const mounts = Object.entries(volumes).map(([from, to]) => {
    mkdirSync(join(image, to), { recursive: true });
    return `mount --bind '${from}' '${image}${to}'${to === '/data' ? '' : ` && mount -o remount,bind,ro '${image}${to}'`}`;
  });
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', containerScript(image, mounts, args)],
    {
      env: {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        DATA_DIR: '/data',
        PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
        ...env,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text;
    });
  }
  const exit = once(child, 'close');
  /** Tells the first process of its own process numbers, not unshare, which would leave it behind. */
  const end = async (signal: 'TERM' | 'KILL') => {
    if (child.exitCode === null) spawnSync('pkill', [`-${signal}`, '-P', String(child.pid)]);
    await exit;
  };
  t.after(() => end('KILL'));
  return {
    stop: () => end('TERM'),
    /** What it wrote, once it has ended well. @throws Error with that when it did not */
    async ended(): Promise<string> {
      await exit;
      if (child.exitCode !== 0) throw new Error(`ended with ${child.exitCode}:\n${output}`);
      return output;
    },
    output: () => output,
    /** The address it listens on. @throws Error with its output when it ends before */
    async listening(): Promise<string> {
      for (;;) {
        const [, url] = /"event":"listening","url":"([^"]+)"/.exec(output) ?? [];
        if (url !== undefined) return url;
        if (child.exitCode !== null) throw new Error(`ended before it listened:\n${output}`);
        await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
      }
    },
  };
}

/** chroot(1) itself needs a capability; it gives up every right in the same call. */
function containerScript(image: string, mounts: readonly string[], args: readonly string[]): string {
  return [
    `mount --bind '${image}' '${image}'`,
    `mount -o remount,bind,ro '${image}'`,
    `mount -t tmpfs tmpfs '${image}/tmp'`,
    `mount -t proc proc '${image}/proc'`,
    ...mounts,
    `exec chroot --userspec=10001:10001 --groups= '${image}' /bin/sh -c 'cd /app && exec node dist/server/cli.js ${args.join(' ')}'`,
  ].join(' && ');
}
