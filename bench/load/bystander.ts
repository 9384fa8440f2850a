import { performance } from 'node:perf_hooks';
import { send } from './crowd.ts';

/** What a client saw that asks an ordinary question again and again. */
export interface Seen {
  readonly asked: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** No answer within 20 seconds, a broken connection, or another status than 200. */
  readonly failures: number;
}

interface BystanderOptions {
  readonly port: number;
  readonly perSecond?: number;
  /** Third part of its addresses, 127.0.NET.x: another bystander is another client. */
  readonly net?: number;
  readonly pathOf?: (turn: number) => string;
}

/** Ordinary questions, more than one, so that the cache of answers does not answer for the server. */
const QUESTIONS = ['precio', 'cuánto cuesta un diagnóstico', 'en qué países trabajáis', 'qué resultados tenéis'];

const askPath = (turn: number) => `/ask?q=${encodeURIComponent(`${QUESTIONS[turn % QUESTIONS.length]} ${turn}`)}`;

/**
 * Asks by the clock, whatever became of the question before, each on a connection of its own: whoever comes anew must get
 * in. From as many addresses as it takes for each to ask thirty times a minute, half of what it may.
 */
export function startBystander({ port, perSecond = 10, net = 1, pathOf = askPath }: BystanderOptions) {
  const latencies: number[] = [];
  let [turn, failures] = [0, 0];
  const underWay = new Set<Promise<void>>();
  const ask = async (localAddress: string) => {
    const begun = performance.now();
    const { status } = await send({ port, localAddress, agent: false }, { method: 'GET', path: pathOf(turn++) });
    if (status === 200) latencies.push(performance.now() - begun);
    else failures += 1;
  };
  const timer = setInterval(() => {
    const asking = ask(`127.0.${net}.${1 + (turn % (2 * perSecond))}`);
    underWay.add(asking);
    void asking.finally(() => underWay.delete(asking));
  }, 1000 / perSecond);
  return {
    async stop(): Promise<Seen> {
      clearInterval(timer);
      await Promise.all(underWay);
      const sorted = ascending(latencies);
      const at = (share: number) => percentile(sorted, share);
      return { asked: turn, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), failures };
    },
  };
}

/** @param sorted in ascending order @returns NaN where there is nothing */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);
