import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPacer, mapInPieces } from '../brand/retrieval/pacer.ts';

/** Work of so many steps, each as long as a piece. */
async function work(start: ReturnType<typeof createPacer>, steps: number, asker?: string): Promise<void> {
  const busy = () => {
    for (const end = performance.now() + 5; performance.now() < end; );
  };
  await mapInPieces(Array.from({ length: steps }), busy, start(asker));
}

describe('long work', () => {
  it('lets short work that comes later end first', async () => {
    const start = createPacer();
    const ended: string[] = [];
    const long = Array.from({ length: 5 }, (_, n) => work(start, 12).then(() => ended.push(`long ${n}`)));
    await new Promise(resolve => setImmediate(resolve));
    const short = work(start, 2).then(() => ended.push('short'));
    await Promise.all([...long, short]);
    assert.equal(ended[0], 'short');
    assert.equal(ended.length, 6);
  });

  it('of a client with many questions lets the question of another client end first, though it is as long', async () => {
    const start = createPacer();
    const ended: string[] = [];
    const many = Array.from({ length: 9 }, () => work(start, 4, 'many').then(() => ended.push('many')));
    await new Promise(resolve => setImmediate(resolve));
    const one = work(start, 4, 'one').then(() => ended.push('one'));
    await Promise.all([...many, one]);
    assert.equal(ended.indexOf('one'), 0);
  });

  it('goes on for a piece of 4 ms, then waits; of works that had as many pieces the first goes first', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const start = createPacer();
    const [one, other] = [start(), start()];
    const order: string[] = [];
    for (const round of ['first', 'second']) {
      now += 3.9;
      assert.equal(one(), undefined);
      now += 0.1;
      const turns = [one()?.then(() => order.push(`${round} one`)), other()?.then(() => order.push(`${round} other`))];
      assert.ok(turns.every(turn => turn !== undefined));
      await Promise.all(turns);
    }
    assert.deepEqual(order, ['first one', 'first other', 'second one', 'second other']);
  });

  it('gives the turn to the work that had the fewest pieces, though another asked before it', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const start = createPacer();
    const [old, young] = [start(), start()];
    const order: string[] = [];
    now += 5;
    await old();
    now += 5;
    await Promise.all([old()?.then(() => order.push('old')), young()?.then(() => order.push('young'))]);
    assert.deepEqual(order, ['young', 'old']);
  });

  it('lets what else waits for the event loop run between its pieces', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await work(createPacer(), 6);
    clearInterval(timer);
    assert.ok(turns >= 3, String(turns));
  });
});
