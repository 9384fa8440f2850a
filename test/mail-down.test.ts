// contract: 3.6, 7.1
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { readConfig } from '../server/config/config.ts';
import type { Mailer } from '../server/mail/mailer.ts';
import { teamMail } from '../server/mail/message.ts';
import { createSmtpMailer } from '../server/mail/smtp.ts';
import { openSubmissions } from '../server/outbox/open-submissions.ts';
import { startServer } from '../server/run/start.ts';
import { temporaryFolder } from './folder.ts';
import { type Behaviour, startMailgunDouble } from './mailgun-double.ts';
import { callTool, send } from './mcp-messages.ts';
import {
  type Bench,
  createBench,
  createFakeClock,
  LETTER,
  MAIL,
  mailgunAt,
  submission,
  until,
} from './outbox-support.ts';
import { startSmtp } from './smtp-server.ts';
import { DIAGNOSTIC, PRODUCTION } from './submission-support.ts';
import { bodyOf, exampleBrand, post } from './support.ts';

const POISON = 'La palabra prohibida está aquí.';
const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });
const smtpAt = (url: string) => createSmtpMailer({ url, timeoutMs: 2000, plain: false });
const aMail = () => teamMail({ ...submission(), ...LETTER, received_at: 0 }, MAIL);
const partner = (context: string) => submission({ kind: 'partner', confirms: false }, { context });

type Transport = (t: TestContext, bench: Bench) => Promise<Mailer>;

/** An SMTP server that answers the poison in a text, or in an address, with this. */
const smtpThatRefuses =
  (where: 'text' | 'recipient', code: number): Transport =>
  async t => {
    const options: SMTPServerOptions = {
      onRcptTo({ address }, _session, done) {
        done(where === 'recipient' && address.includes('prohibida') ? refusal(code) : null);
      },
      async onData(stream, _session, done) {
        const source = await text(stream);
        done(where === 'text' && source.includes('prohibida') ? refusal(code) : null);
      },
    };
    return smtpAt((await startSmtp(t, options)).url);
  };

/** Mailgun that treats the poison like this; it sees recipient and text alike. */
const mailgunThat =
  (behaviour: Behaviour): Transport =>
  async (_t, { double }) => {
    double.behave(({ to = '', text = '' }) => (`${to}${text}`.includes('prohibida') ? behaviour : { kind: 'accept' }));
    return mailgunAt(double.url);
  };

const STATUSES = [400, 413, 429, 500, 503];

/** Each refusal that a stranger can provoke, by a word of the text or by the address of the confirmation. */
const PROVOKED: readonly (readonly [name: string, transport: Transport])[] = [
  ...(['text', 'recipient'] as const).flatMap(where =>
    [451, 554].map(code => [`SMTP ${code} to a ${where}`, smtpThatRefuses(where, code)] as const),
  ),
  ...STATUSES.map(status => [`Mailgun ${status}`, mailgunThat({ kind: 'status', status })] as const),
  ['Mailgun breaks off', mailgunThat({ kind: 'reset' })],
];

describe('what a text or a recipient provokes stops nobody else: ten posts of a stranger, then a bystander', () => {
  const poisons = {
    text: partner(POISON),
    recipient: submission({}, { email: 'prohibida@client.example' }),
  };
  for (const [name, transport] of PROVOKED) {
    for (const [where, poison] of Object.entries(poisons)) {
      if (name.startsWith('SMTP') && !name.endsWith(where)) continue;
      it(`${name}, by the ${where}: the bystander's two mails leave with their first try`, async t => {
        const bench = await createBench(t);
        const outbox = await bench.open({ mailer: await transport(t, bench), schedule: { inlineCapMs: 0 } });
        for (let sent = 0; sent < 10; sent += 1) await outbox.deliver(poison);
        const bystander = await outbox.deliver(submission({}, { context: 'Una pregunta normal.' }));
        const reference = 'reference' in bystander ? bystander.reference : undefined;
        const tries = () => bench.log.filter(line => line.event === 'mail' && line.reference === reference);
        await until(() => {
          bench.clock.advance(0);
          return tries().length > 1;
        });
        assert.deepEqual(
          tries().map(({ part, outcome }) => `${part} ${outcome}`),
          ['team accepted', 'confirm accepted'],
        );
        assert.ok(bench.log.every(({ event }) => event !== 'mail is down' && event !== 'mail is back'));
      });
    }
  }

  it('nor does a success wake what waits alone: each is tried when it was planned', async t => {
    const bench = await createBench(t);
    const outbox = await bench.open({ mailer: await smtpThatRefuses('text', 451)(t, bench) });
    for (let sent = 0; sent < 10; sent += 1) assert.equal((await outbox.deliver(partner(POISON))).outcome, 'kept');
    await outbox.deliver(partner('Una pregunta normal.'));
    const due = (await bench.pending()).map(({ due_at }) => Number(due_at) - bench.clock.now());
    assert.deepEqual(due, Array(10).fill(60_000));
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
    const double = await startMailgunDouble();
    t.after(() => double.close());
    for (const [status, body] of [[401], [403], [404, '{"message":"Domain not found: x"}']] as const) {
      double.behave([{ kind: 'status', status, ...(body && { body }) }]);
      await assert.rejects(mailgunAt(double.url).send(aMail()), { isDown: true }, `${status}`);
    }
    await assert.rejects(mailgunAt('http://127.0.0.1:1').send(aMail()), { isDown: true });
  });

  it('that is back goes first to those that failed least: what is refused again and again comes last', async t => {
    const bench = await createBench(t);
    const working = await smtpThatRefuses('text', 451)(t, bench);
    const outbox = await bench.open({ mailer: working, schedule: { inlineRetries: 0 } });
    await outbox.deliver(partner(POISON));
    bench.clock.advance(60_000);
    await until(async () => (await bench.pending())[0]?.tries === 1);
    await outbox.close();
    const down = await bench.open({ mailer: smtpAt('smtp://127.0.0.1:1'), schedule: { inlineRetries: 0 } });
    for (let sent = 0; sent < 6; sent += 1) await down.deliver(partner(`Una pregunta normal ${sent}.`));
    await down.close();
    const order: string[] = [];
    const watched: Mailer = {
      ...working,
      send(mail) {
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
