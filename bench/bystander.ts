import { request } from 'node:http';
import { performance } from 'node:perf_hooks';

/** What a client saw that asks an ordinary question ten times a second. */
export interface Seen {
  readonly asked: number;
  readonly p50Ms: number;
  readonly worstMs: number;
  /** No answer within 30 seconds, a broken connection, or another status than 200. */
  readonly failures: number;
}

/** Ordinary questions, more than one, so that the cache of answers does not answer for the server. */
const QUESTIONS = ['precio', 'cuánto cuesta un diagnóstico', 'en qué países trabajáis', 'qué resultados tenéis'];

const LONGEST_MS = 30_000;

/** Asks from 127.0.0.1 and three more addresses of its own: ten a second is more than one client may. */
export function startBystander(port: number): { stop: () => Promise<Seen> } {
  const latencies: number[] = [];
  let failures = 0;
  const underWay = new Set<Promise<void>>();
  let turn = 0;
  const timer = setInterval(() => {
    const asking = ask(port, turn++).then(
      ms => void latencies.push(ms),
      () => {
        failures += 1;
      },
    );
    underWay.add(asking);
    void asking.finally(() => underWay.delete(asking));
  }, 100);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      latencies.sort((a, b) => a - b);
      const worstMs = latencies.at(-1) ?? Number.NaN;
      const p50Ms = latencies[Math.floor(latencies.length / 2)] ?? Number.NaN;
      return { asked: turn, p50Ms, worstMs, failures };
    },
  };
}

/** A connection of its own for each question: whoever comes anew must get in. */
function ask(port: number, turn: number): Promise<number> {
  const query = `${QUESTIONS[turn % QUESTIONS.length]} ${turn}`;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      // Sixty a minute for one client: ten a second are ten people, or more.
      localAddress: `127.0.1.${1 + (turn % 20)}`,
      path: `/ask?q=${encodeURIComponent(query)}`,
      agent: false,
      timeout: LONGEST_MS,
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', reject);
    asked.once('response', response => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - started);
        else reject(new Error(`${response.statusCode}`));
      });
      response.once('error', reject);
    });
    asked.end();
  });
}
