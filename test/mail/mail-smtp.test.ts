import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { MailError } from '../../server/mail/mailer.ts';
import { eraseRecipient } from '../../server/outbox/erasure.ts';
import { recipientOf } from '../../server/outbox/receive.ts';
import { sql } from '../../server/outbox/sql.ts';
import { createBench, MAIL, TEAM_MAIL as mail, smtpAt, submission } from '../outbox/outbox-support.ts';
import { startSmtp } from '../support/smtp-server.ts';

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

test('a mail arrives with its envelope, headers and text', async t => {
  const smtp = await startSmtp(t);
  await smtpAt(smtp.url).send(mail);
  const [{ to, source: message } = assert.fail()] = smtp.mails;
  assert.equal(to, 'equipo@acme.example');
  assert.match(message, /^From: Acme <hola@mg\.acme\.example>\r$/m);
  assert.match(message, /^Reply-To: ana@client\.example\r$/m);
  assert.match(message, /^Message-ID: <sub-1\.team@mg\.acme\.example>\r$/im);
  assert.doesNotMatch(message, /^Auto-Submitted/im);
});

test('a refused message is permanent with 5yz and temporary with 4yz', async t => {
  const full = await startSmtp(t, {}, refusal(452, 'ana@client.example: mailbox full'));
  await assert.rejects(smtpAt(full.url).send(mail), { kind: 'temporary', code: 'smtp-452' });
  const spam = await startSmtp(t, {}, refusal(554, 'no spam here'));
  await assert.rejects(smtpAt(spam.url).send(mail), { kind: 'permanent', code: 'smtp-554' });
});

test('a refused recipient is permanent and the error quotes no address', async t => {
  const smtp = await startSmtp(t, {
    onRcptTo: ({ address }, _, done) => done(refusal(550, `no ${address} here`)),
  });
  const error: unknown = await smtpAt(smtp.url)
    .send(mail)
    .catch((cause: unknown) => cause);
  assert.ok(error instanceof MailError);
  assert.deepEqual([error.kind, error.code], ['permanent', 'smtp-550']);
  assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, /equipo@/);
});

test('an address of the team that is refused while another takes the mail is told by its place, and the mail is delivered', async t => {
  const smtp = await startSmtp(t, {
    onRcptTo: ({ address }, _, done) =>
      done(address === 'gone@acme.example' ? refusal(550, `no ${address} here`) : null),
  });
  const bench = await createBench(t);
  const team = 'a@acme.example, gone@acme.example, b@acme.example';
  const outbox = await bench.open({ mail: { ...MAIL, team }, mailer: smtpAt(smtp.url) });
  assert.equal((await outbox.deliver(submission({ confirms: false }))).outcome, 'delivered');
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    ['a@acme.example', 'b@acme.example'],
  );
  const [refused, accepted, ...others] = bench.log.filter(({ event }) => event === 'mail');
  const { level, part, outcome, code, reply, recipient, alarm } = refused ?? assert.fail();
  assert.deepEqual([level, part, outcome, code, alarm], ['warn', 'team', 'permanent', 'smtp-550', true]);
  assert.equal(recipient, 'address 2 of 3 in MAIL_TO');
  assert.equal(reply, '550');
  assert.deepEqual([accepted?.outcome, others], ['accepted', []]);
  assert.deepEqual(
    (await bench.stored()).map(({ state }) => state),
    ['delivered'],
  );
});

test('words of a mail server that name a person stand in no log, and are erased with the person', async t => {
  const smtp = await startSmtp(
    t,
    {},
    refusal(550, '5.7.1 Ana of Client Example (ana at client.example) may not'),
  );
  const bench = await createBench(t);
  const outbox = await bench.open({ mailer: smtpAt(smtp.url) });
  await outbox.deliver(submission({ confirms: false }));
  const replies = async () =>
    (await outbox.database.query(sql`SELECT reply FROM deliveries`)).map(({ reply }) => reply);
  assert.match(String(await replies()), /ana at client/);
  assert.deepEqual(
    [...new Set(bench.log.filter(({ event }) => event === 'mail').map(({ reply }) => reply))],
    ['550 5.7.1'],
  );
  assert.doesNotMatch(JSON.stringify(bench.log), /ana at/i);
  await eraseRecipient(outbox.database, recipientOf('ana@client.example'));
  assert.deepEqual(await replies(), []);
});

test('a refused login is a matter of configuration, found without sending', async t => {
  const smtp = await startSmtp(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _, done) =>
      password === 'right' ? done(null, { user: 'u' }) : done(new Error('no')),
  });
  const withPassword = (password: string) => smtpAt(smtp.url.replace('//', `//user:${password}@`));
  await withPassword('right').verify();
  await withPassword('right').send(mail);
  await assert.rejects(withPassword('wrong').verify(), { kind: 'configuration', code: 'smtp-535' });
  await assert.rejects(withPassword('wrong').send(mail), { kind: 'configuration', code: 'smtp-535' });
  await assert.rejects(smtpAt(smtp.url).send(mail), { kind: 'configuration', code: 'smtp-530' });
  assert.equal(smtp.mails.length, 1);
});

test('a password is not sent to a server of another machine that offers no TLS', async t => {
  const passwords: unknown[] = [];
  const smtp = await startSmtp(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ password }, _, done) {
      passwords.push(password);
      done(null, { user: 'u' });
    },
  });
  // 0.0.0.0 reaches this machine, but is no loopback address.
  const url = smtp.url.replace('//127.0.0.1', '//user:secret@0.0.0.0');
  await assert.rejects(smtpAt(url).send(mail), { kind: 'configuration', code: 'ETLS' });
  assert.deepEqual(passwords, []);
});

test('a connection that breaks after the message is ambiguous', async t => {
  const smtp = await startSmtp(t, {
    onData(stream) {
      stream.resume();
      stream.on('end', () => {
        for (const connection of connectionsOf(this)) connection.close();
      });
    },
  });
  await assert.rejects(smtpAt(smtp.url).send(mail), { kind: 'ambiguous' });
});

test('a server that never greets is given up after the timeout: surely not sent', async t => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise(resolve => silent.once('listening', resolve));
  t.after(() => silent.close());
  const { port } = Object(silent.address());
  const startMs = Date.now();
  await assert.rejects(smtpAt(`smtp://127.0.0.1:${port}`, 200).send(mail), {
    kind: 'temporary',
    code: 'ETIMEDOUT',
  });
  assert.ok(Date.now() - startMs < 25_000, 'nodemailer itself waits 30 s for a greeting');
});

function connectionsOf(server: unknown): { close(): void }[] {
  return server instanceof SMTPServer ? [...server.connections] : [];
}
