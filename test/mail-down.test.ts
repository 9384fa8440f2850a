// contract: 3.6, 7.1
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { readConfig } from '../server/config/config.ts';
import { teamMail } from '../server/mail/message.ts';
import { createSmtpMailer } from '../server/mail/smtp.ts';
import { openSubmissions } from '../server/outbox/open-submissions.ts';
import { startServer } from '../server/run/start.ts';
import { temporaryFolder } from './folder.ts';
import { callTool, send } from './mcp-messages.ts';
import { createBench, createFakeClock, LETTER, MAIL, mailgunAt, submission, until } from './outbox-support.ts';
import { startSmtp } from './smtp-server.ts';
import { DIAGNOSTIC, PRODUCTION } from './submission-support.ts';
import { bodyOf, exampleBrand, post } from './support.ts';

const POISON = 'La palabra prohibida está aquí.';
const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });
const smtpAt = (url: string) => createSmtpMailer({ url, timeoutMs: 2000, plain: false });
const aMail = () => teamMail({ ...submission(), ...LETTER, received_at: 0 }, MAIL);
const partner = (context: string) => submission({ kind: 'partner', confirms: false }, { context });

/** Defers what has the poison in its text, at the content as providers do. */
const defersPoison = (mails: string[]): SMTPServerOptions => ({
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', chunk => chunks.push(chunk));
    stream.once('end', () => {
      const source = Buffer.concat(chunks).toString();
      const isPoison = source.includes('prohibida');
      if (!isPoison) mails.push(source);
      done(isPoison ? refusal(451) : null);
    });
  },
});

describe('a message that is refused for its content or its recipient', () => {
  it('waits alone: over SMTP others are mailed at once, and a success wakes none of it', async t => {
    const bench = await createBench(t);
    const mails: string[] = [];
    const smtp = await startSmtp(t, defersPoison(mails));
    const outbox = await bench.open({ mailer: smtpAt(smtp.url) });
    for (let sent = 0; sent < 10; sent += 1) assert.equal((await outbox.deliver(partner(POISON))).outcome, 'kept');
    for (let sent = 0; sent < 10; sent += 1) {
      assert.equal((await outbox.deliver(partner('Una pregunta normal.'))).outcome, 'delivered');
    }
    assert.equal(mails.length, 10);
    assert.ok(!bench.log.some(({ event }) => event === 'mail is down' || event === 'mail is back'));
    const due = (await bench.pending()).map(({ due_at }) => Number(due_at) - bench.clock.now());
    assert.deepEqual(due, Array(10).fill(60_000), 'each as it was planned');
  });

  it('waits alone where the recipient is deferred, or the connection breaks after the sender', async t => {
    for (const options of [
      { onRcptTo: (_address: unknown, _session: unknown, done: (error: Error) => void) => done(refusal(450)) },
      { onData: (stream: NodeJS.ReadableStream) => void stream.resume() },
    ]) {
      const smtp = await startSmtp(t, { closeTimeout: 100, ...options });
      await assert.rejects(createSmtpMailer({ url: smtp.url, timeoutMs: 3000, plain: false }).send(aMail()), {
        isDown: false,
      });
    }
  });

  it('waits alone over Mailgun, whose other refusals say that mail is down', async t => {
    const bench = await createBench(t);
    const outbox = await bench.open();
    bench.double.behave([{ kind: 'status', status: 400 }]);
    for (let sent = 0; sent < 7; sent += 1) await outbox.deliver(partner(POISON));
    bench.double.behave([{ kind: 'accept' }]);
    assert.equal((await outbox.deliver(partner('Una pregunta normal.'))).outcome, 'delivered');
    assert.ok(!bench.log.some(({ event }) => event === 'mail is down'));
    await assert.rejects(mailgunAt('http://127.0.0.1:1').send(aMail()), { isDown: true });
  });
});

