import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { openDatabase } from '../../server/outbox/database.ts';
import { type Behaviour, type MailgunDouble, startMailgunDouble } from '../../test/mailgun-double.ts';
import { storedIn } from '../../test/submission-support.ts';

const CLIENTS = 8;
const Answer = z.object({ outcome: z.string(), id: z.string().optional() });
const SCRIPT = fileURLToPath(new URL('./torture-server.ts', import.meta.url));

export interface Server {
  readonly url: string;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

export type Story = Awaited<ReturnType<typeof startStory>>;

/** Servers on one store, a mail provider, clients, and what was promised to them. */
export async function startStory(dataDirectory: string, databaseUrl?: string) {
  const double = await startMailgunDouble();
  const promised = new Map<number, string>();
  const outcomes = new Map<string, number>();
  const running = new Set<Server>();
  let submitted = 0;
  let missing = 0;

  const server = async (wrapper: readonly string[] = []): Promise<Server> => {
    const place = [dataDirectory, double.url, ...(databaseUrl ? [databaseUrl] : [])];
    const [file = '', ...args] = [...wrapper, process.execPath, '--import', 'tsx', SCRIPT, ...place];
    // A process group of its own: a signal must reach the server behind strace or unshare too.
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    const port = await portOf(child);
    const started: Server = {
      url: `http://127.0.0.1:${port}`,
      async end(signal) {
        running.delete(started);
        const exited = once(child, 'exit');
        if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
        process.kill(-child.pid, signal);
        await exited;
      },
    };
    running.add(started);
    return started;
  };

  /** One request; what is answered is remembered, what is cut off was promised nothing. */
  const submit = async ({ url }: Server, padding = ''): Promise<void> => {
    submitted += 1;
    const n = submitted;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ n, padding }) });
    const { outcome, id = '' } = Answer.parse(await response.json());
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome !== 'not-kept') promised.set(n, id);
  };

  /** Clients that ask one after the other for so long, of any of the servers. */
  const load = async (servers: readonly Server[], ms: number): Promise<void> => {
    const endMs = Date.now() + ms;
    const client = async (index: number) => {
      for (let n = index; Date.now() < endMs; n += 1) {
        const target = servers[n % servers.length];
        if (target) await submit(target).catch(() => pause(20));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  };

  const stored = async () => {
    const database = await openDatabase({ dataDirectory, databaseUrl });
    const all = await storedIn(database).finally(() => database.close());
    return new Map(all.map(({ id, state }) => [id, state]));
  };

  return {
    dataDirectory,
    double,
    outcomes,
    server,
    submit,
    load,

    /** Mail works again: whether everything that was kept is delivered within a minute. */
    async heal(servers?: readonly Server[]): Promise<boolean> {
      double.behave([{ kind: 'accept' }]);
      const healers = servers ?? [await server()];
      let left = Number.POSITIVE_INFINITY;
      for (const endMs = Date.now() + 60_000; left > 0 && Date.now() < endMs; await pause(200)) {
        left = [...(await stored()).values()].filter(state => state === 'pending').length;
      }
      // Counted before a disk of the story is gone.
      const all = await stored();
      missing = [...promised.values()].filter(id => !all.has(id)).length;
      await Promise.all(healers.map(one => one.end('SIGTERM')));
      return left === 0 && missing === 0;
    },

    async counts() {
      const sent = sentByNumber(double);
      const delivered = [...promised.keys()].filter(n => sent.has(n)).length;
      return {
        submitted,
        acknowledged: promised.size,
        kept: promised.size - missing,
        delivered,
        lost: promised.size - delivered,
        duplicates: [...sent.values()].reduce((sum, ids) => sum + ids.length - 1, 0),
        strangers: [...sent.values()].filter(ids => new Set(ids).size !== 1).length,
        outcomes: Object.fromEntries(outcomes),
      };
    },

    async end(): Promise<void> {
      await Promise.all([...running].map(one => one.end('SIGKILL')));
      await double.close();
    },
  };
}

export function randomFault(): Behaviour {
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

async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (!stdout) throw new Error('the server has no stdout');
  for await (const line of createInterface(stdout)) return z.object({ port: z.number() }).parse(JSON.parse(line)).port;
  throw new Error('the server did not start');
}
