import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { databaseFile, openDatabase } from '../../server/outbox/database.ts';
import { receive } from '../../server/outbox/receive.ts';
import { DatabaseRefused, sql } from '../../server/outbox/sql.ts';
import { rememberFiles } from '../../server/outbox/sqlite-file.ts';
import { temporaryFolder } from '../support/folder.ts';
import { storedAt } from '../support/submission-support.ts';
import { storeOf, submission } from './outbox-support.ts';

const COMMITS = 40;
const CUTS = 20;

/** The files as a power cut leaves them: half of the commits in the database file, half in its journal. */
async function filesOfPowerCut(folder: string): Promise<string> {
  const database = await openDatabase({ dataDirectory: folder });
  for (let n = 0; n < COMMITS; n += 1) {
    if (n === COMMITS / 2) await database.query(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
    await receive(storeOf(database), submission({}, { context: `n=${n} `.repeat(100) }), Date.now);
  }
  // By another process: to read the files here would give up the locks on them.
  for (const end of ['', '-wal']) {
    spawnSync('cp', [`${databaseFile(folder)}${end}`, join(folder, `copy${end}`)]);
  }
  await database.close();
  return join(folder, 'copy');
}

async function countIn(folder: string): Promise<number | 'refused'> {
  try {
    return (await storedAt(folder)).length;
  } catch (error) {
    if (error instanceof DatabaseRefused) return 'refused';
    throw error;
  }
}

describe('a database file whose end is gone', () => {
  it('is refused with the way out, and never opened without what was acknowledged', async () => {
    const folder = temporaryFolder();
    const copy = await filesOfPowerCut(folder);
    const { size } = statSync(copy);
    const counts: (number | 'refused')[] = [];
    for (let cut = 0; cut < CUTS; cut += 1) {
      const place = join(folder, `cut-${cut}`);
      mkdirSync(place);
      for (const end of ['', '-wal']) copyFileSync(`${copy}${end}`, `${databaseFile(place)}${end}`);
      truncateSync(databaseFile(place), Math.floor((size * cut) / CUTS));
      counts.push(await countIn(place));
    }
    const partial = counts.filter(count => count !== 'refused' && count !== COMMITS);
    assert.deepEqual(partial, []);
    assert.ok(counts.includes('refused'));
  });
});

describe('a journal that became shorter', () => {
  function remembered() {
    const path = databaseFile(temporaryFolder());
    for (const end of ['', '-wal', '-shm']) writeFileSync(`${path}${end}`, 'x'.repeat(100));
    let fault: string | undefined;
    const requireFiles = rememberFiles(path, () => {
      if (fault) throw Object.assign(new Error('the checkpoint failed'), { sqliteCodeName: fault });
    });
    requireFiles();
    truncateSync(`${path}-wal`, 10);
    return {
      /** Looks at the files while a checkpoint fails with this code, or succeeds. */
      look: (code?: string) => {
        fault = code;
        requireFiles();
      },
    };
  }

  it('is cut off for ever where a checkpoint misses pages', () => {
    for (const code of ['SQLITE_IOERR_SHORT_READ', 'SQLITE_CORRUPT']) {
      const { look } = remembered();
      look('SQLITE_FULL');
      assert.throws(() => look(code), /-wal was moved, replaced, deleted or cut off/);
      assert.throws(() => look(), /-wal was moved, replaced, deleted or cut off/);
    }
  });

  it('is no fault once its content was moved', () => {
    const { look } = remembered();
    look('SQLITE_FULL');
    look();
    look('SQLITE_IOERR');
  });
});
