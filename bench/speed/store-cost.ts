import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseSettings, openDatabase } from '../../server/database/database.ts';
import { sql } from '../../server/database/sql.ts';
import { openStore, receive } from '../../server/outbox/store/store.ts';
import { SUBMISSIONS } from '../../server/outbox/store/tables.ts';
import { POSTGRES, startCluster } from '../../test/stores.ts';
import { ROOT } from '../../test/support.ts';

/**
 * What a submission's commit costs, and what 100,000 submissions cost. `npm run bench -- store`, after `npm run build`; writes bench/results/store.json.
 */
const COMMITS = 300;
const RECORDS = 100_000;

type Act = (n: number) => Promise<unknown>;

const folder = mkdtempSync(join(tmpdir(), 'aval-cost-'));
const fields = { name: 'Ana Pérez', email: 'ana@client.example', company: 'Client SL', context: 'x'.repeat(1000) };
const about = { kind: 'partner', confirms: false, replyHours: 48, channel: 'rest', clientHash: 'client' } as const;

async function commitTo(settings: DatabaseSettings): Promise<Act> {
  const store = openStore(await openDatabase(settings, SUBMISSIONS), { mode: 'production', leaseMs: 1 });
  return n => receive(store, { ...about, fields: { ...fields, role: String(n) } }, Date.now());
}

/** Takes turns, so that a busy moment of the machine meets all. */
async function measure(acts: Readonly<Record<string, Act>>) {
  const times = new Map<string, number[]>(Object.keys(acts).map(name => [name, []]));
  for (let n = 0; n < COMMITS; n += 1) {
    for (const [name, act] of Object.entries(acts)) {
      const began = performance.now();
      await act(n);
      times.get(name)?.push(performance.now() - began);
    }
  }
  return Object.fromEntries(
    [...times].map(([name, all]) => [name, { p50Ms: quantile(all, 0.5), p99Ms: quantile(all, 0.99) }]),
  );
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 100) / 100;
}

/** Submissions of every state, as many as a busy firm has in a century. */
async function manyRecords() {
  const dataDirectory = join(folder, 'many');
  const database = await openDatabase({ dataDirectory }, SUBMISSIONS);
  await database.query(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS})
    INSERT INTO submissions (id, reference, kind, channel, mode, language, received_at, fields, suspect, state, tries,
      confirmation, finished_at)
    SELECT 'sub-' || i, 'REF-' || i, 'partner', 'rest', 'production', 'es', ${Date.now()} - i, ${JSON.stringify(fields)}, 0,
      'delivered', 0, 'none', ${Date.now()} - i FROM n`);
  await database.close();
  const openMs = await timed(async () => (await openDatabase({ dataDirectory }, SUBMISSIONS)).close());
  const command = [join(ROOT, 'dist/server/cli.js'), 'outbox', 'list'];
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDirectory };
  const lists: number[] = [];
  for (let n = 0; n < 7; n += 1) {
    lists.push(
      await timed(async () => execFileSync(process.execPath, command, { env, stdio: ['ignore', 'ignore', 'ignore'] })),
    );
  }
  const memory = execFileSync(
    process.execPath,
    ['--import', 'tsx', '-e', MEMORY, join(ROOT, 'server/'), dataDirectory],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return { records: RECORDS, openMs, listMs: quantile(lists, 0.5), openedMemoryMb: Number(memory) };
}

/** Grown memory of a process that opens the store and counts it. */
const MEMORY = `(async () => {
  const [, sources, dataDirectory] = process.argv;
  const { openDatabase } = await import(sources + 'database/database.ts');
  const { SUBMISSIONS } = await import(sources + 'outbox/store/schema.ts');
  const { counts } = await import(sources + 'outbox/store/archive.ts');
  const before = process.memoryUsage().rss;
  const database = await openDatabase({ dataDirectory }, SUBMISSIONS);
  await counts(database);
  console.log(Math.round((process.memoryUsage().rss - before) / 1e6));
})()`;

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return Math.round(performance.now() - began);
}

const acts: Record<string, Act> = {
  SQLite: await commitTo({ dataDirectory: join(folder, 'sqlite') }),
};
if (POSTGRES.skip) process.stdout.write(`Postgres: skipped, ${POSTGRES.skip}\n`);
else {
  const cluster = await startCluster();
  cluster.run('createdb', 'cost');
  acts.Postgres = await commitTo({ dataDirectory: folder, databaseUrl: cluster.url('cost') });
}
const results = { commits: COMMITS, commit: await measure(acts), many: await manyRecords() };
mkdirSync('bench/results', { recursive: true });
writeFileSync('bench/results/store.json', `${JSON.stringify(results, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
rmSync(folder, { recursive: true, force: true });
process.exit();
