import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { encoderCostTable } from '../../docs/encoder-cost-table.ts';
import { freePort } from '../../test/free-port.ts';
import { start } from '../child.ts';
import { percentile } from '../load/bystander.ts';
import { load } from '../load/load.ts';
import { distinctQuestions } from '../questions.ts';
import { circumstances } from '../rounds.ts';
import { askByGet } from './cases.ts';

/**
 * `npm run bench -- encoder [--seconds S --write]`: what the encoder costs a server. With it and without, 50 connections ask
 * questions that nobody has asked before, or the same fifty again; meanwhile a bystander fetches a document and the status.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, write: { type: 'boolean', default: false } },
});
const seconds = Number(values.seconds);
const directory = mkdtempSync(join(tmpdir(), 'aval-encoder-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

/** Work of others on this machine: about 0 where it is quiet. */
const [loadBefore = 0] = loadavg();

const distinct = distinctQuestions(20_000);
const rows = [];
for (const encoder of ['on', 'off']) {
  const admin = await freePort();
  const env = {
    PORT: '0',
    DATA_DIR: mkdtempSync(join(directory, 'data-')),
    LIMIT_DEFAULT: '9999999/1',
    ENCODER: encoder,
  };
  const server = await start(['--max-semi-space-size=8', 'dist/server/main.js'], { ...env, ADMIN_PORT: String(admin) });
  const lagMs = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    return 1000 * Number(/^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(metrics)?.[1]);
  };
  for (const [questions, asked] of [
    ['distinct', distinct],
    ['repeated', distinct.slice(0, 50)],
  ] as const) {
    const requests = asked.map(query => askByGet(query));
    await load({ port: server.port, requests, connections: 50, seconds: 1 });
    await lagMs(); // begins anew
    const bystander = watch(server.port);
    const result = await load({ port: server.port, requests, connections: 50, seconds });
    const lagP99Ms = await lagMs();
    rows.push({
      encoder,
      questions,
      ...result,
      lagP99Ms,
      ...(await bystander.stop()),
      residentMb: server.residentMb(),
    });
  }
  await server.stop();
}
const report = { ...circumstances(), seconds, loadBefore, rows };
if (values.write) writeFileSync('bench/results/encoder.json', `${JSON.stringify(report, rounded, 2)}\n`);
process.stdout.write(`${encoderCostTable(JSON.stringify(report))}\n`);

/** Fetches a document and the status, twenty times a second in all. */
function watch(port: number) {
  const times: Record<'documentP99Ms' | 'statusP99Ms', number[]> = { documentP99Ms: [], statusP99Ms: [] };
  let goesOn = true;
  const watching = (async () => {
    while (goesOn) {
      for (const [name, path] of [
        ['documentP99Ms', '/llms.txt'],
        ['statusP99Ms', '/api/v1/status'],
      ] as const) {
        const began = performance.now();
        await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
        times[name].push(performance.now() - began);
        await setTimeout(50);
      }
    }
  })();
  return {
    async stop() {
      goesOn = false;
      await watching;
      const p99 = (values: number[]) =>
        percentile(
          values.toSorted((a, b) => a - b),
          0.99,
        );
      return { documentP99Ms: p99(times.documentP99Ms), statusP99Ms: p99(times.statusP99Ms) };
    },
  };
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(1)) : value;
}
