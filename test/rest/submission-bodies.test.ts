import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DIAGNOSTIC, MANY, multipart, postForm, startForms } from '../support/submission-support.ts';
import { assertRefused, post } from '../support/support.ts';

/** A server of forms, and a check that nothing was mailed or written. */
async function start(t: TestContext) {
  const app = await startForms(t, { env: MANY });
  const assertUntouched = async () => assert.deepEqual([app.mailer.mails.length, await app.kept()], [0, 0]);
  return { ...app, assertUntouched };
}

/** A multipart body written by hand, each part as given. */
const handwritten = (...parts: string[]) =>
  [...parts.map(part => `--b\r\n${part}\r\n`), '--b--\r\n'].join('');
const HANDWRITTEN = 'multipart/form-data; boundary=b';
const part = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

const withFile = (name: string, content: string) =>
  handwritten(
    ...Object.entries(DIAGNOSTIC).map(([field, value]) => part(field, value)),
    `Content-Disposition: form-data; name="cv"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n${content}`,
  );

describe('a form', () => {
  it('may have a file input that was left empty, as browsers send it: it is no field', async t => {
    const { contact } = await startForms(t);
    assert.equal((await contact(withFile('', ''), { 'content-type': HANDWRITTEN })).status, 200);
  });

  it('may name its parts without quotes, and stand between other texts', async t => {
    const { contact, mailer } = await startForms(t);
    const parts = Object.entries({ ...DIAGNOSTIC, context: 'before\r\n--bx\r\n-- b\r\nafter' }).map(
      ([name, value]) =>
        `content-type: text/plain\r\ncontent-disposition: form-data; name=${name}\r\n\r\n${value}`,
    );
    const body = `For readers of old.\r\n${handwritten(...parts)}\r\nThe end.`;
    assert.equal((await contact(body, { 'content-type': HANDWRITTEN })).status, 200);
    assert.match(mailer.mails[0]?.text ?? '', /before\n.*--bx\n.*-- b\n.*after/);
  });

  it('ends with its last delimiter, and each part has a name', async t => {
    const { contact, assertUntouched } = await start(t);
    const whole = handwritten(part('email', 'ana@client.example'));
    for (const body of [whole.replace('--b--', ''), 'no form', '', handwritten('X-Part: 1\r\n\r\nvalue')])
      await assertRefused(contact(body, { 'content-type': HANDWRITTEN }), 'invalid_request');
    await assertUntouched();
  });

  it('is UTF-8, as bytes and where they are escaped', async t => {
    const { url, assertUntouched } = await start(t);
    const encoded = new URLSearchParams(DIAGNOSTIC).toString();
    const parts = handwritten(...Object.entries(DIAGNOSTIC).map(([name, value]) => part(name, value)));
    for (const [type, text] of [
      ['application/x-www-form-urlencoded', encoded.replace('name=Ana', 'name=Mu%F1oz')],
      ['application/x-www-form-urlencoded', encoded.replace('name=Ana', 'name=Mu\xf1oz')],
      [HANDWRITTEN, parts.replace('Ana', 'Mu\xf1oz')],
    ] as const) {
      const init = { method: 'POST', headers: { 'content-type': type }, body: Buffer.from(text, 'latin1') };
      await assertRefused(fetch(`${url}/api/v1/contact`, init), 'invalid_request');
    }
    await assertUntouched();
  });

  it('carries no files, also not an empty one', async t => {
    const { contact, assertUntouched } = await start(t);
    for (const body of [withFile('cv.pdf', ''), withFile('', 'x')])
      await assertRefused(contact(body, { 'content-type': HANDWRITTEN }), 'invalid_request');
    await assertUntouched();
  });

  it('carries each field of the contract once', async t => {
    const { form, assertUntouched } = await start(t);
    const twice = multipart(DIAGNOSTIC);
    twice.append('name', 'Ana Ruiz');
    const encoded = new URLSearchParams([...Object.entries(DIAGNOSTIC), ['email', 'b@b.es']]);
    for (const body of [twice, encoded]) await assertRefused(form(body), 'invalid_request');
    await assertRefused(form(new URLSearchParams('__proto__=1&__proto__=2')), 'validation_error');
    await assertUntouched();
  });

  it('has at most 40 parts', async t => {
    const { form, assertUntouched } = await start(t);
    const parts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 'x']));
    const { issues } = await assertRefused(form(multipart(parts(40))), 'validation_error');
    assert.equal(issues.length, 20, 'nineteen of them, and how many more there are');
    assert.equal(issues.at(-1), 'body: 27 more faults');
    await assertRefused(form(multipart(parts(41))), 'invalid_request');
    await assertRefused(form(parts(41)), 'invalid_request');
    await assertUntouched();
  });
});

describe('a body', () => {
  it('has at most 64 KiB: one byte more is 413 invalid_request and closes the connection', async t => {
    const { url, assertUntouched } = await start(t);
    const bytes = (length: number) => `{"x":"${'y'.repeat(length - 8)}"}`;
    for (const path of ['/api/v1/contact', '/api/v1/partners']) {
      await assertRefused(post(`${url}${path}`, bytes(65_536)), 'validation_error');
      const response = await post(`${url}${path}`, bytes(65_537));
      assert.equal(response.headers.get('connection'), 'close');
      await assertRefused(Promise.resolve(response), 'invalid_request', 413);
    }
    const large = multipart({ context: 'y'.repeat(65_536) });
    await assertRefused(postForm(`${url}/api/contact`, large), 'invalid_request', 413);
    await assertUntouched();
  });
});
