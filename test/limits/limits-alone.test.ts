import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createLimiter } from '../../server/limits/limiter.ts';
import { databaseFile, openDatabase } from '../../server/outbox/database.ts';
import { POLICIES } from '../../tools/policies.ts';
import { temporaryFolder } from '../support/folder.ts';
import type { LogLine } from '../support/support.ts';

/** The limits of a server whose database can be moved away and back. */
async function start(t: TestContext) {
  const dataDirectory = temporaryFolder();
  const database = await openDatabase({ dataDirectory });
  t.after(() => database.close());
  const alive = setInterval(() => {}, 1000); // the limiter's own timer keeps no process running
  t.after(() => clearInterval(alive));
  const lines: LogLine[] = [];
  let heard = (_line: LogLine) => {};
  const limiter = createLimiter({
    policies: POLICIES,
    monotonicMs: () => 0,
    nowMs: () => 0,
    database,
    retryMs: 20,
    log(level, event, fields) {
      const line = { level, event, ...fields };
      lines.push(line);
      heard(line);
    },
  });
  const file = databaseFile(dataDirectory);
  const away = join(dataDirectory, 'away.db');
  return {
    lines,
    take: async () => {
      const { ok, states, giveBack } = await limiter.hit('ana', ['forms'], 1);
      return { ok, left: states[0]?.remaining, giveBack };
    },
    loseDatabase: () => rename(file, away),
    /** Resolves when the limiter has found it. */
    async bringItBack() {
      const back = new Promise(resolve => {
        heard = resolve;
      });
      await rename(away, file);
      return back;
    },
  };
}

describe('while the database of the limits fails', () => {
  it('this process counts alone, from what it accepted before; what was given back does not count', async t => {
    const { take, loseDatabase } = await start(t);
    for (let accepted = 0; accepted < 8; accepted += 1) await take();
    await (await take()).giveBack();
    await loseDatabase();
    const seen = [await take(), await take(), await take()];
    assert.deepEqual(
      seen.map(({ ok, left }) => [ok, left]),
      [
        [true, 1],
        [true, 0],
        [false, 0],
      ],
    );
  });

  it('one log line says when that begins, and one when the database is back, without a request', async t => {
    const { lines, take, loseDatabase, bringItBack } = await start(t);
    await take();
    await loseDatabase();
    await Promise.all([take(), take(), take()]);
    assert.deepEqual(
      lines.map(({ level, event, shared, effect }) => [level, event, shared, effect]),
      [['warn', 'limits', false, 'this process counts alone']],
    );
    assert.deepEqual(await bringItBack(), { level: 'info', event: 'limits', shared: true });
    assert.equal((await take()).left, 8);
    assert.equal(lines.length, 2);
  });
});
