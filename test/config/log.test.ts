import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog, type Log, type LogOptions } from '../../server/config/log.ts';

/** The lines of a log as JSON. */
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

/** What a log has written once the line of `event` was among it. */
function written(act: (log: Log) => void, event: string, options: LogOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`never written: ${event}`)), 60_000);
    let all = '';
    const write = (lines: string) => {
      all += lines;
      if (!all.includes(options.format === 'text' ? `${event}\n` : `"event":"${event}"`)) return;
      clearTimeout(deadline);
      resolve(all);
    };
    const log = createLog({ write, ...options });
    act(log);
  });
}

describe('the log', () => {
  it('writes every line once and in order, however many come at once', async () => {
    const text = await written(log => {
      for (let index = 0; index < 5000; index += 1)
        log('info', 'request', { index, route: '/ask', word: 'señal €' });
      log('info', 'stopped');
    }, 'stopped');
    const lines = linesOf(text);
    assert.deepEqual(
      lines.slice(0, -1).map(({ index }) => index),
      Array.from({ length: 5000 }, (_, index) => index),
    );
    assert.ok(lines.slice(0, -1).every(({ word }) => word === 'señal €'));
  });

  it('writes for people where it is asked to: a request on a line, a sentence as it is, no JSON', async () => {
    const text = await written(
      log => {
        log('info', 'request', { method: 'GET', route: '/ask', status: 200, ms: 3.14, client: 'c0ffee' });
        log('warn', 'brand', { warning: 'the profile expires in 3 days' });
        log('info', 'reload', { claims: 24 });
        log('info', 'stopped');
      },
      'stopped',
      { format: 'text' },
    );
    const lines = text.trimEnd().split('\n');
    assert.ok(lines.every(line => /^\d\d:\d\d:\d\d {2}/.test(line)));
    assert.deepEqual(
      lines.map(line => line.slice(10)),
      [
        'GET     200  /ask                     3.14 ms',
        'warn: brand: the profile expires in 3 days',
        'reload: claims 24',
        'stopped',
      ],
    );
  });
});
