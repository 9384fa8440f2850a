import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { startChild } from '../support/child.ts';
import { CLAIM, keyOfStudio, profileFolder } from './studio-support.ts';

/** Studios that are killed one after the other, each while it saves. */
const KILLS = 8;

describe('a power cut in a save', { timeout: 240_000 }, () => {
  it('leaves the profile whole, with every save that was confirmed, and the next studio saves at once', async t => {
    const claims = Array.from({ length: 300 }, (_, at) => ({ ...CLAIM, claim_id: `clm-${at}` }));
    const { path, read } = await profileFolder(claims);
    let confirmed = 0;
    let was: string = CLAIM.category;
    const edit = (claim: number, from: string, value: string) => ({
      version: '',
      edits: [{ path: ['claims', `clm-${claim}`, 'category'], was: from, value }],
    });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { child, ended, done } = await openedStudio(t, path('brand.json'));
      let sent = confirmed;
      // Later in each round: a save has several steps, and the file must be whole between any two.
      const moment = 3 + kill;
      for (let saves = 0; saves < moment; saves += 1) {
        await done('edit', edit(0, was, `tema ${sent + 1}`));
        sent += 1;
        was = `tema ${sent}`;
        confirmed = sent;
      }
      const lost = done('edit', edit(0, was, `tema ${sent + 1}`)).then(
        () => true,
        () => false,
      );
      for (let turns = 0; turns < kill; turns += 1) await new Promise(setImmediate);
      child.kill('SIGKILL');
      await ended;
      if (await lost) confirmed = sent + 1;
      const document = await read();
      const { category } = document.claims[0];
      assert.ok(
        [confirmed, sent + 1].some(number => category === `tema ${number}`),
        `${category} after ${confirmed}`,
      );
      assert.equal(document.claims.length, claims.length);
      confirmed = Number(category.split(' ')[1]);
      was = category;
    }
    const { child, ended, done } = await openedStudio(t, path('brand.json'));
    await done('edit', edit(1, CLAIM.category, 'después'));
    assert.equal((await read()).claims[1].category, 'después');
    child.kill('SIGKILL');
    await ended;
    const left = (await readdir(path('.'))).filter(name => /tmp|lock/.test(name));
    assert.deepEqual(left, [], 'nothing is left of the saves that were cut off');
  });
});

/** A studio as a process of its own, and what it answers to a browser that was let in. */
async function openedStudio(t: TestContext, file: string) {
  const { process: child, ended, until } = startChild(t, ['server/cli.ts', 'studio', file]);
  const { origin, authorization } = keyOfStudio(await until('stdout', /http\S+/));
  const done = async (name: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization };
    const response = await fetch(`${origin}/api/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, await response.text());
  };
  return { child, ended, done };
}
