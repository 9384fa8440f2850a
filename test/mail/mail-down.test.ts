import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import type { Mailer } from '../../server/mail/mailer.ts';
import {
  type Bench,
  background,
  createBench,
  mailgunAt,
  smtpAt,
  submission,
  TEAM_MAIL,
} from '../outbox/outbox-support.ts';
import { type Behaviour, startMailgunDouble } from '../support/mailgun-double.ts';
import { startSmtp } from '../support/smtp-server.ts';

const POISON = 'La palabra prohibida está aquí.';
const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });
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
    double.behave(({ to = '', text = '' }) =>
      `${to}${text}`.includes('prohibida') ? behaviour : { kind: 'accept' },
    );
    return mailgunAt(double.url);
  };

const POISONS = {
  text: partner(POISON),
  recipient: submission({}, { email: 'prohibida@client.example' }),
};

/** Each refusal that a stranger can provoke, by a word of the text or by the address of the confirmation. */
const PROVOKED: readonly (readonly [name: string, where: keyof typeof POISONS, transport: Transport])[] = [
  ['SMTP 451', 'text', smtpThatRefuses('text', 451)],
  ['SMTP 554', 'text', smtpThatRefuses('text', 554)],
  ['SMTP 451', 'recipient', smtpThatRefuses('recipient', 451)],
  ['SMTP 554', 'recipient', smtpThatRefuses('recipient', 554)],
  ['Mailgun 400', 'recipient', mailgunThat({ kind: 'status', status: 400 })],
  ['Mailgun 429', 'text', mailgunThat({ kind: 'status', status: 429 })],
  ['Mailgun 503', 'text', mailgunThat({ kind: 'status', status: 503 })],
  ['Mailgun breaks off', 'text', mailgunThat({ kind: 'reset' })],
];

describe('what a text or a recipient provokes stops nobody else: ten posts of a stranger, then a bystander', () => {
  for (const [name, where, transport] of PROVOKED) {
    it(`${name}, by the ${where}: the bystander's two mails leave with their first try`, async t => {
      const bench = await createBench(t);
      const outbox = await bench.open({ mailer: await transport(t, bench) });
      for (let sent = 0; sent < 10; sent += 1) await outbox.deliver(POISONS[where]);
      const bystander = await outbox.deliver(submission({}, { context: 'Una pregunta normal.' }));
      const reference = 'reference' in bystander ? bystander.reference : undefined;
      const tries = () => bench.log.filter(line => line.event === 'mail' && line.reference === reference);
      await background(bench, () => tries().length > 1);
      assert.deepEqual(
        tries().map(({ part, outcome }) => `${part} ${outcome}`),
        ['team accepted', 'confirm accepted'],
      );
      assert.ok(bench.log.every(({ event }) => event !== 'mail is down' && event !== 'mail is back'));
    });
  }

  it('nor does a success wake what waits alone: each is tried when it was planned', async t => {
    const bench = await createBench(t);
    const outbox = await bench.open({ mailer: await smtpThatRefuses('text', 451)(t, bench) });
    for (let sent = 0; sent < 10; sent += 1)
      assert.equal((await outbox.deliver(partner(POISON))).outcome, 'kept');
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
    for (const url of [
      sender.url,
      login.url.replace('//', '//user:wrong@'),
      greeting.url,
      'smtp://127.0.0.1:1',
    ]) {
      await assert.rejects(smtpAt(url).send(TEAM_MAIL), { isDown: true }, url);
    }
    const double = await startMailgunDouble(t);
    for (const [status, body] of [[401], [403], [404, '{"message":"Domain not found: x"}']] as const) {
      double.behave([{ kind: 'status', status, ...(body && { body }) }]);
      await assert.rejects(mailgunAt(double.url).send(TEAM_MAIL), { isDown: true }, `${status}`);
    }
    await assert.rejects(mailgunAt('http://127.0.0.1:1').send(TEAM_MAIL), { isDown: true });
  });
});
