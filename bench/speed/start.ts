import { parseArgs } from 'node:util';
import { startTable } from '../../docs/bench-tables.ts';
import { startNode } from '../../test/support/child.ts';
import { temporaryFolder } from '../../test/support/folder.ts';
import { memoryMb } from '../child.ts';
import { median } from '../figures.ts';
import { circumstances, keep, print } from '../result.ts';

/**
 * `npm run bench -- start [--rounds N --write]`: milliseconds from spawn until the server listens, until it has
 * answered a question, until `aval ask` has and until `aval stdio` has, as multiples of `node -e 0`, and the memory then. Rounds
 * are interleaved, so that a busy machine slows all of them.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});
const kept = temporaryFolder();

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n';

interface StartRow {
  readonly name: string;
  readonly args: readonly string[];
  /** Where and what it prints when it is there; without it, its end. */
  readonly until?: readonly [stream: 'stdout' | 'stderr', words: RegExp];
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

const server = {
  args: ['--max-semi-space-size=4', 'dist/server/main.js'],
  until: ['stderr', /"listening","url":"[^"]+"/],
} as const;
const aval = 'dist/server/cli.js';

const rows: readonly StartRow[] = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { ...server, name: 'server listens' },
  { ...server, name: 'first answer', path: '/ask?q=precio' },
  { ...server, name: 'server listens, table alone', env: { ENCODER: 'off' } },
  { ...server, name: 'server listens, no vectors kept', env: { DATA_DIR: '' } },
  { name: 'aval ask', args: [aval, 'ask', 'precio'] },
  { name: 'stdio answers', args: [aval, 'stdio'], until: ['stdout', /"result"/], input: INITIALIZE },
];

const runs = new Map<string, Run[]>(rows.map(row => [row.name, []]));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const row of rows) runs.get(row.name)?.push(await timed(row));
}
const report = {
  ...circumstances(),
  rounds: Number(values.rounds),
  rows: rows.map(({ name }) => ({
    name,
    ms: Math.round(medianOf(name, 'ms')),
    mb: Math.round(medianOf(name, 'megabytes')),
  })),
};
if (values.write) keep('start', report);
print(startTable(JSON.stringify(report)));

function medianOf(name: string, figure: 'ms' | 'megabytes'): number {
  return median((runs.get(name) ?? []).map(run => run[figure]));
}

async function timed({ args, until, input, path, env }: StartRow): Promise<Run> {
  const began = performance.now();
  const own = env?.DATA_DIR === '' ? { DATA_DIR: temporaryFolder() } : env;
  const started = startNode({ after: () => {} }, args, {
    env: { PORT: '0', DATA_DIR: kept, ENCODER: '', ...own },
  });
  const { process: child, ended } = started;
  child.stdin.on('error', () => {});
  if (input === undefined) child.stdin.end();
  else child.stdin.write(input);
  const said = until ? await started.until(...until) : await ended;
  if (path !== undefined) await (await fetch(`${/"url":"([^"]+)"/.exec(String(said))?.[1]}${path}`)).text();
  const ms = performance.now() - began;
  const megabytes = until ? memoryMb(child.pid, 'status', 'VmRSS') || 0 : 0;
  child.kill('SIGKILL');
  await ended;
  return { ms, megabytes };
}
