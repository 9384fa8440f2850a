import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT, temporaryFolder } from '../test/support/folder.ts';

export interface Child {
  readonly port: number;
  readonly pid: number;
  /** Processor time used so far, microseconds; NaN where /proc is missing. */
  readonly cpuMicroseconds: () => number;
  /** Resident memory, MB; NaN where /proc is missing. */
  readonly residentMb: () => number;
  readonly stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

/** A benchmark that fails leaves no server behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/**
 * Starts a server of the benchmark in a process of its own. It logs into a file, as in production: a pipe
 * would have to be emptied by the very process that makes the load.
 * @param wrapper the command that runs it, and ends it when ended itself
 * @throws Error when it ends before it listens
 */
export async function start(
  args: readonly string[],
  env: Record<string, string> = {},
  wrapper: readonly string[] = [],
): Promise<Child> {
  const logFile = join(temporaryFolder(), 'log');
  const log = openSync(logFile, 'w');
  const [file = '', ...rest] = [...wrapper, process.execPath, ...args];
  const child = spawn(file, rest, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', log],
  });
  running.add(child);
  const port = await listeningPort(child, logFile);
  return {
    port,
    pid: child.pid ?? 0,
    cpuMicroseconds: () => cpuTicks(child.pid) * 10_000,
    residentMb: () => residentMb(child.pid),
    async stop(signal = 'SIGTERM') {
      if (!running.has(child)) return;
      running.delete(child);
      child.kill(signal);
      if (isRunning(child)) await once(child, 'exit');
      closeSync(log);
    },
  };
}

async function listeningPort(child: ChildProcess, logFile: string): Promise<number> {
  while (isRunning(child)) {
    const lines = readFileSync(logFile, 'utf8');
    const port = /"port":(\d+)/.exec(lines)?.[1] ?? /"url":"http:\/\/[^"]*:(\d+)"/.exec(lines)?.[1];
    if (port) return Number(port);
    await setTimeout(5);
  }
  throw new Error(
    `ended with ${child.exitCode ?? child.signalCode} before listening:\n${readFileSync(logFile, 'utf8')}`,
  );
}

/** utime and stime of /proc/PID/stat (proc(5)), in ticks of 10 ms. */
function cpuTicks(pid: number | undefined): number {
  const fields = procFile(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Resident memory of a process; NaN where /proc is missing or the process has ended. */
export function residentMb(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(procFile(pid, 'status'))?.[1]) / 1024;
}

function procFile(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
