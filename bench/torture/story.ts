import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { type Behaviour, type MailgunDouble, startMailgunDouble } from '../../test/support/mailgun-double.ts';
import { storedAt } from '../../test/support/submission-support.ts';
import { countText } from '../../test/support/support.ts';
import { type Child, start } from '../child.ts';
import { groupedBy } from '../figures.ts';

const CLIENTS = 8;
const Answer = z.object({ outcome: z.string(), reference: z.string().optional() });

export type Story = Awaited<ReturnType<typeof startStory>>;

/** Servers on one store, a mail provider, clients, and what was promised to them. */
export async function startStory(dataDirectory: string, databaseUrl?: string) {
  const endings: (() => unknown)[] = [];
  const double = await startMailgunDouble({ after: (ending: () => unknown) => void endings.push(ending) });
  const promised = new Map<number, string>();
  const outcomes: string[] = [];
  const servers: Child[] = [];
  let submitted = 0;
  let missing = 0;

  const server = async (wrapper: readonly string[] = []): Promise<Child> => {
    const place = [dataDirectory, double.url, ...(databaseUrl ? [databaseUrl] : [])];
    const started = await start(['--import', 'tsx', 'bench/torture/server.ts', ...place], {}, wrapper);
    servers.push(started);
    return started;
  };

  /** One request; what is answered is remembered, what is cut off was promised nothing. */
  const submit = async ({ port }: Child, padding = ''): Promise<void> => {
    submitted += 1;
    const n = submitted;
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: JSON.stringify({ n, padding }),
    });
    const { outcome, reference = '' } = Answer.parse(await response.json());
    outcomes.push(outcome);
    if (outcome !== 'not-kept') promised.set(n, reference);
  };

  /** Clients that ask one after the other for so long, of any of the servers. */
  const load = async (targets: readonly Child[], ms: number): Promise<void> => {
    const endMs = Date.now() + ms;
    const client = async (index: number) => {
      for (let n = index; Date.now() < endMs; n += 1) {
        const target = targets[n % targets.length];
        if (target) await submit(target).catch(() => pause(20));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  };

  const stored = async () =>
    new Map((await storedAt(dataDirectory, databaseUrl)).map(({ reference, state }) => [reference, state]));

  return {
    dataDirectory,
    double,
    server,
    submit,
    load,

    /** How many submissions were answered with it. */
    answered: (outcome: string) => outcomes.filter(one => one === outcome).length,

    /** Mail works again: whether everything that was kept is delivered within minutes. */
    async heal(running?: readonly Child[]): Promise<boolean> {
      double.behave([{ kind: 'accept' }]);
      const healers = running ?? [await server()];
      let left = Number.POSITIVE_INFINITY;
      for (const endMs = Date.now() + 240_000; left > 0 && Date.now() < endMs; await pause(200)) {
        left = [...(await stored()).values()].filter(state => state === 'pending').length;
      }
      // Counted before a disk of the story is gone.
      const all = await stored();
      missing = [...promised.values()].filter(reference => !all.has(reference)).length;
      await Promise.all(healers.map(one => one.stop()));
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
        outcomes: countText(outcomes),
      };
    },

    async end(): Promise<void> {
      await Promise.all(servers.map(one => one.stop('SIGKILL')));
      for (const ending of endings) await ending();
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
  const byNumber = groupedBy(mails, ({ text = '' }) => Number(/n=(\d+)/.exec(text)?.[1]));
  return new Map([...byNumber].map(([n, own]) => [n, own.map(mail => mail['h:Message-Id'] ?? '')]));
}
