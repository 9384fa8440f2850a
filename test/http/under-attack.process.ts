import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../support/folder.ts';
import { startProcess, startServerProcess } from '../support/server-process.ts';

/** A real server, and a well-behaved client of another address that asks while `attack` runs: all its requests must be answered. */
async function besiege(t: TestContext, attack: (url: URL) => Promise<void>) {
  const service = await startServerProcess(t, { DATA_DIR: temporaryFolder(), LIMITS: 'default=1000000/60' });
  const { url } = service;
  let isOver = false;
  const bystander = async () => {
    while (!isOver) {
      const response = await fetch(`${url}/ask?q=precio`);
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
}

/** A socket of 127.0.0.2, another client than the bystander's 127.0.0.1; what it is sent stays unread unless asked for. */
function attacker(t: TestContext, url: URL, bytes: string): Socket {
  const socket = createConnection({ host: url.hostname, port: Number(url.port), localAddress: '127.0.0.2' });
  socket.on('error', () => {}).write(bytes);
  t.after(() => socket.destroy());
  return socket;
}

const closed = (socket: Socket) =>
  socket.destroyed ? undefined : new Promise<void>(resolve => socket.once('close', () => resolve()));

const GET_OPENAPI = 'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

describe('one address cannot stop the server for others', { timeout: 600_000 }, () => {
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

  it('by asking and never reading', async t => {
    await besiege(t, async url => {
      const sockets = Array.from({ length: 150 }, () => attacker(t, url, GET_OPENAPI.repeat(100)).pause());
      await Promise.all(sockets.map(socket => once(socket, 'connect')));
      const patient = await fetch(`${url.origin}/openapi.json`);
      assert.equal(patient.status, 200);
      assert.ok((await patient.text()).endsWith('}\n'));
    });
  });
});

describe('SIGHUP', { timeout: 600_000 }, () => {
  it('does not end a server that starts by npm start or by aval serve, nor while it stops; a start reloads after it', async t => {
    const command = startProcess(t, 'server/cli.ts', { DATA_DIR: temporaryFolder() }, ['serve']);
    await command.wrote(/"event":"brand"/);
    command.child.kill('SIGHUP');
    await command.wrote(/"event":"listening"/);
    await command.wrote(/"event":"reload","digest"/);
    const service = startProcess(t, 'server/main.ts', { DATA_DIR: temporaryFolder() });
    // Node itself needs a moment until any program of its could listen to a signal: the log's first line is ours.
    await service.wrote(/"event":"brand"/);
    service.child.kill('SIGHUP');
    const [, url = ''] = await service.wrote(/"event":"listening","url":"([^"]+)"/);
    const { hostname, port } = new URL(url);
    const held = createConnection(Number(port), hostname).on('error', () => {});
    held.write(
      `POST /ask HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
    );
    await once(held, 'data');
    service.child.kill('SIGTERM');
    await service.wrote(/"event":"stopping"/);
    service.child.kill('SIGHUP');
    held.destroy();
    assert.equal(await service.exit, 0);
  });
});

describe('a server whose connections are all taken', { timeout: 600_000 }, () => {
  it('says so in its log, and stays ready', async t => {
    const service = await startServerProcess(t, { DATA_DIR: temporaryFolder(), ADMIN_PORT: '0' });
    const admin = await service.admin();
    const { hostname: host, port } = new URL(service.url);
    const held = new Set<Socket>();
    let isOver = false;
    // The server ends what says nothing for ten seconds. On a slow machine the first goes before the last has come.
    const hold = (localAddress: string) => {
      const socket = createConnection({ host, port: Number(port), localAddress }).on('error', () => {});
      held.add(
        socket.once('close', async () => {
          held.delete(socket);
          await setTimeout(100);
          if (!isOver) hold(localAddress);
        }),
      );
    };
    for (let index = 0; index < 2001; index += 1) hold(`127.0.9.${1 + Math.floor(index / 190)}`);
    t.after(() => {
      isOver = true;
      for (const socket of held) socket.destroy();
    });
    await service.wrote(/"event":"connections","effect":"all are taken, and further ones are closed"/);
    assert.equal((await fetch(`${admin}/readyz`)).status, 200);
  });
});
