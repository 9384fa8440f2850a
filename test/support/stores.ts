import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DatabaseSettings } from '../../server/outbox/database.ts';
import { temporaryFolder } from './folder.ts';

/** A kind of database that the store is tested on. */
export interface StoreUnderTest {
  readonly name: string;
  /** Why it is not tested here. */
  readonly skip: string | false;
  /** Where a database of its own is, for one test. */
  settings(t: TestContext, dataDirectory: string): Promise<DatabaseSettings>;
}

export const SQLITE: StoreUnderTest = {
  name: 'SQLite',
  skip: false,
  settings: async (_, dataDirectory) => ({ dataDirectory }),
};

const BINARIES = '/usr/lib/postgresql';

/** Debian keeps the programs of each version apart, off the PATH. */
const versions = existsSync(BINARIES) ? readdirSync(BINARIES).sort((a, b) => Number(b) - Number(a)) : [];
const binaries = versions[0] === undefined ? undefined : join(BINARIES, versions[0], 'bin');

export const POSTGRES: StoreUnderTest = {
  name: 'Postgres',
  skip: binaries === undefined && 'needs Postgres: apt-get install postgresql',
  async settings(_, dataDirectory) {
    cluster ??= startCluster();
    databases += 1;
    const name = `test_${process.pid}_${databases}`;
    (await cluster).run('createdb', name);
    return { dataDirectory, databaseUrl: (await cluster).url(name) };
  },
};

/** What the tests of the store run on. `npm test` needs Node alone; postgres.process.ts puts the other one in its place. */
export const STORES: StoreUnderTest[] = [SQLITE];

let databases = 0;
let cluster: Promise<Cluster> | undefined;

export interface Cluster {
  url(database: string): string;
  run(program: string, ...args: string[]): void;
  start(): Promise<void>;
  /** As a machine that loses its power; with SIGINT in good order. */
  stop(signal?: 'SIGQUIT' | 'SIGINT'): Promise<void>;
  /** Connections stay open, and nothing is answered on them. */
  freeze(): void;
  thaw(): void;
}

/** A Postgres of this process alone: its own folder, a socket in it, no port. Ended with the process. */
export async function startCluster(): Promise<Cluster> {
  if (binaries === undefined) throw new Error('no Postgres here');
  const folder = temporaryFolder();
  const user = await ownUser(folder);
  const program = (name: string) => join(binaries, name);
  execFileSync(
    program('initdb'),
    ['-D', join(folder, 'data'), '-U', 'aval', '-A', 'trust', '-N', '--locale=C', '-E', 'UTF8'],
    {
      ...user,
      stdio: 'ignore',
    },
  );
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn(
      program('postgres'),
      ['-D', join(folder, 'data'), '-k', folder, '-c', 'listen_addresses='],
      {
        ...user,
        stdio: 'ignore',
      },
    );
    // The tests end when they are done, and end it.
    server.unref();
    while (!(await succeeds(program('pg_isready'), ['-q', '-h', folder]))) await setTimeout(50);
  };
  const stop = async (signal: NodeJS.Signals = 'SIGQUIT') => {
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.ref();
    server.kill(signal);
    await ended;
  };
  await start();
  // Before its folder goes.
  process.prependOnceListener('exit', () => {
    signalAll(server, 'SIGCONT');
    server?.kill('SIGQUIT');
  });
  return {
    start,
    stop,
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    url: database => `postgres://aval@localhost/${database}?host=${encodeURIComponent(folder)}`,
    run: (name, ...args) =>
      void execFileSync(program(name), ['-h', folder, '-U', 'aval', ...args], { stdio: 'ignore' }),
  };
}

/** Without blocking: clients of the same process may be at work. */
const succeeds = (file: string, args: readonly string[]) =>
  promisify(execFile)(file, args).then(
    () => true,
    () => false,
  );

/** A connection is a process of its own, below the one that listens, which goes first so that no other begins. */
function signalAll(server: ChildProcess | undefined, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (server?.pid === undefined || !server.kill(signal)) return;
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
  for (const pid of children.split(' ').filter(Boolean)) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // Its client has gone, and so has it.
    }
  }
}

/** Postgres does not run as root: the user that Debian's package makes does it. */
async function ownUser(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  await chown(folder, id('-u'), id('-g'));
  await chmod(folder, 0o755);
  return { uid: id('-u'), gid: id('-g') };
}
