import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';
import { aval, startServerProcess } from '../support/server-process.ts';

/** The runtime of the encoder keeps a device id for its telemetry in the home of its user, unless that is switched off. */
describe('what a process leaves on the machine', { timeout: 600_000 }, () => {
  it('is nothing in the home of its user, and its own files in DATA_DIR', async t => {
    const home = temporaryFolder();
    const data = temporaryFolder();
    const service = await startServerProcess(t, { HOME: home, DATA_DIR: data });
    await (await fetch(`${service.url}/ask?q=precio`)).text();
    service.child.kill('SIGTERM');
    assert.equal(await service.exit, 0);
    assert.deepEqual(readdirSync(home), []);
    assert.deepEqual(
      readdirSync(data).filter(name => !name.startsWith('aval.db')),
      ['claim-vectors.bin'],
    );
  });

  it('is nothing at all of a command that asks', async t => {
    const home = temporaryFolder();
    const data = join(temporaryFolder(), 'data');
    const { code } = await aval(t, { HOME: home, DATA_DIR: data }, 'ask', 'precio');
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(home), []);
    assert.equal(existsSync(data), false);
  });
});
