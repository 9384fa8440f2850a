import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MailError } from '../../server/mail/mailer.ts';
import { TEAM_MAIL as mail, mailgunAt } from '../outbox/outbox-support.ts';
import { type Behaviour, startMailgunDouble } from '../support/mailgun-double.ts';

test('a mail arrives with its sender, recipient, text and headers, without tracking', async t => {
  const double = await startMailgunDouble(t);
  await mailgunAt(double.url).send(mail);
  const [sent = {}] = double.mails;
  assert.equal(sent.from, 'Acme <hola@mg.acme.example>');
  assert.equal(sent.to, 'equipo@acme.example');
  assert.equal(sent['h:Reply-To'], 'ana@client.example');
  assert.equal(sent['h:Message-Id'], '<sub-1.team@mg.acme.example>');
  assert.equal(sent['h:Auto-Submitted'], undefined, 'help desks drop mail that has it');
  assert.equal(sent['o:tracking'], 'no');
  assert.equal(sent['o:testmode'], undefined);
  assert.match(sent.text ?? '', /Queremos medir/);
  assert.equal(double.requests.authorization, `Basic ${Buffer.from('api:key-secret').toString('base64')}`);
});

test('an address that a form takes arrives as it came, also one that no library can read', async t => {
  const double = await startMailgunDouble(t);
  await mailgunAt(double.url).send({ ...mail, to: 'ana@xn--a.example' });
  assert.equal(double.mails[0]?.to, 'ana@xn--a.example');
});

/** What Mailgun and the network may do, and what each means for the mail. */
const FAULTS: readonly (readonly [Behaviour, MailError['kind'], string])[] = [
  [{ kind: 'status', status: 401, body: 'Forbidden', type: 'text/plain' }, 'configuration', 'http-401'],
  [{ kind: 'status', status: 400, body: '{"message":"from is missing"}' }, 'permanent', 'http-400'],
  [{ kind: 'status', status: 404, body: 'page not found', type: 'text/plain' }, 'temporary', 'http-404'],
  [{ kind: 'status', status: 404, body: '{"message":"Domain not found: x"}' }, 'configuration', 'http-404'],
  [{ kind: 'status', status: 429 }, 'temporary', 'http-429'],
  [{ kind: 'status', status: 502, body: '<h1>Bad Gateway</h1>', type: 'text/html' }, 'temporary', 'http-502'],
  [{ kind: 'silence' }, 'ambiguous', 'ECONNABORTED'],
  [{ kind: 'reset' }, 'ambiguous', 'ECONNRESET'],
  [{ kind: 'lost-answer' }, 'ambiguous', 'ECONNRESET'],
  [{ kind: 'stall' }, 'ambiguous', 'broken-answer'],
  [{ kind: 'broken-json' }, 'ambiguous', 'no-id'],
  [{ kind: 'redirect' }, 'ambiguous', 'no-id'],
];

/** What never comes to an end by itself, and how long it is waited for. A stall has begun to answer by then. */
const ENDLESS: Readonly<Record<string, number>> = { silence: 500, stall: 4000 };

for (const [behaviour, kind, code] of FAULTS) {
  const name = 'status' in behaviour ? `status ${behaviour.status}, ${code}` : behaviour.kind;
  test(`${name} is ${kind}`, async t => {
    const double = await startMailgunDouble(t);
    double.behave([behaviour]);
    const mailer = mailgunAt(double.url, ENDLESS[behaviour.kind]);
    await assert.rejects(mailer.send(mail), { name: 'MailError', kind, code });
  });
}

test('an error of ours carries neither the key nor what the provider said', async t => {
  const double = await startMailgunDouble(t);
  double.behave([{ kind: 'status', status: 400, body: '{"message":"ana@client.example is not valid"}' }]);
  const error: unknown = await mailgunAt(double.url)
    .send(mail)
    .catch((cause: unknown) => cause);
  assert.ok(error instanceof MailError);
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /ana@|key-secret/);
});

test('the login check sends nothing, passes on 400 and fails on a refused key', async t => {
  const double = await startMailgunDouble(t);
  double.behave([{ kind: 'status', status: 400, body: '{"message":"from parameter is missing"}' }]);
  await mailgunAt(double.url).verify();
  double.behave([{ kind: 'status', status: 401 }]);
  await assert.rejects(mailgunAt(double.url).verify(), { kind: 'configuration', code: 'http-401' });
  assert.equal(double.mails.length, 0);
});
