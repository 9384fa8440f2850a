import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startTable } from '../../docs/bench-tables.ts';
import { circumstances, median } from '../rounds.ts';

/**
 * `npm run bench -- start [--against DIR --rounds N --write]`: milliseconds from spawn until the server listens, until it has
 * answered a question, until `aval ask` has and until `aval stdio` has, as multiples of `node -e 0`, and the memory then. Rounds
 * are interleaved, so that a busy machine slows all of them; --against measures another built checkout in the same rounds.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});
const folders = ['.', ...(values.against === undefined ? [] : [values.against])];
const directory = mkdtempSync(join(tmpdir(), 'aval-start-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n';

interface StartRow {
  readonly name: string;
  readonly args: readonly string[];
  /** What it prints when it is there; without it, its end. */
  readonly until?: RegExp;
  readonly input?: string;
  /** Beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Asked of the address that it printed. */
  readonly path?: string;
}

interface Run {
  readonly ms: number;
  /** Resident, once it is there. */
  readonly megabytes: number;
}

const rows: readonly StartRow[] = [
  { name: 'node -e 0', args: ['-e', '0'] },
  ...folders.flatMap((folder): StartRow[] => [
    {
      name: `${folder}: server listens`,
      args: ['--max-semi-space-size=2', entry(folder, 'main')],
      until: /"listening"/,
    },
    {
      name: `${folder}: first answer`,
      args: ['--max-semi-space-size=2', entry(folder, 'main')],
      until: /"listening"/,
      path: '/ask?q=precio',
    },
    {
      name: `${folder}: server listens, table alone`,
      args: ['--max-semi-space-size=2', entry(folder, 'main')],
      until: /"listening"/,
      env: { ENCODER: 'off' },
    },
    {
      name: `${folder}: server listens, no vectors kept`,
      args: ['--max-semi-space-size=2', entry(folder, 'main')],
      until: /"listening"/,
      env: { DATA_DIR: '' },
    },
    { name: `${folder}: aval ask`, args: [entry(folder, 'cli'), 'ask', 'precio'] },
    { name: `${folder}: stdio answers`, args: [entry(folder, 'cli'), 'stdio'], until: /"result"/, input: INITIALIZE },
  ]),
];

const runs = new Map<string, Run[]>(rows.map(row => [row.name, []]));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const row of rows) runs.get(row.name)?.push(await timed(row));
}
const report = {
  ...circumstances(),
  rounds: Number(values.rounds),
  rows: rows.map(({ name }) => ({
    name: name.replace(/^\.: /, ''),
    ms: Math.round(medianOf(name, 'ms')),
    mb: Math.round(medianOf(name, 'megabytes')),
  })),
};
if (values.write) writeFileSync('bench/results/start.json', `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`${startTable(JSON.stringify(report))}\n`);

function entry(folder: string, name: string): string {
  return resolve(folder, `dist/server/${name}.js`);
}

function medianOf(name: string, figure: 'ms' | 'megabytes'): number {
  return median((runs.get(name) ?? []).map(run => run[figure]));
}

async function timed({ args, until, input, path, env }: StartRow): Promise<Run> {
  const began = performance.now();
  const own = env?.DATA_DIR === '' ? { DATA_DIR: mkdtempSync(join(directory, 'new-')) } : env;
  // Each checkout has a store of its own: an older one does not open what a newer one has migrated.
  const kept = join(
    directory,
    basename(dirname(dirname(dirname(resolve(args.find(arg => arg.endsWith('.js')) ?? 'none'))))),
  );
  const settings = { PATH: process.env.PATH, PORT: '0', DATA_DIR: kept, ...own };
  const child = spawn(process.execPath, args, { env: settings });
  const ended = new Promise(resolve => child.once('close', resolve));
  child.stdin.on('error', () => {});
  if (input === undefined) child.stdin.end();
  else child.stdin.write(input);
  const text = until ? await printed(child, until) : await ended;
  if (path !== undefined) await (await fetch(`${/"url":"([^"]+)"/.exec(String(text))?.[1]}${path}`)).text();
  const ms = performance.now() - began;
  const megabytes = until ? residentMegabytes(child.pid) : 0;
  child.kill('SIGKILL');
  await ended;
  return { ms, megabytes };
}

function printed({ stdout, stderr }: ReturnType<typeof spawn>, words: RegExp): Promise<string> {
  return new Promise(resolve => {
    let text = '';
    for (const stream of [stdout, stderr]) {
      stream?.on('data', chunk => {
        text += chunk;
        if (words.test(text)) resolve(text);
      });
    }
  });
}

/** As Linux counts it; 0 elsewhere. */
function residentMegabytes(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}
