import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { ROOT } from '../test/support.ts';

export interface Child {
  readonly port: number;
  /** From spawn to the line that says it listens. */
  readonly readyMs: number;
  /** Processor time used so far, microseconds; NaN where /proc is missing. */
  readonly cpuMicroseconds: () => number;
  /** Resident memory, MB; NaN where /proc is missing. */
  readonly residentMb: () => number;
  readonly stop: () => Promise<void>;
}

/** Starts a server of the benchmark in a process of its own. @throws Error when it ends before it listens */
export async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Child> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await listeningPort(child);
  const readyMs = performance.now() - started;
  return {
    port,
    readyMs,
    cpuMicroseconds: () => cpuTicks(child.pid) * 10_000,
    residentMb: () => residentKb(child.pid) / 1024,
    stop: () =>
      new Promise(resolve => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    if (!child.stderr) throw new Error('no stderr');
    const said: string[] = [];
    createInterface({ input: child.stderr }).on('line', line => {
      if (said.length > 20) return;
      said.push(line);
      const port = /"port":(\d+)/.exec(line)?.[1] ?? /"url":"http:\/\/[^"]*:(\d+)"/.exec(line)?.[1];
      if (port) resolve(Number(port));
    });
    child.once('exit', code => reject(new Error(`ended with ${code} before listening:\n${said.join('\n')}`)));
  });
}

/** utime and stime of /proc/PID/stat (proc(5)), in ticks of 10 ms. */
function cpuTicks(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return Number.NaN;
  }
}

function residentKb(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}
