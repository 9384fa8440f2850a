import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './folder.ts';
import { freePort } from './free-port.ts';

/** For the `skip` of a test: why there is no Redis to test with, or `false`. */
export const NO_REDIS =
  spawnSync('redis-server', ['--version']).status !== 0 &&
  'redis-server is not installed; apt-get install redis-server brings it';

/**
 * A Redis of the test's own on a free loopback port, which can be stopped, started again and frozen.
 * @param settings of redis.conf; without any it is empty whenever it starts
 */
export async function startRedis(t: Pick<TestContext, 'after'>, settings: Readonly<Record<string, string>> = {}) {
  const port = await freePort();
  const directory = temporaryFolder();
  const launched = () => launch({ port, dir: directory, ...settings });
  let child = await launched();
  const stop = async (signal: NodeJS.Signals = 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  t.after(() => stop());
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    async start() {
      child = await launched();
    },
    /** Connections are accepted and nothing is answered. */
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  };
}

async function launch(settings: Readonly<Record<string, string | number>>): Promise<ChildProcess> {
  const options = Object.entries({ bind: '127.0.0.1', save: '', appendonly: 'no', ...settings }).flatMap(
    ([name, value]) => [`--${name}`, String(value)],
  );
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    if (output.includes('Ready to accept connections')) {
      child.stdout.resume();
      return child;
    }
  }
  throw new Error(`redis-server did not start:\n${output}`);
}
