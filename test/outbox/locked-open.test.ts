import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { openSqlite } from '../../server/outbox/sqlite.ts';

test('A database that another process holds for a moment is opened once it is free', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aval-'));
  const path = join(folder, 'aval.db');
  const holder = new DatabaseSync(path);
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  const opening = openSqlite(path);
  // Held long enough that the first look finds the lock.
  await Promise.race([opening, setTimeout(100)]);
  holder.close();
  await (await opening).close();
  rmSync(folder, { recursive: true });
});
