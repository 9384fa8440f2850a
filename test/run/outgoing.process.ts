import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { nodeArguments } from '../support/child.ts';
import { temporaryFolder } from '../support/folder.ts';

const skip = spawnSync('strace', ['-V']).status !== 0 && 'strace is not installed: apt-get install strace';

/** A command of the service under strace, with a home of its own, where nobody has configured mail. */
function traced(t: TestContext, args: readonly string[]) {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  mkdirSync(home);
  const calls = join(folder, 'calls');
  const strace = ['-f', '-qq', '-o', calls, '-e', 'trace=connect,sendto,sendmsg,sendmmsg'];
  const child: ChildProcess = spawn(
    'strace',
    [...strace, process.execPath, ...nodeArguments('server/cli.ts', ...args)],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home, PORT: '0', DATA_DIR: join(folder, 'data') },
      detached: true,
    },
  );
  t.after(() => child.exitCode ?? process.kill(-(child.pid ?? 0), 'SIGKILL'));
  const output: string[] = [];
  child.stdout?.on('data', data => output.push(String(data)));
  child.stderr?.on('data', data => output.push(String(data)));
  return {
    child,
    output: () => output.join(''),
    /** Every call that reaches an address of the internet's families, but those of this machine. */
    outgoing: () =>
      readFileSync(calls, 'utf8')
        .split('\n')
        .filter(line => /AF_INET6?/.test(line) && !/inet_addr\("127\.|"::1"/.test(line)),
    filesAtHome: () => readdirSync(home, { recursive: true }),
  };
}

type Traced = ReturnType<typeof traced>;

const COMMANDS: Readonly<
  Record<string, readonly [args: readonly string[], use: (traced: Traced) => Promise<unknown>]>
> = {
  ask: [['ask', 'precio'], ({ child }) => once(child, 'exit')],
  stdio: [
    ['stdio'],
    async ({ child, output }) => {
      const params = { name: 'ask_brand', arguments: { query: 'precio' } };
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
      while (!output().includes('"matches"')) await setTimeout(50);
      child.stdin?.end();
      await once(child, 'exit');
    },
  ],
  serve: [
    ['serve'],
    async ({ output }) => {
      while (!output().includes('"listening"')) await setTimeout(50);
      const [, url = ''] = /"url":"([^"]+)"/.exec(output()) ?? [];
      const { status } = await fetch(`${url}/ask?q=precio`);
      assert.equal(status, 200);
      // Longer than the runtime's telemetry waited before it looked its host up.
      await setTimeout(3000);
    },
  ],
};

describe('connections that the service opens by itself', { skip, timeout: 600_000 }, () => {
  for (const [name, [args, use]] of Object.entries(COMMANDS)) {
    it(`are none: aval ${name} looks up no name, reaches no address, and writes nothing to the home of its user`, async t => {
      const command = traced(t, args);
      await use(command);
      assert.deepEqual(command.outgoing(), []);
      assert.deepEqual(
        command.filesAtHome().filter(file => !String(file).startsWith('.aval')),
        [],
      );
    });
  }
});
