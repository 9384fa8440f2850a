import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  assertError,
  callTool,
  close,
  DIAGNOSTIC,
  FORMS,
  inTurn,
  mailbox,
  newClient,
  PARTNER,
  production,
  QUESTIONS,
  refusal,
  serving,
  start,
  TEAM,
} from './contract-fixture.ts';

after(close);

/** A reference, as answers and mails write it. */
const REFERENCE = /\b[A-Z]{4}-\d{4}\b/;
const referenceIn = (text: string) => REFERENCE.exec(text)?.[0];

/** One production server and its mail for the tests that look for mails of their own. */
let parts: ReturnType<typeof open> | undefined;
async function open() {
  const mail = await mailbox();
  return { mail, server: await production(mail.url) };
}
const shared = () => {
  parts ??= open();
  return parts;
};

test('Each successful submission sends an email to the team: both forms and their aliases, both MCP tools', async () => {
  const { mail, server } = await shared();
  const tools = { request_diagnostic: DIAGNOSTIC, apply_partner_program: PARTNER };
  const ways = [
    ...FORMS.map(({ path, body }) => ({ way: path, body })),
    ...Object.entries(tools).map(([way, body]) => ({ way, body })),
  ];
  for (const [nth, { way, body }] of ways.entries()) {
    const fields = { ...body, company: `Company of way ${nth}` };
    const ask = { client: newClient() };
    const { status, text } = await (way.startsWith('/')
      ? server.post(way, fields, ask)
      : server.mcp(callTool(way, fields), ask));
    assert.equal(status, 200);
    const [sent, ...more] = mail.of(TEAM).filter(({ text }) => text.includes(fields.company));
    assert.deepEqual(more, [], way);
    for (const value of [...Object.values(fields), referenceIn(text) ?? 'no reference']) {
      assert.ok(sent?.text.includes(value), `${way}: ${value}`);
    }
  }
});

test('A diagnostic submission also sends a confirmation to the address in email; an application sends none', async () => {
  const { mail, server } = await shared();
  const ways = [
    (body: typeof DIAGNOSTIC) => server.post('/api/v1/contact', body, { client: newClient() }),
    (body: typeof DIAGNOSTIC) => server.post('/api/contact', body, { client: newClient() }),
    (body: typeof DIAGNOSTIC) => server.mcp(callTool('request_diagnostic', body), { client: newClient() }),
  ];
  const partner = { ...PARTNER, email: 'partner@agency.example' };
  assert.equal((await server.post('/api/v1/partners', partner, { client: newClient() })).status, 200);
  await server.mcp(callTool('apply_partner_program', partner), { client: newClient() });
  for (const [nth, send] of ways.entries()) {
    const email = `person${nth}@client.example`;
    const { text } = await send({ ...DIAGNOSTIC, email });
    const [confirmation] = await mail.until(email, 1);
    const said = confirmation?.text ?? '';
    assert.ok(said.includes(referenceIn(text) ?? 'no reference'));
    assert.match(said, /48 hours/);
    assert.doesNotMatch(said, /el margen baja/);
  }
  assert.deepEqual(mail.of(partner.email), []);
});

test('Production sends no mode, and the message of the contract', async () => {
  const { server } = await shared();
  const contact = await server.post('/api/v1/contact', DIAGNOSTIC, { client: newClient() });
  const partner = await server.post('/api/v1/partners', PARTNER, { client: newClient() });
  for (const [{ json }, what] of [
    [contact, 'tu solicitud'],
    [partner, 'tu candidatura al programa de partners'],
  ] as const) {
    const { ok, message, reference, ...rest } = json;
    assert.equal(ok, true);
    assert.match(reference, /^[A-Z]{4}-\d{4}$/);
    assert.deepEqual(rest, {});
    const words = `Hemos recibido ${what}. Una persona del equipo te responderá en un plazo de 48 horas.`;
    assert.ok(message.startsWith(words), message);
  }
});

