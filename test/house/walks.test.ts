import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { runChild } from '../support/child.ts';
import { ROOT } from '../support/folder.ts';

/** The walks that ARCHITECTURE.md tells, with the functions that each names. */
const WALKS = readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8')
  .split('## Four walks')[1]!
  .split('\n**')
  .slice(1)
  .map(text => ({
    title: text.slice(0, text.indexOf(':')),
    named: Array.from(
      text.matchAll(/`(\w+)` \(`([\w/.-]+\.ts)`\)/g),
      ([, name, file]) => `${name} (${file})`,
    ),
  }))
  .filter(({ named }) => named.length > 0);

describe('ARCHITECTURE.md', () => {
  it('names functions that run where it says so', async context => {
    assert.ok(WALKS.length === 4 && WALKS.every(({ named }) => named.length > 5));
    const { stdout } = await runChild(context, ['test/house/walks-recorder.ts']);
    const ran = JSON.parse(stdout);
    for (const { title, named } of WALKS)
      for (const one of named) assert.ok(ran[title].includes(one), `${title}: ${one} did not run`);
  });
});