describe('mail', () => {
  it('is down where the connection, the greeting, the login or the sender fails', async t => {
    const sender = await startSmtp(t, { onMailFrom: (_address, _session, done) => done(refusal(451)) });
    const login = await startSmtp(t, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('no')),
    });
    const greeting = await startSmtp(t, { onConnect: (_session, done) => done(refusal(421)) });
    for (const url of [sender.url, login.url.replace('//', '//user:wrong@'), greeting.url, 'smtp://127.0.0.1:1']) {
      await assert.rejects(smtpAt(url).send(aMail()), { isDown: true }, url);
    }
  });

  it('that is back goes first to those that failed least: what is refused again and again comes last', async t => {
    const bench = await createBench(t);
    const mails: string[] = [];
    const smtp = await startSmtp(t, defersPoison(mails));
    const outbox = await bench.open({ mailer: smtpAt(smtp.url), schedule: { inlineRetries: 0 } });
    await outbox.deliver(partner(POISON));
    bench.clock.advance(60_000);
    await until(async () => (await bench.pending())[0]?.tries === 1);
    await outbox.close();
    const down = await bench.open({ mailer: smtpAt('smtp://127.0.0.1:1'), schedule: { inlineRetries: 0 } });
    for (let sent = 0; sent < 6; sent += 1) await down.deliver(partner(`Una pregunta normal ${sent}.`));
    await down.close();
    const order: string[] = [];
    const working = smtpAt(smtp.url);
    const watched = {
      ...working,
      send(mail: Parameters<typeof working.send>[0]) {
        order.push(mail.text.includes('prohibida') ? 'poison' : 'good');
        return working.send(mail);
      },
    };
    const last = await bench.open({ mailer: watched });
    await last.sendDue(60_000);
    assert.deepEqual(order, [...Array(6).fill('good'), 'poison']);
  });
});

describe('fifteen equal submissions in production', () => {
  it('over REST and MCP are fifteen references, team mails and confirmations: ten within the hour, five when due', async t => {
    const smtp = await startSmtp(t);
    const config = readConfig({
      ...{ ...PRODUCTION, PORT: '0', DATA_DIR: temporaryFolder(), SMTP_URL: smtp.url },
      ...{ BASE_URL: 'http://127.0.0.1:8787', TRUSTED_HOPS: '1' },
    });
    const clock = createFakeClock(Date.UTC(2026, 10, 23));
    const brand = await exampleBrand();
    const outbox = openSubmissions(config, {
      ...{ mailer: smtpAt(smtp.url), mode: 'production', profile: () => brand.profile, log: () => {}, clock },
    });
    const server = await startServer({
      ...{ config, brand, outbox, log: () => {} },
      clock: { now: () => new Date(clock.now()), monotonic: clock.monotonic },
    });
    t.after(async () => {
      await server.stop(0);
      await outbox.close(0);
    });
    const references = new Set<string | undefined>();
    const note = (message: string) => references.add(/[A-Z]{4}-\d{4}/.exec(message)?.[0]);
    const later: boolean[] = [];
    for (let sent = 0; sent < 15; sent += 1) {
      const from = { 'x-forwarded-for': `203.0.113.${1 + Math.floor(sent / 5)}` };
      const message =
        sent % 3 === 0
          ? (await send(server.url, callTool('request_diagnostic', DIAGNOSTIC), { ...from, host: '127.0.0.1' })).result
              .structuredContent.message
          : (await bodyOf(await post(`${server.url}/api/v1/contact`, DIAGNOSTIC, from))).message;
      note(message);
      later.push(/La confirmación por correo te llegará más tarde/.test(message));
    }
    const to = (address: string) => smtp.mails.filter(mail => mail.to === address).length;
    assert.equal(references.size, 15);
    assert.deepEqual(later, [...Array(10).fill(false), ...Array(5).fill(true)]);
    assert.equal(to('equipo@norteclaro.example'), 15);
    await until(() => {
      clock.advance(0);
      return to(DIAGNOSTIC.email) === 10;
    });
    clock.advance(3_600_000);
    await until(() => {
      clock.advance(1000);
      return to(DIAGNOSTIC.email) === 15;
    });
    assert.equal(smtp.mails.length, 30);
  });
});