test('No event is emitted by /ask, ask_brand, /api/v1/status or failed validations', async () => {
  const mail = await mailbox();
  const server = await production(mail.url);
  const { query } = QUESTIONS.en;
  await server.post('/ask', { query });
  await server.send('/ask?q=bells');
  await server.send('/api/v1/status');
  await server.mcp(callTool('ask_brand', { query }));
  for (const { path, body } of FORMS) {
    assertError(await server.post(path, { ...body, context: 'short' }), [400, 'validation_error']);
    assertError(await server.post(path, {}), [400, 'validation_error']);
  }
  await server.mcp(callTool('request_diagnostic', { ...DIAGNOSTIC, name: 'x' }));
  await server.mcp(callTool('apply_partner_program', { ...PARTNER, email: 'nobody' }));
  for (const { id: _, ...notification } of [
    callTool('request_diagnostic', DIAGNOSTIC),
    callTool('apply_partner_program', PARTNER),
  ]) {
    const answer = await server.mcp(notification);
    assert.deepEqual([answer.status, answer.text], [202, '']);
  }
  // The mails of a last submission come after whatever the others would have sent.
  await server.post('/api/v1/contact', { ...DIAGNOSTIC, email: 'last@client.example' });
  await mail.until('last@client.example', 1);
  assert.equal(mail.mails().length, 2);
  await server.stop();
});

test('Sixteen equal submissions give sixteen references and team mails, and fifteen confirmations within an hour', async () => {
  const mail = await mailbox();
  const server = await production(mail.url);
  const clients = [newClient(), newClient()];
  const answers = await inTurn(16, nth =>
    server.post('/api/v1/contact', DIAGNOSTIC, { client: clients[nth % 2] ?? newClient() }),
  );
  for (const { status, text } of answers) assert.equal(status, 200, text);
  const references = new Set(answers.map(({ json }) => referenceIn(json.message)));
  assert.equal(references.size, 16);
  const team = mail.of(TEAM);
  assert.equal(team.length, 16);
  assert.deepEqual(new Set(team.map(({ text }) => referenceIn(text))), references);
  await mail.until(DIAGNOSTIC.email, 15);
  // Another person is confirmed at once, so the one that waits is not merely late.
  await server.post(
    '/api/v1/contact',
    { ...DIAGNOSTIC, email: 'other@client.example' },
    { client: newClient() },
  );
  await mail.until('other@client.example', 1);
  assert.equal(mail.of(DIAGNOSTIC.email).length, 15);
  await server.stop();
});

test('Equal submissions at once are submissions of their own', async () => {
  const { mail, server } = await shared();
  const body = { ...PARTNER, company: 'Company of eight at once' };
  const client = newClient();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => server.post('/api/v1/partners', body, { client })),
  );
  assert.equal(new Set(answers.map(({ json }) => referenceIn(json.message))).size, 8);
  assert.equal(mail.of(TEAM).filter(({ text }) => text.includes(body.company)).length, 8);
});

test('A repeated Idempotency-Key sends no second mail', async () => {
  const { mail, server } = await shared();
  const body = { ...PARTNER, company: 'Company with a key' };
  const headers = { 'Idempotency-Key': 'a key of an applicant' };
  const client = newClient();
  const answers = await inTurn(3, () => server.post('/api/v1/partners', body, { client, headers }));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(mail.of(TEAM).filter(({ text }) => text.includes(body.company)).length, 1);
});

test('A store belongs to one profile: a second brand on the same DATA_DIR refuses to start', async () => {
  const first = await start(await serving('es'));
  const settings = { ...(await serving('en')), DATA_DIR: first.data };
  const { said, code } = await refusal(settings);
  assert.notEqual(code, 0);
  assert.match(said, /norte_claro/);
  assert.match(said, /aval outbox rebind/);
  await first.stop();
  assert.notEqual((await refusal(settings)).code, 0);
});

test('Production without mail refuses to start', async () => {
  const settings = { ...(await serving('en')), NODE_ENV: 'production', BASE_URL: 'https://brand.example' };
  const { said, code } = await refusal(settings);
  assert.notEqual(code, 0);
  assert.match(said, /MAIL_TO|SMTP_URL|MAILGUN/);
});
