import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';
import { startProcess, startServerProcess } from '../support/server-process.ts';

/** GET through a socket, as a proxy on the same machine sends it. */
function get(socketPath: string, visitor: string): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'norteclaro.example', 'x-forwarded-for': visitor };
    request({ socketPath, path: '/ask?q=precio', headers }, answer => {
      answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }));
    })
      .on('error', reject)
      .end();
  });
}

describe('a server on a Unix socket', () => {
  it('answers there, tells visitors of its proxy apart, and takes the place of one that was killed', async t => {
    const path = join(temporaryFolder(), 'aval.sock');
    const env = {
      HOST: `unix:${path}`,
      BASE_URL: 'https://norteclaro.example',
      TRUSTED_PROXIES: '127.0.0.1/32',
      DATA_DIR: temporaryFolder(),
    };
    const first = await startServerProcess(t, env);
    assert.equal(first.url, `unix:${path}`);
    assert.equal(statSync(path).mode & 0o777, 0o660);
    const remaining = async (visitor: string) => (await get(path, visitor)).headers['ratelimit-remaining'];
    assert.deepEqual(
      [await remaining('192.0.2.1'), await remaining('192.0.2.1'), await remaining('192.0.2.2')],
      ['59', '58', '59'],
    );
    const second = startProcess(t, 'server/main.ts', env);
    assert.equal(await second.exit, 1);
    assert.match(
      second.stderr(),
      /aval\.sock cannot be listened on \(EADDRINUSE\): .*stop what listens there/,
    );
    first.child.kill('SIGKILL');
    await first.exit;
    await startServerProcess(t, env);
    assert.equal((await get(path, '192.0.2.1')).status, 200);
  });
});
