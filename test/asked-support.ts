import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { asked as listAsked } from '../server/cli/asked.ts';
import { readAsked, readAskedOnce } from '../server/run/ask-log.ts';
import { run } from './command.ts';
import { callTool } from './mcp-messages.ts';
import { post, startApp } from './support.ts';

interface Asked {
  readonly query: string;
  readonly times: number;
  readonly by: 'person' | 'agent';
}

/** Invented questions, by how often each is asked and by whom. */
const ASKED: readonly Asked[] = [
  { query: '¿Cuánto cuesta el diagnóstico?', times: 5, by: 'person' },
  { query: '¿cuanto cuesta un diagnostico?', times: 2, by: 'agent' },
  { query: 'Do you work in Mexico?', times: 3, by: 'agent' },
  { query: 'Soy Ana Ruiz (ana@example.org, 600 123 456). ¿Hacéis campañas de televisión?', times: 1, by: 'person' },
  { query: 'Is there a podcast about gardening?', times: 2, by: 'agent' },
];

/** A server that has been asked, and `aval asked` on it. */
export async function startAsked(
  t: TestContext,
  env: Record<string, string> = { ASK_LOG: 'redacted' },
  asked: readonly Asked[] = ASKED,
) {
  const app = await startApp(t, { env });
  for (const { query, times, by } of asked) {
    for (let time = 0; time < times; time += 1) {
      if (by === 'agent') {
        await post(`${app.url}/mcp`, callTool('ask_brand', { query }));
      } else {
        await fetch(`${app.url}/ask?q=${encodeURIComponent(query)}`, { headers: { 'sec-fetch-site': 'none' } });
      }
    }
  }
  const now = app.clock.now();
  const all = asked.reduce((sum, { times }) => sum + times, 0);
  // An answer does not wait for what is kept of its question.
  const kept = async () => (await readAsked(app.outbox.database, 0)).length;
  while (env.ASK_LOG !== undefined && (await kept()) < all) await setTimeout(20);
  const list = (options: Partial<Parameters<typeof listAsked>[0]> = {}) => {
    const read = (sinceMs: number) => readAskedOnce(app.config, sinceMs);
    return run(output => listAsked({ readAsked: read, sinceDays: 30, now, ...options }, output));
  };
  return { ...app, run: list };
}
