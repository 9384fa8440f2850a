import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { ROOT } from '../../test/support.ts';
import { type Child, start } from '../child.ts';
import { startBystander } from '../load/bystander.ts';
import { circumstances } from '../rounds.ts';
import { ATTACKS, publish, type Target } from './attacks.ts';

/**
 * `npm run bench -- siege [--seconds S --claims N,N --encoder off,on --only NAME,NAME --write]`: one attack after the other, each
 * on a fresh server; the row "nothing" is the base. A row is printed when its attack has ended; `--write` keeps the rows of
 * other attacks.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    claims: { type: 'string', default: '24,2000' },
    encoder: { type: 'string', default: 'off,on' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});

/** One attack on a fresh server, seen by a client of another address that asks ten times a second. */
interface Outcome {
  readonly attack: string;
  readonly claims: number;
  readonly encoder: string;
  readonly seconds: number;
  /** What the attacker got done, so that a siege that never began is seen. */
  readonly strokes: number;
  readonly asked: number;
  readonly p50Ms: number;
  readonly worstMs: number;
  readonly failures: number;
  /** Resident memory of the server before the attack, at its highest, and a second after. */
  readonly memoryMb: readonly [before: number, highest: number, after: number];
  readonly deaths: number;
}

const HEAD = `| attack | claims | encoder | strokes | asked | p50 ms | worst ms | failures | memory MB | deaths |
|---|---|---|---|---|---|---|---|---|---|
`;
const RESULTS = `${ROOT}bench/results/siege.json`;
const folder = mkdtempSync(join(tmpdir(), 'aval-siege-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const only = options.only.split(',');
const chosen = Object.keys(ATTACKS).filter(name => options.only === '' || only.includes(name));
const outcomes: Outcome[] = [];
process.stdout.write(HEAD);
for (const encoder of options.encoder.split(',')) {
  for (const claims of options.claims.split(',').map(Number)) {
    for (const attack of chosen) {
      process.stderr.write(`${attack}, ${claims} claims, encoder ${encoder}\n`);
      const outcome = await besiege({ attack, claims, encoder });
      outcomes.push(outcome);
      process.stdout.write(rowOf(outcome));
    }
  }
}
if (options.write) {
  const earlier: Outcome[] = JSON.parse(readFileSync(RESULTS, 'utf8')).outcomes;
  const isSame = (one: Outcome) => (other: Outcome) =>
    one.attack === other.attack && one.claims === other.claims && one.encoder === other.encoder;
  const kept = earlier.filter(one => !outcomes.some(isSame(one)));
  const report = { ...circumstances(), outcomes: [...kept, ...outcomes] };
  writeFileSync(RESULTS, `${JSON.stringify(report, null, 2)}\n`);
}

async function besiege(siege: Pick<Outcome, 'attack' | 'claims' | 'encoder'>): Promise<Outcome> {
  const { attack, claims, encoder } = siege;
  const brandFile = join(folder, `${claims}.json`);
  publish({ brandFile, claims }, 0);
  const server = await startServer(brandFile, encoder);
  await setTimeout(1000);
  const memory = [server.residentMb()];
  const watching = setInterval(() => memory.push(server.residentMb()), 200);
  const bystander = startBystander({ port: server.port });
  const { port, pid } = server;
  const strokes = await strike(attack, { port, pid, seconds: Number(options.seconds), claims, brandFile });
  const seen = await bystander.stop();
  clearInterval(watching);
  await setTimeout(1000);
  const memoryMb = [memory[0] ?? 0, Math.max(...memory), server.residentMb()] as const;
  const deaths = server.isRunning() ? 0 : 1;
  await server.stop();
  return { ...siege, seconds: Number(options.seconds), strokes, ...seen, memoryMb, deaths };
}

/** Runs an attack in a process of its own. Resolves with how much it did. */
async function strike(attack: string, target: Target): Promise<number> {
  const args = ['--import', 'tsx', `${ROOT}bench/faults/attacker.ts`, attack, JSON.stringify(target)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return Number(stdout);
}

/** The built server with the default limits, and no proxy before it. */
function startServer(brandFile: string, encoder: string): Promise<Child> {
  return start(['--max-semi-space-size=8', `${ROOT}dist/server/main.js`], {
    PORT: '0',
    NODE_ENV: 'development',
    ASK_LOG: 'redacted',
    BRAND_FILE: brandFile,
    ENCODER: encoder,
    // The vectors of the claims are kept there.
    DATA_DIR: join(folder, `${basename(brandFile)}-${encoder}`),
  });
}

function rowOf({ memoryMb, p50Ms, worstMs, ...row }: Outcome): string {
  const { attack, claims, encoder, strokes, asked, failures, deaths } = row;
  const memory = memoryMb.map(mb => mb.toFixed(0)).join(' → ');
  const cells = [
    attack,
    claims,
    encoder,
    strokes,
    asked,
    p50Ms.toFixed(1),
    worstMs.toFixed(0),
    failures,
    memory,
    deaths,
  ];
  return `| ${cells.join(' | ')} |\n`;
}
