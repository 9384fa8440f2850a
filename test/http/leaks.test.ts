import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { MailError } from '../../server/mail/mailer.ts';
import { createSmtpMailer } from '../../server/mail/smtp.ts';
import { startAdmin } from '../../server/run/admin.ts';
import { ROOT } from '../support/folder.ts';
import { startSmtp } from '../support/smtp-server.ts';

describe('what leaves the process', { timeout: 240_000 }, () => {
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
      createSmtpMailer({ url: `smtp://ana:geheim@${host}:${port}`, timeoutMs: 60_000, plain }).verify();
    // 0.0.0.0 reaches this machine and is no loopback address.
    await assert.rejects(
      verify('0.0.0.0', false),
      error => error instanceof MailError && error.code === 'ETLS',
    );
    assert.deepEqual(offered, []);
    await verify('0.0.0.0', true);
    await verify('127.0.0.1', false);
    assert.deepEqual(offered, ['ana', 'ana']);
  });

  it('is nothing for a page that gives the admin port a name of its own', async t => {
    const health = { follow: () => {}, started: () => {}, report: async () => ({ ready: true, parts: [] }) };
    const metrics = {
      follow: () => {},
      answered: () => {},
      text: async () => 'aval_up 1',
      contentType: 'text/plain',
    };
    const admin = await startAdmin({ host: '127.0.0.1', port: 0, health, metrics });
    t.after(admin.close);
    const statusFor = (host: string) =>
      new Promise(resolve => {
        request(`${admin.url}/metrics`, { headers: { host } }, response => {
          resolve(response.resume().statusCode);
        }).end();
      });
    for (const host of [
      'evil.example:9090',
      'evil.example',
      'internal.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      assert.equal(await statusFor(host), 403, host);
    }
    for (const host of [
      '127.0.0.1:9090',
      '[::1]:9090',
      'aval-1:9090',
      'localhost',
      'aval.ns.svc',
      '10.0.0.7',
    ]) {
      assert.equal(await statusFor(host), 200, host);
    }
  });
});

describe('the table of bounds', () => {
  it('names files and tests that are there', () => {
    const [, table = ''] = readFileSync(`${ROOT}SECURITY.md`, 'utf8').split('## Bounds');
    const rows = [...table.matchAll(/^\| \[[^|]+\]\(([^)]+)\) \| \[[^|]+\]\((test\/[^)]+)\)[^|]* \|$/gm)];
    assert.ok(rows.length >= 20);
    for (const [, place = '', test = ''] of rows) {
      assert.ok(existsSync(`${ROOT}${place}`), place);
      assert.ok(existsSync(`${ROOT}${test}`), test);
    }
  });
});
