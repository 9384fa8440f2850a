import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MailError } from '../../server/mail/mailer.ts';
import { callTool, request } from '../mcp/mcp-messages.ts';
import {
  deleteDatabase,
  MANY,
  multipart,
  PARTNER,
  postForm,
  startForms,
} from '../support/submission-support.ts';
import { bodyOf, post } from '../support/support.ts';

/** Words that stand nowhere but in what a person typed. */
const SOMEBODY = {
  name: 'Zenobia Quijano',
  email: 'zenobia@quijano-privada.example',
  company: 'Ultramarinos Xuclar',
  role: 'Jefa de zarzuela',
  country: 'Zamunda',
  context: 'Debemos ochocientos mil a Wenceslao.',
};
const QUESTION = '¿Me puede despedir Wenceslao?';
const PRIVATE = /zenobia|quijano|xuclar|zarzuela|zamunda|wenceslao|despedir|ochocientos|600123123/i;

let rounds = 0;

/** Everything that can happen to a submission and a question over HTTP, good and bad; each round sends other fields. */
async function everythingAt(url: string): Promise<void> {
  const contact = `${url}/api/v1/contact`;
  rounds += 1;
  const PERSON = { ...SOMEBODY, context: `${SOMEBODY.context} Van ${rounds}.` };
  const APPLICANT = { ...PARTNER, ...PERSON, role: undefined };
  for (const send of [
    () => post(contact, PERSON),
    () => post(contact, PERSON, { 'idempotency-key': 'Zenobia' }),
    () => post(contact, { ...PERSON, role: 'Otra zarzuela' }, { 'idempotency-key': 'Zenobia' }),
    () => postForm(contact, PERSON, { accept: 'text/html' }),
    () => postForm(contact, multipart({ ...PERSON, 'zenobia 600123123': 'x' })),
    () => post(contact, { ...PERSON, email: 'zenobia at quijano' }),
    () => post(contact, `{"name":"Zenobia"`),
    () =>
      post(contact, PERSON, {
        origin: 'https://quijano.example',
        referer: 'https://quijano.example/zenobia',
      }),
    () => post(`${contact}?email=${PERSON.email}`, PERSON),
    () => post(`${url}/api/v1/partners`, APPLICANT),
    () => post(`${url}/mcp`, callTool('request_diagnostic', PERSON)),
    () => post(`${url}/mcp`, callTool('apply_partner_program', { zenobia: 1 })),
    () => post(`${url}/mcp`, callTool('Zenobia', PERSON)),
    () => post(`${url}/mcp`, request('Zenobia Quijano')),
    () => post(`${url}/mcp`, callTool('ask_brand', { query: QUESTION })),
    () => post(`${url}/ask`, { query: QUESTION }),
    () => fetch(`${url}/ask?q=${encodeURIComponent(QUESTION)}`),
    () => fetch(`${url}/ask?q=Wenceslao%FF`),
    () => fetch(`${url}/zenobia/quijano?q=xuclar`),
    () => fetch(`${url}/%FFzenobia`),
  ]) {
    await (await send()).text();
  }
}

describe('the log', () => {
  it('tells what happened without a word of a person, a question or an address, whatever fails', async t => {
    const broken = await startForms(t, { env: MANY });
    await everythingAt(broken.url);
    const quoting = `550 ${SOMEBODY.email} unknown`;
    for (const failure of [new Error(quoting), new MailError('configuration', 'http-401', quoting, true)]) {
      broken.mailer.send = () => Promise.reject(failure);
      await everythingAt(broken.url);
    }
    const full = await startForms(t, { env: MANY });
    await deleteDatabase(full.config.dataDirectory);
    await everythingAt(full.url);
    const lines = [...broken.lines, ...full.lines];
    for (const event of ['request', 'mail failed', 'submission not kept']) {
      assert.ok(
        lines.some(line => line.event === event),
        event,
      );
    }
    for (const line of lines) assert.doesNotMatch(JSON.stringify(line), PRIVATE);
    for (const line of lines) assert.doesNotMatch(JSON.stringify(line), /127\.0\.0\.1/);
  });
});

describe('an answer to a submission', () => {
  it('repeats nothing of it, good or bad', async t => {
    const { contact, partners, call } = await startForms(t);
    for (const response of [
      await contact(SOMEBODY),
      await contact({ ...SOMEBODY, email: 'zenobia at quijano' }),
      await partners({ ...{ ...PARTNER, ...SOMEBODY, role: undefined }, size: 'zarzuela '.repeat(10) }),
    ]) {
      assert.doesNotMatch(JSON.stringify([...response.headers, await bodyOf(response)]), PRIVATE);
    }
    const { result } = await call('request_diagnostic', { ...SOMEBODY, context: 'Wenceslao' });
    assert.doesNotMatch(JSON.stringify(result), PRIVATE);
  });
});
