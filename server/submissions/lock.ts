import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';

/** Another live process writes this outbox. */
export class OutboxLocked extends Error {
  readonly pid: number;

  constructor(pid: number, path: string) {
    super(`Another server (process ${pid}) uses this data directory. Stop it, or set another DATA_DIR. Lock: ${path}`);
    this.name = 'OutboxLocked';
    this.pid = pid;
  }
}

const Holder = z.object({ pid: z.number().int().positive(), startedAt: z.string(), token: z.string() });
type Holder = z.infer<typeof Holder>;

export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes the lock file, also from a holder that is dead. It is linked into place complete, so nobody ever reads half of it.
 * A process is known by its id and its start time: after a restart in a container the same id is another process.
 * @throws OutboxLocked
 */
export async function takeLock(path: string): Promise<Lock> {
  const own: Holder = { pid: process.pid, startedAt: startOf(process.pid), token: randomUUID() };
  const candidate = `${path}.${own.token}`;
  await writeFile(candidate, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!(await isLinked(candidate, path))) await removeStale(path);
  } finally {
    await rm(candidate, { force: true });
  }
  return {
    async release() {
      const holder = await readHolder(path);
      if (holder?.token === own.token) await rm(path, { force: true });
    },
  };
}

/** The process that holds the lock, if it is alive. */
export async function lockHolder(path: string): Promise<number | undefined> {
  const holder = await readHolder(path);
  return holder && isAlive(holder) ? holder.pid : undefined;
}

async function isLinked(candidate: string, path: string): Promise<boolean> {
  try {
    await link(candidate, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Two processes may find the same stale lock: whoever moved a live one away by mistake puts it back. */
async function removeStale(path: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder && isAlive(holder)) throw new OutboxLocked(holder.pid, path);
  const aside = `${path}.${randomUUID()}`;
  const isMoved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  const moved = await readHolder(aside);
  if (moved && isAlive(moved)) await isLinked(aside, path);
  await rm(aside, { force: true });
}

async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return Holder.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: alive, of another user.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  return startOf(pid) === startedAt;
}

/** Boot id and start time in clock ticks, field 22 of /proc/<pid>/stat (proc(5)); empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'dead, not yet reaped' : `${boot}:${fields[19]}`;
  } catch {
    return '';
  }
}
