import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { MailError } from '../../server/mail/mailer.ts';
import { createSmtpMailer } from '../../server/mail/smtp.ts';
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
