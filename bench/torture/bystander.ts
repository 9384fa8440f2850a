import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT, temporaryFolder } from '../../test/support/folder.ts';
import { freePort } from '../../test/support/free-port.ts';
import { EXAMPLE } from '../../test/support/support.ts';
import { start } from '../child.ts';
import { percentileMs } from '../figures.ts';
import { startNginx } from './deployment.ts';
import { LOADS } from './loads.ts';
import { addressOf, ask, form, type Sent, send } from './send.ts';

/** What a visitor saw of the service while a stranger loaded it. */
interface Seen {
  readonly load: string;
  readonly asked: number;
  /** No answer within 20 seconds, a broken connection, or another status than 200. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

interface Options {
  readonly seconds: number;
  readonly isBehindNginx: boolean;
  /** A part of the name of the loads to run; empty: all of them. */
  readonly only?: string;
}

const CLAIMS = 2000;

/** A profile of 2,000 claims: those of the example, numbered. */
function largeProfile(): string {
  const file = join(temporaryFolder(), 'brand.json');
  const { signatures: _, ...profile } = EXAMPLE;
  const numbered = Array.from({ length: CLAIMS }, (_, index) => {
    const claim = EXAMPLE.claims[index % EXAMPLE.claims.length];
    if (index < EXAMPLE.claims.length) return claim;
    const { questions: __, ...rest } = claim;
    return { ...rest, claim_id: `${claim.claim_id}-${index}`, statement: `${claim.statement} (${index})` };
  });
  writeFileSync(file, JSON.stringify({ ...profile, claims: numbered }));
  return file;
}

/**
 * Runs each load beside a visitor who asks, reads a page, looks at the status and sends a form in turn, ten
 * times a second, each time from another address.
 */
export async function besideBystander({ seconds, isBehindNginx, only = '' }: Options): Promise<Seen[]> {
  const port = await freePort();
  const nginxPort = await freePort();
  const publicPort = isBehindNginx ? nginxPort : port;
  const server = await start(['--max-semi-space-size=4', 'dist/server/main.js'], {
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${publicPort}`,
    BRAND_FILE: largeProfile(),
    DATA_DIR: temporaryFolder(),
    ...(isBehindNginx && { TRUSTED_PROXIES: '127.0.0.1/32' }),
  });
  const endings: (() => unknown)[] = [() => server.stop()];
  try {
    if (isBehindNginx) {
      const t = { after: (ending: () => unknown) => void endings.unshift(ending) };
      await startNginx(t, { port: nginxPort, upstreams: [`127.0.0.1:${port}`] });
    }
    const rows = [await watch('none', publicPort, seconds)];
    for (const name of Object.keys(LOADS).filter(name => name.includes(only))) {
      const args = ['--import', 'tsx', `${ROOT}bench/torture/loads.ts`, name, String(publicPort)];
      const load = spawn(process.execPath, [...args, String(seconds + 2)], { cwd: ROOT, stdio: 'ignore' });
      await setTimeout(1500);
      rows.push(await watch(name, publicPort, seconds));
      await Promise.race([once(load, 'exit'), setTimeout(25_000)]);
      load.kill('SIGKILL');
      await setTimeout(1000);
    }
    return rows;
  } finally {
    for (const ending of endings) await ending();
  }
}

/** Parts of a visit, each of another client, so that none meets its limit. */
const VISIT: readonly ((turn: number) => Sent)[] = [
  turn => ask(`¿Cuánto cuesta un diagnóstico para ${turn} marcas?`),
  () => ({ method: 'GET', path: '/claims' }),
  () => ({ method: 'GET', path: '/api/v1/status' }),
  form,
];

let turns = 0;

async function watch(load: string, port: number, seconds: number): Promise<Seen> {
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  let failed = 0;
  const untilMs = performance.now() + seconds * 1000;
  const visit = async () => {
    turns += 1;
    const localAddress = addressOf(turns, 9);
    const sentAtMs = performance.now();
    const part = VISIT[turns % VISIT.length] ?? form;
    const { status } = await send({ port, localAddress, agent: false }, part(turns));
    if (status === 200) latencies.push(performance.now() - sentAtMs);
    else failed += 1;
  };
  while (performance.now() < untilMs) {
    pending.push(visit());
    await setTimeout(100);
  }
  await Promise.all(pending);
  const p50Ms = percentileMs(latencies, 0.5);
  const p95Ms = percentileMs(latencies, 0.95);
  return { load, asked: pending.length, failed, p50Ms, p95Ms };
}
