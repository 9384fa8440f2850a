import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createReload } from '../server/run/reload.ts';

/** A load that the test completes by hand, and everything it logged. */
function bench() {
  const source: { current: { digest: string } | undefined } = { current: { digest: 'old' } };
  const logged: string[] = [];
  const pending: PromiseWithResolvers<{ digest: string }>[] = [];
  const load = () => {
    const next = withResolvers<{ digest: string }>();
    pending.push(next);
    return next.promise;
  };
  const log = (level: string, _event: string, fields: object = {}) => {
    logged.push([level, ...Object.values(fields)].join(' '));
  };
  const use = (next: { digest: string }) => {
    source.current = next;
  };
  return { source, use, logged, pending, load, log };
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let settle: Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: value => settle?.resolve(value), reject: error => settle?.reject(error) };
}

describe('a reload', () => {
  it('leaves the old profile in use until the new one is ready, then swaps at once', async () => {
    const { source, use, logged, pending, ...options } = bench();
    const reloaded = createReload({ use, ...options })();
    await Promise.resolve();
    assert.equal(source.current?.digest, 'old');
    pending[0]?.resolve({ digest: 'new' });
    await reloaded;
    assert.equal(source.current?.digest, 'new');
    assert.deepEqual(logged, ['info new']);
  });

  it('keeps the old profile on a fault, and logs the fault once', async () => {
    const { source, use, logged, pending, ...options } = bench();
    const reload = createReload({ use, ...options });
    for (const at of [0, 1, 2]) {
      const reloaded = reload();
      await Promise.resolve();
      pending[at]?.reject(new Error('claims: is missing'));
      await reloaded;
    }
    assert.equal(source.current?.digest, 'old');
    assert.deepEqual(logged, ['error claims: is missing the previous profile stays in use true'], 'an alarm, once');
  });

  it('logs a fault again when it returns after a success, and another fault at once', async () => {
    const { source, use, logged, pending, ...options } = bench();
    const reload = createReload({ use, ...options });
    const outcomes = ['one', 'two', undefined, 'two'];
    for (const [at, fault] of outcomes.entries()) {
      const reloaded = reload();
      await Promise.resolve();
      if (fault) pending[at]?.reject(new Error(fault));
      else pending[at]?.resolve({ digest: 'new' });
      await reloaded;
    }
    assert.deepEqual(
      logged.map(line => line.split(' ', 2).join(' ')),
      ['error one', 'error two', 'info new', 'error two'],
    );
  });

  it('asked for during a reload is done once more afterwards, not at the same time', async () => {
    const { source, use, pending, logged: _, ...options } = bench();
    const reload = createReload({ use, ...options });
    const first = reload();
    await Promise.resolve();
    const [second, third] = [reload(), reload()];
    assert.equal(pending.length, 1);
    pending[0]?.resolve({ digest: 'early' });
    await first;
    await Promise.resolve();
    assert.equal(pending.length, 2);
    pending[1]?.resolve({ digest: 'late' });
    await Promise.all([second, third]);
    assert.equal(source.current?.digest, 'late');
    assert.equal(pending.length, 2);
  });
});
