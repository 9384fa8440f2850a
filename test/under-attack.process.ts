import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { startServerProcess, temporaryDirectory } from './server-process.ts';

const NO_LIMIT = { LIMIT_DEFAULT: '1000000/60' };

/** A real server, and a well-behaved client of another address that asks while `attack` runs: all its requests must be answered. */
async function besiege(t: TestContext, attack: (url: URL) => Promise<void>, env: Record<string, string> = NO_LIMIT) {
  const service = await startServerProcess(t, { DATA_DIR: temporaryDirectory(), ...env });
  const asks = env === NO_LIMIT ? '/ask?q=precio' : '/llms.txt';
  const { url } = service;
  let isOver = false;
  const bystander = async () => {
    while (!isOver) {
      const response = await fetch(url + asks);
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }
  };
  const asking = bystander();
  try {
    await Promise.race([attack(new URL(url)), asking]);
  } finally {
    isOver = true;
  }
  await asking;
  assert.equal(service.child.exitCode, null, service.stderr());
  return service;
}

/** A socket of 127.0.0.2, another client than the bystander's 127.0.0.1; what it is sent stays unread unless asked for. */
function attacker(t: TestContext, url: URL, bytes: string): Socket {
  const socket = createConnection({ host: url.hostname, port: Number(url.port), localAddress: '127.0.0.2' });
  socket.on('error', () => {}).write(bytes);
  t.after(() => socket.destroy());
  return socket;
}

const closed = (socket: Socket) => (socket.destroyed ? undefined : once(socket, 'close'));

const GET_OPENAPI = 'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

describe('one address cannot stop the server for others', { timeout: 120_000 }, () => {
  it('by resetting a CONNECT, or by closing it with the answer unread', async t => {
    await besiege(t, async url => {
      for (let i = 0; i < 20; i += 1) {
        const socket = attacker(t, url, 'CONNECT a:1 HTTP/1.1\r\n\r\n');
        if (i % 4 !== 0) await once(socket, 'readable');
        if (i % 2) socket.resetAndDestroy();
        else socket.destroy();
        await closed(socket);
      }
    });
  });

  it('by opening more connections than a client needs', async t => {
    const { wrote } = await besiege(t, async url => {
      const sockets = Array.from({ length: 260 }, () => attacker(t, url, ''));
      let over = 0;
      await new Promise<void>(resolve => {
        for (const socket of sockets) {
          socket.once('close', () => {
            over += 1;
            if (over === 60) resolve();
          });
        }
      });
      assert.equal(sockets.filter(socket => !socket.destroyed).length, 200);
    });
    await wrote(/"event":"connections".*TRUSTED_PROXIES/);
  });

  it('by pipelining: eight requests are answered, then the connection ends', async t => {
    await besiege(t, async url => {
      const flood = Array.from({ length: 20 }, async () => {
        const socket = attacker(t, url, 'GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000));
        let received = '';
        socket.on('data', data => {
          received += data.toString('latin1');
        });
        await closed(socket);
        assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 8);
      });
      await Promise.all(flood);
    });
  });

  it('by asking on after 429: the third refusal in a row is the last but one of its connection', async t => {
    const attack = async (url: URL) => {
      const line = 'GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
      const socket = attacker(t, url, line).setEncoding('latin1');
      const statuses: string[] = [];
      socket.on('data', (data: string) => {
        statuses.push(/HTTP\/1\.1 (\d+)/.exec(data)?.[1] ?? '');
        if (!/connection: close/i.test(data)) socket.write(line);
      });
      await closed(socket);
      assert.deepEqual(statuses, [...Array(60).fill('200'), ...Array(4).fill('429')]);
    };
    await besiege(t, attack, { LIMIT_DEFAULT: '60/60' });
  });

  it('by asking and never reading', async t => {
    await besiege(t, async url => {
      const sockets = Array.from({ length: 150 }, () => attacker(t, url, GET_OPENAPI.repeat(100)).pause());
      await Promise.all(sockets.map(socket => once(socket, 'connect')));
      const patient = await fetch(`${url.origin}/openapi.json`);
      assert.equal(patient.status, 200);
      assert.ok((await patient.text()).endsWith('}\n'));
    });
  });

  it('and the log may lose its reader', async t => {
    const service = await startServerProcess(t, { DATA_DIR: temporaryDirectory(), ...NO_LIMIT });
    service.child.stderr.destroy();
    for (let i = 0; i < 20; i += 1) {
      assert.equal((await fetch(`${service.url}/ask?q=precio${i}`)).status, 200);
      await new Promise(resolve => setTimeout(resolve, 60)); // the log is written every 50 ms
    }
  });
});
