import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { watchExpiry } from '../../server/run/expiry.ts';
import { EXAMPLE } from '../support/support.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A watch over a profile that expires after so many milliseconds, and what it says. */
function watched(t: TestContext, expiresInMs: number) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.parse(EXAMPLE.issued_at) + DAY });
  const said: string[] = [];
  let expiresMs = Date.now() + expiresInMs;
  const profile = () => ({ ...EXAMPLE, expires_at: new Date(expiresMs).toISOString() });
  const stop = watchExpiry(
    profile,
    (level, event, { alarm } = {}) => void said.push([level, event, ...(alarm ? ['alarm'] : [])].join(' ')),
    () => Date.now(),
  );
  t.after(stop);
  return {
    said: () => said.splice(0),
    pass: (ms: number) => t.mock.timers.tick(ms),
    replaceBy(expiresIn: number) {
      expiresMs = Date.now() + expiresIn;
    },
  };
}

describe('a profile that expires while it is served', () => {
  it('is an alarm within the minute, and once a day from then on', t => {
    const { said, pass } = watched(t, 90 * MINUTE);
    pass(90 * MINUTE - 1);
    assert.deepEqual(said(), []);
    pass(MINUTE);
    assert.deepEqual(said(), ['error brand alarm']);
    pass(DAY - 2 * MINUTE);
    assert.deepEqual(said(), []);
    pass(3 * MINUTE);
    assert.deepEqual(said(), ['error brand alarm']);
  });

  it('is told once a day before, and again at once when the next one expires', t => {
    const { said, pass, replaceBy } = watched(t, 10 * DAY);
    pass(DAY + MINUTE);
    assert.deepEqual(said(), ['warn brand']);
    replaceBy(-1);
    pass(MINUTE);
    assert.deepEqual(said(), ['error brand alarm']);
    replaceBy(5 * MINUTE);
    pass(6 * MINUTE);
    assert.deepEqual(said(), ['error brand alarm']);
  });
});
