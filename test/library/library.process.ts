import { describe, it } from 'node:test';
import { startChild } from '../support/child.ts';
import { EXAMPLES } from './library-examples.ts';

describe('the examples of docs/library.md', { timeout: 600_000 }, () => {
  for (const [name, check] of Object.entries(EXAMPLES)) {
    it(`run, and do what they are for: ${name}`, t =>
      check(env => startChild(t, [`examples/library/${name}.ts`], env)));
  }
});
