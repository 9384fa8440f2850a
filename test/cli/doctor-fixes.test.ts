import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mail, webhook } from '../../server/cli/examine-network.ts';
import { readConfig } from '../../server/config/config.ts';
import { freePort } from '../support/free-port.ts';
import { mailgunSettings, startMailgunDouble } from '../support/mailgun-double.ts';
import { serve } from '../support/serve.ts';
import { startSmtp } from '../support/smtp-server.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const hookAt = (WEBHOOK_URL: string) => readConfig({ WEBHOOK_URL, WEBHOOK_SECRET: SECRET });

describe('aval doctor', () => {
  it('names the EU region where Mailgun knows neither key nor domain', async t => {
    const double = await startMailgunDouble(t);
    for (const [status, body] of [[401], [404, '{"message":"Domain not found: x"}']] as const) {
      double.behave([{ kind: 'status', status, ...(body && { body }) }]);
      const asked = mail(readConfig(mailgunSettings(double)));
      await assert.rejects(asked, /MAILGUN_URL=https:\/\/api\.eu\.mailgun\.net/, `${status}`);
    }
  });

  it('says which scheme a port takes that begins without TLS, and that a host is not there', async t => {
    const { url } = await startSmtp(t);
    const settings = { MAIL_FROM: 'a@acme.example', MAIL_TO: 'b@acme.example' };
    const asked = (SMTP_URL: string) => mail(readConfig({ ...settings, SMTP_URL }));
    await assert.rejects(asked(url.replace('smtp:', 'smtps:')), /begins without TLS: use smtp:\/\//);
    await assert.rejects(asked('smtp://mail.invalid:25'), /there is no such host/);
    await assert.rejects(asked(`smtp://127.0.0.1:${await freePort()}`), /nothing listens there/);
    assert.match(String(await asked(url)), /answers; SMTP_URL has no user and password/);
  });

  it('says what to do about a certificate, a login and an account', async t => {
    const settings = { MAIL_FROM: 'a@acme.example', MAIL_TO: 'b@acme.example' };
    const asked = (SMTP_URL: string) => mail(readConfig({ ...settings, SMTP_URL }));
    const selfSigned = await startSmtp(t, { secure: true });
    await assert.rejects(
      asked(selfSigned.url.replace('smtp:', 'smtps:')),
      /certificate .*NODE_EXTRA_CA_CERTS/,
    );
    const refusing = await startSmtp(t, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('no')),
    });
    await assert.rejects(asked(refusing.url.replace('//', '//u:p@')), /user and password .*app password/);
    const double = await startMailgunDouble(t);
    double.behave([{ kind: 'status', status: 402 }]);
    await assert.rejects(mail(readConfig(mailgunSettings(double))), /log in to Mailgun/);
  });
});

describe('aval doctor --webhook', () => {
  it('sends a test, and says what came back and what to change', async t => {
    let status = 200;
    const types: string[] = [];
    const url = await serve(t, (request, response) => {
      request.on('data', data => types.push(JSON.parse(String(data)).type));
      request.on('end', () => response.writeHead(status, { location: '/' }).end());
    });
    assert.match(String(await webhook(hookAt(url))), /took the test/);
    for (const [answer, words] of [
      [301, /redirects are not followed/],
      [401, /the same WEBHOOK_SECRET/],
      [404, /at this path/],
    ] as const) {
      status = answer;
      await assert.rejects(webhook(hookAt(url)), words);
    }
    assert.deepEqual(new Set(types), new Set(['test']));
    await assert.rejects(webhook(hookAt(`http://127.0.0.1:${await freePort()}`)), /check host, port/);
    await assert.rejects(webhook(readConfig({})), /set WEBHOOK_URL/);
  });
});
