import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request, send } from '../mcp/mcp-messages.ts';
import { DIAGNOSTIC, KEPT, startForms, TEAM } from '../support/submission-support.ts';
import { assertRefused, exchange } from '../support/support.ts';

const key = (value: string) => ({ 'idempotency-key': value });

describe('an Idempotency-Key', () => {
  it('has 1 to 255 characters and comes once', async t => {
    const { url, contact, mailer, kept } = await startForms(t);
    for (const value of ['', '""', 'k'.repeat(256)]) {
      const { issues } = await assertRefused(contact(DIAGNOSTIC, key(value)), 'validation_error');
      assert.deepEqual(issues, ['Idempotency-Key: one value of 1 to 255 characters']);
    }
    const body = JSON.stringify(DIAGNOSTIC);
    const twice = await exchange(url, [
      'POST /api/v1/contact HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n',
      `Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ]);
    assert.match(twice, /^HTTP\/1\.1 400 [\s\S]*"code":"validation_error"/);
    assert.deepEqual([mailer.mails.length, await kept()], [0, 0]);
    assert.equal((await contact(DIAGNOSTIC, key(`"${'q'.repeat(255)}"`))).status, 200);
  });

  it('of a submission that is kept sends nothing, however often it comes: the first is tried as planned', async t => {
    const { contact, mailer, kept } = await startForms(t);
    mailer.fail('configuration');
    await assertRefused(contact(DIAGNOSTIC, key('k')), 'delivery_failed', 500);
    mailer.fail();
    for (let n = 0; n < 3; n += 1) {
      const { hint } = await assertRefused(contact(DIAGNOSTIC, key('k')), 'delivery_failed', 500);
      assert.equal(hint, KEPT);
    }
    assert.deepEqual([mailer.mails.length, await kept()], [0, 1]);
  });
});

describe('an Idempotency-Key over MCP', () => {
  const META = (value: unknown) => ({ _meta: { 'idempotency-key': value } });

  it('with another body, empty, too long or no text is a validation_error that a model can read', async t => {
    const { url, call, mailer } = await startForms(t);
    await call('request_diagnostic', DIAGNOSTIC, key('k'));
    const sent = (fields: object, value: unknown) =>
      send(url, request('tools/call', { name: 'request_diagnostic', arguments: fields, ...META(value) }));
    for (const [fields, value, issue] of [
      [{ ...DIAGNOSTIC, name: 'Eva Gil' }, 'k', 'Idempotency-Key: already used with another body'],
      [DIAGNOSTIC, 'x'.repeat(256), 'Idempotency-Key: one value of 1 to 255 characters'],
      [DIAGNOSTIC, 7, 'Idempotency-Key: one value of 1 to 255 characters'],
    ] as const) {
      const { result } = await sent(fields, value);
      assert.equal(result.isError, true);
      assert.deepEqual(JSON.parse(result.content[0].text).issues, [issue]);
    }
    assert.equal(mailer.to(TEAM).length, 1);
  });
});
