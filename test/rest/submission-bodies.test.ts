import assert from 'node:assert/strict';
import { afterEach, it, suite, type TestContext } from 'node:test';
import { DIAGNOSTIC, MANY, multipart, postForm, startForms } from '../support/submission-support.ts';
import { assertRefused, PRODUCTION, post } from '../support/support.ts';

/** What must hold after every refusal of this file: nothing was mailed, nothing was written. */
let untouched = async () => {};

function describe(what: string, tests: () => void): void {
  suite(what, () => {
    afterEach(() => untouched());
    tests();
  });
}

async function start(t: TestContext, env: Record<string, string> = {}) {
  const app = await startForms(t, { env: { ...MANY, ...env } });
  untouched = async () => assert.deepEqual([app.mailer.mails.length, await app.kept()], [0, 0]);
  return app;
}

const URLENCODED = 'application/x-www-form-urlencoded';

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
    const { contact, mailer } = await startForms(t);
    const accepted = await contact(withFile('', ''), { 'content-type': HANDWRITTEN });
    assert.equal(accepted.status, 200);
    untouched = async () => assert.ok(mailer.mails.length > 0);
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
    untouched = async () => assert.ok(mailer.mails.length > 0);
  });

  it('ends with its last delimiter, and each part has a name', async t => {
    const { contact } = await start(t);
    const whole = handwritten(part('email', 'ana@client.example'));
    for (const body of [whole.replace('--b--', ''), 'no form', '', handwritten('X-Part: 1\r\n\r\nvalue')]) {
      await assertRefused(contact(body, { 'content-type': HANDWRITTEN }), 'invalid_request');
    }
  });

  it('carries no files, also not an empty one', async t => {
    const { contact, form } = await start(t);
    await assertRefused(
      form(multipart({ ...DIAGNOSTIC, context: new Blob(['text of a file']) })),
      'invalid_request',
    );
    for (const body of [withFile('cv.pdf', ''), withFile('', 'x')]) {
      await assertRefused(contact(body, { 'content-type': HANDWRITTEN }), 'invalid_request');
    }
  });

  it('carries each field of the contract once', async t => {
    const { form, contact } = await start(t);
    const twice = multipart(DIAGNOSTIC);
    twice.append('name', 'Ana Ruiz');
    await assertRefused(form(twice), 'invalid_request');
    await assertRefused(
      form(new URLSearchParams([...Object.entries(DIAGNOSTIC), ['email', 'b@b.es']])),
      'invalid_request',
    );
    await assertRefused(
      contact('__proto__=1&__proto__=2', { 'content-type': URLENCODED }),
      'validation_error',
    );
  });

  it('has at most 40 parts', async t => {
    const { form } = await start(t);
    const parts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 'x']));
    const { issues } = await assertRefused(form(multipart(parts(40))), 'validation_error');
    assert.equal(issues.length, 20, 'nineteen of them, and how many more there are');
    assert.equal(issues.at(-1), 'body: 27 more faults');
    await assertRefused(form(parts(40)), 'validation_error');
    const few = await assertRefused(form(parts(14)), 'validation_error');
    assert.deepEqual([few.issues.length, few.issues.at(-1)], [20, 'field13: unknown field']);
    await assertRefused(form(multipart(parts(41))), 'invalid_request');
    await assertRefused(form(parts(41)), 'invalid_request');
  });
});

describe('a body of a form', () => {
  it('has at most 64 KiB: one byte more is 413 invalid_request and closes the connection', async t => {
    const { url } = await start(t, PRODUCTION);
    for (const path of ['/api/v1/contact', '/api/contact', '/api/v1/partners', '/api/partners']) {
      const bytes = (length: number) => `{"x":"${'y'.repeat(length - 8)}"}`;
      assert.equal(bytes(65_536).length, 65_536);
      await assertRefused(post(`${url}${path}`, bytes(65_536)), 'validation_error');
      const response = await post(`${url}${path}`, bytes(65_537));
      assert.equal(response.headers.get('connection'), 'close');
      await assertRefused(Promise.resolve(response), 'invalid_request', 413);
    }
    await assertRefused(
      postForm(`${url}/api/contact`, { context: 'y'.repeat(65_536) }),
      'invalid_request',
      413,
    );
    await assertRefused(
      postForm(`${url}/api/contact`, multipart({ context: 'y'.repeat(65_536) })),
      'invalid_request',
      413,
    );
  });
});
