import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { entriesOf } from '../server/submissions/entry.ts';
import { readJournal } from '../server/submissions/read-journal.ts';
import { type Behaviour, type MailgunDouble, startMailgunDouble } from '../test/mailgun-double.ts';

/**
 * Kills the outbox under load, again and again, with a mail provider that fails at random, and counts.
 * Every submission that got an answer other than `not-kept` was promised to be delivered. Exit code 1 when one was not.
 */
const KILLS = Number(process.argv[2] ?? 25);
const CLIENTS = 8;
const Answer = z.object({ outcome: z.string(), id: z.string().optional() });

const folder = mkdtempSync(join(tmpdir(), 'aval-torture-'));
const double = await startMailgunDouble();
try {
  const isSafe = [await tortureByKill(), await tortureFullDisk(), await tortureReadOnly()].every(Boolean);
  print(isSafe ? 'torture: nothing was lost' : 'torture: FAILED');
  process.exitCode = isSafe ? 0 : 1;
} finally {
  await double.close();
  rmSync(folder, { recursive: true, force: true });
}

async function tortureByKill(): Promise<boolean> {
  const dataDirectory = join(folder, 'kill');
  const promised = new Map<number, string>();
  let n = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    double.behave(randomFault);
    const victim = await startServer(dataDirectory);
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (;;) {
        n += 1;
        const own = n;
        const answer = await submit(victim.url, { n: own }).catch(() => undefined);
        if (!answer) return;
        if (answer.outcome !== 'not-kept') promised.set(own, answer.id ?? '');
      }
    });
    await pause(200 + Math.random() * 1300);
    await end(victim.process, 'SIGKILL');
    await Promise.all(clients);
  }

  double.behave([{ kind: 'accept' }]);
  const healer = await startServer(dataDirectory);
  const isIdle = await within(60_000, async () => (await pendingOf(healer.url)) === 0);
  const exitCode = await end(healer.process, 'SIGTERM');
  const { records, damagedLines } = await readJournal(dataDirectory);
  const entries = entriesOf(records);
  const sent = sentByNumber(double);
  const delivered = [...promised.keys()].filter(one => sent.has(one));
  const unwritten = [...promised.values()].filter(id => !entries.has(id)).length;
  const lost = promised.size - delivered.length;
  const duplicates = [...sent.values()].reduce((sum, ids) => sum + ids.length - 1, 0);
  const strangers = [...sent.values()].filter(ids => new Set(ids).size !== 1).length;
  print(
    `${KILLS} kills: submitted ${n}, acknowledged ${promised.size}, delivered ${delivered.length}, ` +
      `duplicates ${duplicates} (with another Message-Id: ${strangers}), not in the journal ${unwritten}, ` +
      `damaged lines ${damagedLines.length}, lost ${lost}`,
  );
  return isIdle && exitCode === 0 && lost === 0 && unwritten === 0 && strangers === 0 && damagedLines.length === 0;
}

/** A disk of 256 KiB: answers change to `not-kept`; what was promised before that is delivered. */
async function tortureFullDisk(): Promise<boolean> {
  const dataDirectory = join(folder, 'full');
  mkdirSync(dataDirectory);
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', dataDirectory]).status === 0;
  try {
    // Without the right to mount, a limit on the size of files fails the same writes (EFBIG).
    return await promisesHold(
      'full disk',
      dataDirectory,
      isMounted ? undefined : 'trap "" XFSZ; ulimit -f 256; exec "$@"',
    );
  } finally {
    if (isMounted) spawnSync('umount', ['-l', dataDirectory]);
  }
}

async function promisesHold(title: string, dataDirectory: string, wrapper: string | undefined): Promise<boolean> {
  double.behave([{ kind: 'accept' }]);
  const before = sentByNumber(double).size;
  const server = await startServer(dataDirectory, wrapper);
  const outcomes = new Map<string, number>();
  for (let n = 1_000_000; n < 1_000_100; n += 1) {
    const { outcome } = await submit(server.url, { n, padding: 'x'.repeat(4000) });
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  await end(server.process, 'SIGTERM');
  const delivered = outcomes.get('delivered') ?? 0;
  const notKept = outcomes.get('not-kept') ?? 0;
  const mails = sentByNumber(double).size - before;
  print(
    `${title}: acknowledged ${delivered}, delivered ${mails}, refused as not kept ${notKept}, lost ${delivered - mails}`,
  );
  return delivered === mails && notKept > 0 && delivered + notKept === 100;
}

/** A directory that cannot be written: no server, so no answer that could be lost. */
async function tortureReadOnly(): Promise<boolean> {
  const dataDirectory = join(folder, 'read-only');
  mkdirSync(dataDirectory);
  chmodSync(dataDirectory, 0o500);
  const isRoot = process.getuid?.() === 0;
  const isMounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', dataDirectory]).status === 0;
  if (isRoot && !isMounted) writeFileSync(join(dataDirectory, 'outbox'), 'in the way');
  try {
    const child = spawnServer(dataDirectory);
    const [code] = await once(child, 'exit');
    print(`read-only directory: the server refuses to start (exit ${code})`);
    return code !== 0;
  } finally {
    if (isMounted) spawnSync('umount', ['-l', dataDirectory]);
  }
}

function randomFault(): Behaviour {
  const dice = Math.random();
  if (dice < 0.5) return { kind: 'accept', delayMs: Math.random() * 30 };
  if (dice < 0.6) return { kind: 'status', status: 500 };
  if (dice < 0.7) return { kind: 'status', status: 429 };
  if (dice < 0.75) return { kind: 'status', status: 401, body: 'Forbidden', type: 'text/plain' };
  if (dice < 0.8) return { kind: 'broken-json' };
  if (dice < 0.9) return { kind: 'reset' };
  if (dice < 0.95) return { kind: 'lost-answer' };
  return { kind: dice < 0.975 ? 'stall' : 'silence' };
}

/** Message-Ids of the mails that were taken, by the number submitted. */
function sentByNumber({ mails }: MailgunDouble): Map<number, string[]> {
  const sent = new Map<number, string[]>();
  for (const mail of mails) {
    const n = Number(/n=(\d+)/.exec(mail.text ?? '')?.[1]);
    sent.set(n, [...(sent.get(n) ?? []), mail['h:Message-Id'] ?? '']);
  }
  return sent;
}

function spawnServer(dataDirectory: string, wrapper?: string): ChildProcess {
  const script = fileURLToPath(new URL('./torture-server.ts', import.meta.url));
  const command = [process.execPath, '--import', 'tsx', script, dataDirectory, double.url];
  const [file = '', ...args] = wrapper ? ['bash', '-c', wrapper, 'bash', ...command] : command;
  return spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
}

async function startServer(dataDirectory: string, wrapper?: string) {
  const child = spawnServer(dataDirectory, wrapper);
  if (!child.stdout) throw new Error('the server has no stdout');
  for await (const line of createInterface(child.stdout)) {
    const { port } = z.object({ port: z.number() }).parse(JSON.parse(line));
    return { process: child, url: `http://127.0.0.1:${port}` };
  }
  throw new Error('the server did not start');
}

async function submit(url: string, body: object) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return Answer.parse(await response.json());
}

async function pendingOf(url: string): Promise<number> {
  const status: unknown = await (await fetch(url)).json();
  return z.object({ pending: z.number() }).parse(status).pending;
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

async function within(ms: number, isTrue: () => Promise<boolean>): Promise<boolean> {
  for (const endMs = Date.now() + ms; Date.now() < endMs; await pause(50)) if (await isTrue()) return true;
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
