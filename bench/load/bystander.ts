import { percentileMs } from '../figures.ts';
import { everySecond, send } from './crowd.ts';

/** What a client saw that asks an ordinary question again and again. */
export interface Seen {
  readonly asked: number;
  /** No answer within 20 seconds, a broken connection, or another status than 200. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
}

interface BystanderOptions {
  readonly port: number;
  readonly perSecond?: number;
  /** Third part of its addresses, 127.0.NET.x: another bystander is another client. */
  readonly net?: number;
  readonly pathOf?: (turn: number) => string;
}

/** Ordinary questions, more than one, so that the cache of answers does not answer for the server. */
const QUESTIONS = [
  'precio',
  'cuánto cuesta un diagnóstico',
  'en qué países trabajáis',
  'qué resultados tenéis',
];

const askPath = (turn: number) =>
  `/ask?q=${encodeURIComponent(`${QUESTIONS[turn % QUESTIONS.length]} ${turn}`)}`;

/**
 * Asks by the clock, each time on a connection of its own: whoever comes anew must get in. From as many addresses as it takes
 * for each to ask thirty times a minute, half of what it may.
 */
export function startBystander({ port, perSecond = 10, net = 1, pathOf = askPath }: BystanderOptions) {
  const latencies: number[] = [];
  let [turn, failures] = [0, 0];
  const end = everySecond(perSecond, async () => {
    const begun = performance.now();
    const localAddress = `127.0.${net}.${1 + (turn % (2 * perSecond))}`;
    const { status } = await send(
      { port, localAddress, agent: false },
      { method: 'GET', path: pathOf(turn++) },
    );
    if (status === 200) latencies.push(performance.now() - begun);
    else failures += 1;
  });
  return {
    async stop(): Promise<Seen> {
      await end();
      const at = (share: number) => percentileMs(latencies, share);
      return { asked: turn, failures, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1) };
    },
  };
}
