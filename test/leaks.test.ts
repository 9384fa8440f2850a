// contract: 3.6, 6.1
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { IncomingMessage, request } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { readConfig } from '../server/config/config.ts';
import { createGate } from '../server/http/origin.ts';
import { MailError } from '../server/mail/mailer.ts';
import { createSmtpMailer } from '../server/mail/smtp.ts';
import { startAdmin } from '../server/run/admin.ts';
import { startSmtp } from './smtp-server.ts';
import { DIAGNOSTIC, startForms } from './submission-support.ts';
import { exchange, ROOT, startApp } from './support.ts';

describe('what leaves the process', { timeout: 60_000 }, () => {
  it('is an address as a browser reads it: PRIVACY_URL is normalised, and refused with a backslash', () => {
    const { privacyUrl } = readConfig({ PRIVACY_URL: 'https://acme.example/gracias €' }).forms;
    assert.equal(privacyUrl, 'https://acme.example/gracias%20%E2%82%AC');
    for (const url of [
      'https://acme.example\\\\@evil.example',
      'https://acme.example/\u0007',
      'https://a:b@acme.example/',
    ]) {
      assert.throws(() => readConfig({ PRIVACY_URL: url }), /PRIVACY_URL: must/);
    }
  });

  it('is no password in clear: a server without STARTTLS gets none, unless that is set', async t => {
    const offered: unknown[] = [];
    const smtp = await startSmtp(t, {
      onAuth({ username }, _session, done) {
        offered.push(username);
        done(null, { user: username });
      },
      allowInsecureAuth: true,
    });
    const { port } = new URL(smtp.url);
    const verify = (host: string, plain: boolean) =>
      createSmtpMailer({ url: `smtp://ana:geheim@${host}:${port}`, timeoutMs: 5000, plain }).verify();
    // 0.0.0.0 reaches this machine and is no loopback address.
    await assert.rejects(verify('0.0.0.0', false), error => error instanceof MailError && error.code === 'ETLS');
    assert.deepEqual(offered, []);
    await verify('0.0.0.0', true);
    await verify('127.0.0.1', false);
    assert.deepEqual(offered, ['ana', 'ana']);
  });

  it('is the reference of a submission, even where its answer cannot be written, and the log has the true status', async t => {
    const { url, lines, kept, form } = await startForms(t);
    const entries = Object.entries;
    t.mock.method(Object, 'entries', (value: object) => {
      if ('location' in value) throw new TypeError('no header');
      return entries(value);
    });
    const sent = await form(DIAGNOSTIC, { accept: 'text/html' });
    t.mock.restoreAll();
    assert.equal(sent.status, 200);
    assert.match(await sent.text(), /Referencia: [A-Z]{4}-\d{4}/);
    assert.equal(await kept(), 1);
    const said = lines.filter(({ event, route }) => event === 'request' && route === '/api/v1/contact');
    assert.deepEqual(
      said.map(({ status }) => status),
      [200],
    );
    assert.ok(lines.some(({ event }) => event === 'unforeseen'));
    assert.ok(url);
  });

  it('is nothing for a page that gives the admin port a name of its own', async t => {
    const health = { follow: () => {}, report: async () => ({ ready: true, parts: [] }) };
    const metrics = { follow: () => {}, answered: () => {}, text: async () => 'aval_up 1', contentType: 'text/plain' };
    const admin = await startAdmin({ host: '127.0.0.1', port: 0, health, metrics });
    t.after(admin.close);
    const statusFor = (host: string) =>
      new Promise(resolve => {
        request(`${admin.url}/metrics`, { headers: { host } }, response => {
          resolve(response.resume().statusCode);
        }).end();
      });
    for (const host of ['evil.example:9090', 'evil.example', 'internal.evil.example', '127.0.0.1.evil.example']) {
      assert.equal(await statusFor(host), 403, host);
    }
    for (const host of ['127.0.0.1:9090', '[::1]:9090', 'aval-1:9090', 'localhost', 'aval.ns.svc', '10.0.0.7']) {
      assert.equal(await statusFor(host), 200, host);
    }
  });

  it('is served to every host name where nobody knows the public one, and else to the own and to loopback names', () => {
    const gate = (anyHost: boolean) =>
      createGate({ baseUrl: 'https://acme.example', allowedOrigins: [], isLocal: false, anyHost });
    const asked = (host: string) => Object.assign(new IncomingMessage(new Socket()), { headers: { host } });
    for (const host of ['acme.example', '127.0.0.1:8787', 'localhost']) gate(false).refuseForeign(asked(host));
    assert.throws(() => gate(false).refuseForeign(asked('aval:21115')), /may not use the endpoint/);
    gate(true).refuseForeign(asked('aval:21115'));
  });

  it('is nothing in production for a page of the visitor’s own machine', async t => {
    const local = createGate({ baseUrl: 'https://acme.example', allowedOrigins: [], isLocal: true });
    const production = createGate({ baseUrl: 'https://acme.example', allowedOrigins: [], isLocal: false });
    assert.ok(local.allowsOrigin('http://localhost:3000'));
    assert.ok(!production.allowsOrigin('http://localhost:3000'));
    assert.ok(production.allowsOrigin('https://acme.example'));
    assert.ok(
      createGate({ baseUrl: 'http://127.0.0.1:8787', allowedOrigins: [], isLocal: false }).allowsOrigin(
        'http://localhost:3000',
      ),
    );
    const statusIn = async (mode: string) => {
      const env = { NODE_ENV: mode, BASE_URL: 'https://acme.example', BRAND_FILE: `${ROOT}examples/brand.json` };
      const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@acme.example', MAIL_TO: 'b@acme.example' };
      const { url } = await startApp(t, { env: { ...env, ...mail } });
      const head = 'POST /mcp HTTP/1.1\r\nHost: acme.example\r\nContent-Length: 0\r\nConnection: close\r\n';
      return /^HTTP\/1\.1 (\d+)/.exec(await exchange(url, [`${head}Origin: http://localhost:3000\r\n\r\n`]))?.[1];
    };
    assert.deepEqual([await statusIn('development'), await statusIn('production')], ['400', '403']);
  });

  it('is no image with keys and settings in it', () => {
    const ignored = readFileSync(`${ROOT}.dockerignore`, 'utf8').split('\n');
    for (const pattern of ['**/.env*', '**/*.key.json', '**/*.pem', '**/*.db*']) assert.ok(ignored.includes(pattern));
  });
});

describe('the table of bounds', () => {
  it('names files and tests that are there', () => {
    const [, table = ''] = readFileSync(`${ROOT}docs/operations.md`, 'utf8').split('### Bounds');
    const rows = [...table.matchAll(/^\| \[[^|]+\]\(\.\.\/([^)]+)\) \| \[[^|]+\]\(\.\.\/(test\/[^)]+)\)[^|]* \|$/gm)];
    assert.ok(rows.length >= 20);
    for (const [, place = '', test = ''] of rows) {
      assert.ok(existsSync(`${ROOT}${place}`), place);
      assert.ok(existsSync(`${ROOT}${test}`), test);
    }
  });
});
