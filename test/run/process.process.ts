import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SERVICE } from '../../tools/service-facts.ts';
import { temporaryFolder } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { startProcess, startServerProcess } from '../support/server-process.ts';
import { EXAMPLE, post } from '../support/support.ts';

const isAnswered = (url: string) =>
  fetch(url).then(
    response => response.arrayBuffer().then(() => true),
    () => false,
  );

describe('the server process', { timeout: 600_000 }, () => {
  it('logs JSON lines: one when it listens and one a request, without question or address', async t => {
    const service = await startServerProcess(t, {
      TRUSTED_HOPS: '1',
      BASE_URL: 'https://norteclaro.example',
    });
    const { url } = service;
    const headers = { 'x-forwarded-for': '198.51.100.77', 'user-agent': 'secret-agent' };
    await fetch(`${url}/ask?q=secretquestion`, { headers });
    await post(`${url}/ask`, { query: 'secretquestion' }, headers);
    await fetch(`${url}/secretquestion`, { headers });
    service.child.kill('SIGTERM');
    assert.deepEqual([await service.exit, service.stdout()], [0, '']);
    const lines = service.stderr().trimEnd().split('\n');
    const log = lines.map(line => JSON.parse(line));
    assert.equal(log.find(({ event }) => event === 'listening').version, SERVICE.version);
    assert.deepEqual(new Set(log.map(({ site }) => site)), new Set(['norteclaro.example']));
    const requests = log.filter(({ event }) => event === 'request');
    const told = requests.map(({ method, route, status }) => `${method} ${route} ${status}`);
    assert.deepEqual(told, ['GET /ask 200', 'POST /ask 200', 'GET none 404']);
    for (const { time, ms } of requests) assert.ok(!Number.isNaN(Date.parse(time)) && ms >= 0);
    assert.doesNotMatch(service.stderr(), /secret|198\.51/);
    assert.equal(new Set(requests.map(({ client }) => client)).size, 1, 'clients can be told apart');
  });

  it('finishes the request under way on SIGTERM, takes no new one, and ends with 0', async t => {
    const { child, url, wrote, exit, stderr } = await startServerProcess(t, {});
    const { hostname, port } = new URL(url);
    const socket = createConnection(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8').on('data', text => {
      received += text;
    });
    const head = `POST /ask HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 18\r\n`;
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
    await once(socket, 'data');
    child.kill('SIGTERM');
    await wrote(/"event":"stopping"/);
    // Its port is closed a moment after that line.
    while (await isAnswered(`${url}/api/v1/status`));
    socket.write('{"query":"precio"}');
    await once(socket, 'close');
    assert.match(received, /HTTP\/1\.1 200 OK/);
    assert.equal(await exit, 0);
    assert.match(
      stderr(),
      /"event":"stopping".*\n(?:.*"event":"request".*\n)*.*"event":"request".*"route":"\/ask".*\n.*"event":"stopped".*\n$/,
    );
  });

  it('ends with 0 at a signal while it reads claims', async t => {
    const BRAND_FILE = join(temporaryFolder(), 'brand.json');
    const { signatures: _, ...example } = EXAMPLE;
    const claims = Array.from({ length: 300 }, (_, index) => {
      const claim = EXAMPLE.claims[index % EXAMPLE.claims.length];
      return { ...claim, claim_id: `${claim.claim_id}-${index}`, statement: `(${index}) ${claim.statement}` };
    });
    await writeFile(BRAND_FILE, JSON.stringify({ ...example, questions: undefined, claims }));
    const { child, exit, wrote } = startProcess(t, 'server/main.ts', { BRAND_FILE, PORT: '0' });
    await wrote(/"event":"brand"/);
    child.kill('SIGTERM');
    assert.equal(await exit, 0);
  });
});

describe('a start that fails', { timeout: 600_000 }, () => {
  it('names the profile that cannot be used, and what is wrong with it', async t => {
    const BRAND_FILE = join(temporaryFolder(), 'brand.json');
    await writeFile(BRAND_FILE, '{"claims": [');
    for (const file of [BRAND_FILE, '/nowhere/brand.json']) {
      const { exit, stderr } = startProcess(t, 'server/main.ts', { BRAND_FILE: file });
      assert.equal(await exit, 1);
      assert.ok(stderr().includes(file), stderr());
    }
  });

  it('says that the port is taken, and names another', async t => {
    const port = Number(new URL(await serve(t, () => {})).port);
    for (const name of ['PORT', 'ADMIN_PORT']) {
      const { exit, stdout, stderr } = startProcess(t, 'server/main.ts', { [name]: String(port) });
      assert.deepEqual([await exit, stdout()], [1, '']);
      for (const words of [`${name}: 127.0.0.1:${port} is in use`, 'another port'])
        assert.ok(stderr().includes(words), stderr());
      assert.doesNotMatch(stderr(), /\n +at |UnhandledPromise|node:internal/);
    }
  });
});
