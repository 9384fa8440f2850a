import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { after, beforeEach, describe } from 'node:test';

/** One of the processes of `npm test`: runs the next file that none of them has taken, until there is no more. */
const OUT = new URL('../.test/', import.meta.url);

for (const file of JSON.parse(readFileSync(new URL('files.json', OUT), 'utf8'))) {
  if (take(file)) await describe(`${file}.ts`, () => run(file));
}

/** A folder can be made once. */
function take(file) {
  try {
    mkdirSync(new URL(`${file}.taken`, OUT));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function run(file) {
  let ran = 0;
  beforeEach(() => {
    ran += 1;
  });
  after(() => assert.ok(ran > 0, `test/${file}.ts holds no test`));
  await import(new URL(`${file}.js`, OUT));
}
