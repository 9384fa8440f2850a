import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile, openDatabase } from '../../server/outbox/database.ts';
import { receive } from '../../server/outbox/receive.ts';
import { DatabaseRefused, sql } from '../../server/outbox/sql.ts';
import { storedAt } from '../../test/support/submission-support.ts';
import { POLICIES } from '../../tools/policies.ts';

const CUTS = 200;
const COMMITS = 80;

/**
 * A commit that was acknowledged, and how long the log was on disk by then; 0 once it stands in the database
 * file.
 */
interface Commit {
  readonly id: string;
  readonly logBytes: number;
}

/**
 * Power loss by proxy: the database file or its log, cut at a random byte. Whatever was acknowledged before
 * the bytes that are gone has to be there, or the start has to refuse with the way out.
 */
export async function tortureByCuts(folder: string) {
  const dataDirectory = join(folder, 'cuts');
  const commits = await commitMany(dataDirectory);
  const counts = { cuts: CUTS, whole: 0, refused: 0, lost: 0 };
  for (let cut = 0; cut < CUTS; cut += 1) {
    const copy = join(folder, `cut-${cut}`);
    mkdirSync(copy);
    const victim = cut % 2 === 0 ? '-wal' : '';
    for (const end of ['', '-wal'])
      copyFileSync(join(dataDirectory, `copy.db${end}`), `${databaseFile(copy)}${end}`);
    const keptBytes = Math.floor(Math.random() * statSync(`${databaseFile(copy)}${victim}`).size);
    truncateSync(`${databaseFile(copy)}${victim}`, keptBytes);
    const there = await idsIn(copy);
    const owed = commits.filter(({ logBytes }) => victim === '' || logBytes <= keptBytes);
    if (there === 'refused') counts.refused += 1;
    else if (owed.every(({ id }) => there.has(id))) counts.whole += 1;
    else counts.lost += 1;
  }
  return counts;
}

/** Half of the commits stand in the database file, half in the log, as if the power went now. */
async function commitMany(dataDirectory: string): Promise<Commit[]> {
  const database = await openDatabase({ dataDirectory });
  const store = {
    database,
    mode: 'production' as const,
    leaseMs: 1,
    leaseholder: 'torture',
    hasWebhook: false,
    policies: { ...POLICIES, submissions: { ...POLICIES.submissions, quota: 1_000_000 } },
  };
  const file = databaseFile(dataDirectory);
  const commits: Commit[] = [];
  for (let n = 0; n < COMMITS; n += 1) {
    if (n === COMMITS / 2) await database.query(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
    const fields = { email: 'ana@client.example', context: `n=${n} `.repeat(100) };
    const received = await receive(
      store,
      { kind: 'partner', confirms: false, replyHours: 48, channel: 'rest', clientHash: 'c', fields },
      Date.now,
    );
    if (received.kind !== 'new') throw new Error('every submission is another');
    commits.push({ id: received.record.id, logBytes: n < COMMITS / 2 ? 0 : statSync(`${file}-wal`).size });
  }
  // By another process: reading the files here would give up the locks on them.
  for (const end of ['', '-wal']) spawnSync('cp', [`${file}${end}`, join(dataDirectory, `copy.db${end}`)]);
  await database.close();
  return commits;
}

async function idsIn(dataDirectory: string): Promise<ReadonlySet<string> | 'refused'> {
  try {
    return new Set((await storedAt(dataDirectory)).map(({ id }) => id));
  } catch (error) {
    if (error instanceof DatabaseRefused) return 'refused';
    throw error;
  }
}
