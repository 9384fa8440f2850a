import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { SERVICE } from '../tools/service-facts.ts';
import { type Child, type Ended, runChild, startChild } from './child.ts';
import { temporaryFolder } from './folder.ts';
import { post } from './support.ts';

/** A server in a process of its own, once it listens. */
async function startProcess(t: TestContext, env: Record<string, string> = {}) {
  const child = startChild(t, ['server/main.ts'], { PORT: '0', ...env });
  const line = JSON.parse(await child.until('stderr', /\{[^\n]*"event":"listening"[^\n]*(?=\n)/));
  return { child, url: String(line.url) };
}

/** Every line of the log, each of which is JSON. */
const logOf = ({ stderr }: Pick<Ended, 'stderr'>) =>
  stderr
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

async function stopped(child: Child): Promise<Ended> {
  child.process.kill('SIGTERM');
  return child.ended;
}

async function fileWith(content: string): Promise<string> {
  const directory = temporaryFolder();
  await writeFile(join(directory, 'brand.json'), content);
  return join(directory, 'brand.json');
}

/** The process ends with 1, one message for people on standard error, and nothing on standard output. */
async function assertRefusesToStart(t: TestContext, env: Record<string, string>, ...messages: (RegExp | string)[]) {
  const { code, stdout, stderr } = await runChild(t, ['server/main.ts'], { PORT: '0', ...env });
  assert.deepEqual([code, stdout], [1, ''], stderr);
  for (const message of messages) {
    assert.ok(typeof message === 'string' ? stderr.includes(message) : message.test(stderr), `${message} in ${stderr}`);
  }
  assert.doesNotMatch(stderr, /\n +at |UnhandledPromise|node:internal/);
}

describe('the server process', { timeout: 300_000 }, () => {
  it('logs JSON lines: one when it listens and one a request, without question or address', async t => {
    const { child, url } = await startProcess(t, { TRUSTED_HOPS: '1', BASE_URL: 'https://norteclaro.example' });
    const headers = { 'x-forwarded-for': '198.51.100.77', 'user-agent': 'secret-agent' };
    await fetch(`${url}/ask?q=secretquestion`, { headers });
    await post(`${url}/ask`, { query: 'secretquestion' }, headers);
    await fetch(`${url}/secretquestion`, { headers });
    const { code, stderr, stdout } = await stopped(child);
    assert.deepEqual([code, stdout], [0, '']);
    const log = logOf({ stderr });
    const versions = log.filter(({ event }) => event === 'listening').map(({ version }) => version);
    assert.deepEqual(versions, [SERVICE.version]);
    assert.deepEqual(new Set(log.map(({ site }) => site)), new Set(['norteclaro.example']));
    const requests = log.filter(({ event }) => event === 'request');
    assert.deepEqual(
      requests.map(({ method, route, status }) => [method, route, status]),
      [
        ['GET', '/ask', 200],
        ['POST', '/ask', 200],
        ['GET', 'none', 404],
      ],
    );
    for (const { time, ms } of requests) assert.ok(!Number.isNaN(Date.parse(time)) && ms >= 0);
    assert.doesNotMatch(stderr, /secret|198\.51/);
    assert.equal(new Set(requests.map(({ client }) => client)).size, 1, 'clients can be told apart');
  });

  it('finishes the request under way on SIGTERM, takes no new one, and ends with 0', async t => {
    const { child, url } = await startProcess(t);
    const { hostname, port } = new URL(url);
    const socket = createConnection(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8').on('data', text => {
      received += text;
    });
    const head = `POST /ask HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 18\r\n`;
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
    await once(socket, 'data');
    child.process.kill('SIGTERM');
    await child.until('stderr', /"event":"stopping"/);
    await assert.rejects(fetch(`${url}/api/v1/status`));
    socket.write('{"query":"precio"}');
    await once(socket, 'close');
    assert.match(received, /HTTP\/1\.1 200 OK/);
    const ended = await child.ended;
    assert.equal(ended.code, 0);
    assert.deepEqual(
      logOf(ended)
        .slice(-3)
        .map(({ event }) => event),
      ['stopping', 'request', 'stopped'],
    );
  });

  it('starts without a usable profile where START_WITHOUT_BRAND=1 allows it: 503 for questions, 200 for status', async t => {
    const BRAND_FILE = await fileWith('{}');
    const { child, url } = await startProcess(t, { START_WITHOUT_BRAND: '1', BRAND_FILE });
    assert.equal((await fetch(`${url}/ask?q=precio`)).status, 503);
    assert.equal((await fetch(`${url}/api/v1/status`)).status, 200);
    const errors = logOf(await stopped(child)).filter(({ level }) => level === 'error');
    assert.equal(errors.length, 1);
    assert.ok(errors[0].fault.includes(BRAND_FILE));
  });
});

describe('a start that fails', { timeout: 300_000 }, () => {
  it('says that the port is taken', async t => {
    const server = createServer();
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = Object(server.address());
    await assertRefusesToStart(
      t,
      { PORT: String(port) },
      /in use/,
      `127.0.0.1:${port}`,
      `another port: PORT=${port + 1}`,
    );
    await assertRefusesToStart(
      t,
      { ADMIN_PORT: String(port) },
      /in use/,
      `ADMIN_PORT: 127.0.0.1:${port}`,
      `another port: ADMIN_PORT=${port + 1}`,
    );
  });
});
