import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DOCUMENTS } from '../../discovery/index.ts';
import { formRoutesOf, routesOf, STATUS_PATH } from '../../rest/routes.ts';
import { TOOLS } from '../../tools/index.ts';
import { receive } from '../http/receive.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { nginxArguments, shippedSite } from '../support/nginx.ts';
import { startApp } from '../support/support.ts';

const SITE_OFF = 'home,robots,sitemap,security';

interface Proxy {
  readonly name: string;
  readonly binary: string | undefined;
  readonly start: (folder: string, port: number, upstream: string) => readonly string[];
}

const first = (...paths: readonly string[]) => paths.find(path => existsSync(path));

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    binary: first('/usr/sbin/nginx', '/usr/bin/nginx'),
    start(folder, port, upstream) {
      const servers = readFileSync(`${ROOT}examples/proxy/nginx.conf`, 'utf8')
        .replaceAll('listen 80', `listen 127.0.0.1:${port}`)
        .replaceAll('http://127.0.0.1:8787', upstream)
        .replaceAll('/var/www/html', `${folder}/www`);
      return nginxArguments(folder, servers);
    },
  },
  {
    name: 'Caddy',
    binary: first('/usr/bin/caddy', '/usr/local/bin/caddy'),
    start(folder, port, upstream) {
      const sites = readFileSync(`${ROOT}examples/proxy/Caddyfile`, 'utf8')
        .replaceAll('api.acme.example {', `http://api.acme.example:${port} {`)
        .replaceAll('www.acme.example {', `http://www.acme.example:${port} {`)
        .replaceAll('127.0.0.1:8787', upstream.slice('http://'.length))
        .replaceAll('/var/www/html', `${folder}/www`);
      writeFileSync(`${folder}/Caddyfile`, `{\n\tadmin off\n}\n${sites}`);
      return ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'];
    },
  },
];

async function startProxy(t: TestContext, { binary = '', start }: Proxy) {
  const env = { BASE_URL: 'http://www.acme.example', PUBLISH_OFF: SITE_OFF, TRUSTED_PROXIES: '127.0.0.1/32' };
  const { url } = await startApp(t, { env });
  const folder = temporaryFolder();
  mkdirSync(`${folder}/www`);
  writeFileSync(`${folder}/www/index.html`, 'the site');
  const port = await freePort();
  const child = spawn(binary, start(folder, port, url), {
    stdio: 'ignore',
    env: { HOME: folder, PATH: '/usr/bin' },
  });
  t.after(() => child.kill());
  const get = (host: string, path: string) =>
    receive(`http://127.0.0.1:${port}${path}`, { headers: { host: `${host}:${port}` } });
  while (!(await get('api.acme.example', STATUS_PATH).catch(() => undefined))) await setTimeout(100);
  return get;
}

for (const proxy of PROXIES) {
  const skip = proxy.binary
    ? false
    : `${proxy.name} is not installed: apt-get install ${proxy.name.toLowerCase()}`;
  describe(`examples/proxy behind ${proxy.name}`, { skip }, () => {
    it('hands a subdomain to Aval whole', async t => {
      const at = await startProxy(t, proxy);
      assert.equal(JSON.parse((await at('api.acme.example', '/ask?q=precio')).text).brand, 'Norte Claro');
      assert.equal((await at('api.acme.example', '/no/such/path')).status, 404);
    });

    it('hands every path of Aval on the same host to Aval, and all others to the site', async t => {
      const at = await startProxy(t, proxy);
      const own = DOCUMENTS.filter(
        ({ feature, needs = [] }) =>
          !SITE_OFF.split(',').includes(feature ?? '') &&
          !needs.some(need => need !== 'profile' && need !== 'jwks'),
      );
      const paths = [
        ...own.flatMap(({ path, aliases = [] }) => [path, ...aliases]),
        ...[...routesOf(TOOLS), ...formRoutesOf(TOOLS)].flatMap(({ path, aliases }) => [path, ...aliases]),
        ...[STATUS_PATH, '/mcp', '/a2a'],
      ];
      // The site has an icon of its own there.
      for (const path of paths.filter(name => name !== '/favicon.ico')) {
        const { headers } = await at('www.acme.example', path);
        assert.equal(headers.get('api-version'), '1', path);
      }
      assert.equal((await at('www.acme.example', '/')).text, 'the site');
    });
  });
}

const NGINX = PROXIES[0]?.binary;

/** Lets a test come from any address. */
const REAL_ADDRESS = 'set_real_ip_from 127.0.0.0/8; real_ip_header X-Address;';

/** nginx with the file that is shipped for it; only addresses are others. */
async function startNginx(t: TestContext, upstreams: readonly string[]) {
  const folder = temporaryFolder();
  const port = await freePort();
  const servers = upstreams.map(url => `  server ${new URL(url).host} max_fails=0;\n`).join('');
  const site = shippedSite(`127.0.0.1:${port}`, () => servers).replace('Host $host', 'Host 127.0.0.1');
  const http = `gzip on; gzip_proxied any; ${REAL_ADDRESS}\n${site}`;
  const child = spawn(NGINX ?? '', nginxArguments(folder, http), { stdio: 'ignore' });
  t.after(() => child.kill());
  const from = (localAddress: string) => statusFrom(port, localAddress);
  while ((await from('127.0.0.9').catch(() => undefined))?.status !== 200) await setTimeout(50);
  return { port, from };
}

describe('deploy/nginx.conf', { skip: !NGINX && 'nginx is not installed: apt-get install nginx' }, () => {
  const env = { BASE_URL: 'http://127.0.0.1', TRUSTED_PROXIES: '127.0.0.1/32' };

  it('leaves a page uncompressed where a visitor’s words stand beside a hidden key', async t => {
    const { url } = await startApp(t, { env });
    const { port } = await startNginx(t, [url]);
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
    const codingOf = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).headers.get('content-encoding');
    assert.equal(await codingOf('/forms/diagnostic?context=precioxyz'), null);
    assert.equal(await codingOf('/claims'), 'gzip');
  });

  it('lets a client have the 60 requests of a minute once, with two instances', async t => {
    const [one, other] = [await startApp(t, { env }), await startApp(t, { env })];
    const { from } = await startNginx(t, [one.url, other.url]);
    for (const address of ['127.0.2.1', '127.0.2.2', '127.0.2.3']) {
      const statuses = [];
      for (let sent = 0; sent < 65; sent += 1) statuses.push((await from(address)).status);
      assert.equal(statuses.filter(status => status === 200).length, 60, address);
    }
  });

  it('passes all that the limits allow, refuses a flood of one address or IPv6 /48 or fifty held requests, and serves the others', async t => {
    const { url } = await startApp(t, { env });
    const { port, from } = await startNginx(t, [url]);
    const fromIpv6 = (address: string) => statusFrom(port, '127.0.1.4', { 'x-address': address });

    const allowed = await Promise.all(Array.from({ length: 45 }, () => from('127.0.1.1')));
    assert.ok(allowed.every(({ status }) => status === 200));
    const flooded = await flood(() => from('127.0.1.1'));
    assert.ok(
      flooded.some(({ status, isOurs }) => status === 429 && isOurs),
      'the contract refuses first',
    );
    assert.ok(flooded.some(isRefusedByNginx), 'nginx refuses the flood');

    const network = await flood(turn => fromIpv6(`2001:db8:77:${turn}::1`));
    assert.ok(network.some(isRefusedByNginx), 'a /48 is one client');
    assert.deepEqual(await fromIpv6('2001:db8:78::1'), { status: 200, isOurs: true });
    const held = Array.from({ length: 50 }, () => {
      const socket = createConnection({ port, host: '127.0.0.1', localAddress: '127.0.1.2' }).on(
        'error',
        () => {},
      );
      socket.write('POST /ask HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
      return socket;
    });
    t.after(() => held.map(socket => socket.destroy()));
    while ((await from('127.0.1.2')).isOurs) await setTimeout(20);
    assert.deepEqual(await from('127.0.1.2'), { status: 429, isOurs: false });
    assert.deepEqual(await from('127.0.1.3'), { status: 200, isOurs: true });
  });
});

interface Seen {
  readonly status: number;
  /** The server's own answer, not the proxy's. */
  readonly isOurs: boolean;
}

const isRefusedByNginx = ({ status, isOurs }: Seen) => status === 429 && !isOurs;

/** Requests, 45 at a time, until nginx refuses some: a slow machine needs more of them. */
async function flood(send: (turn: number) => Promise<Seen>): Promise<Seen[]> {
  const all: Seen[] = [];
  while (all.length < 4500 && !all.slice(-45).some(isRefusedByNginx))
    all.push(...(await Promise.all(Array.from({ length: 45 }, (_, index) => send(all.length + index)))));
  return all;
}

/** The status that an address gets, and whether it is the server's own. */
async function statusFrom(port: number, localAddress: string, headers = {}): Promise<Seen> {
  const answer = await receive(`http://127.0.0.1:${port}${STATUS_PATH}`, { localAddress, headers });
  return { status: answer.status, isOurs: answer.headers.get('api-version') === '1' };
}
