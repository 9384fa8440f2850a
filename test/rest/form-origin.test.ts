import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assertAccepted,
  DIAGNOSTIC,
  DRY_RUN_OK,
  MANY,
  multipart,
  PARTNER,
  startForms,
} from '../support/submission-support.ts';
import { assertRefused } from '../support/support.ts';

const OK = DRY_RUN_OK;

describe('a post that another site made a browser send', () => {
  it('is 403 invalid_request on both forms, a page for a person, and nothing is kept', async t => {
    const { contact, partners, form, mailer, kept } = await startForms(t, { env: MANY });
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'not an origin' },
    ];
    for (const headers of foreign) {
      for (const send of [
        () => form(multipart(DIAGNOSTIC), headers),
        () => contact(DIAGNOSTIC, headers),
        () => partners(PARTNER, headers),
      ]) {
        const response = await send();
        assert.equal(response.headers.get('access-control-allow-origin'), null);
        await assertRefused(Promise.resolve(response), 'invalid_request', 403);
      }
    }
    const page = await form(DIAGNOSTIC, { origin: 'https://evil.example', accept: 'text/html' });
    assert.deepEqual([page.status, page.headers.get('content-type')], [403, 'text/html; charset=utf-8']);
    assert.deepEqual([mailer.mails.length, await kept()], [0, 0]);
  });

  it('is let through where its preflight is: from a page of this machine, as people have while they build a website', async t => {
    const { url, contact } = await startForms(t, {
      env: { ...MANY, BASE_URL: 'https://norteclaro.example' },
    });
    const origin = 'http://localhost:3000';
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await fetch(`${url}/api/v1/contact`, { method: 'OPTIONS', headers: asked });
    assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
    await assertAccepted(contact(DIAGNOSTIC, { origin, 'sec-fetch-site': 'cross-site' }), OK);
  });

  it('is let through from the service itself and from ALLOWED_ORIGINS, by their whole origin', async t => {
    const env = {
      ...MANY,
      BASE_URL: 'https://norteclaro.example',
      ALLOWED_ORIGINS: 'https://www.norteclaro.example',
    };
    const { url, form } = await startForms(t, { env });
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: url },
      { origin: 'https://www.norteclaro.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://norteclaro.example', 'sec-fetch-site': 'cross-site' },
    ]) {
      await assertAccepted(form(DIAGNOSTIC, headers), OK);
    }
    for (const origin of [
      'http://www.norteclaro.example',
      'https://www.norteclaro.example.evil.example',
      'https://www.norteclaro.example:8443',
      'https://evil-www.norteclaro.example',
    ]) {
      await assertRefused(form(DIAGNOSTIC, { origin }), 'invalid_request', 403);
    }
  });

  it('may hide its origin where its own site serves the form, and elsewhere where ALLOWED_ORIGINS lists null', async t => {
    const env = { ...MANY, BASE_URL: 'https://norteclaro.example' };
    const { form } = await startForms(t, { env });
    for (const site of ['same-origin', 'same-site'])
      await assertAccepted(form(DIAGNOSTIC, { origin: 'null', 'sec-fetch-site': site }), OK);
    const foreign = { origin: 'null', 'sec-fetch-site': 'cross-site' };
    await assertRefused(form(DIAGNOSTIC, foreign), 'invalid_request', 403);
    const open = await startForms(t, { env: { ...env, ALLOWED_ORIGINS: 'null' } });
    await assertAccepted(open.form(DIAGNOSTIC, foreign), OK);
  });
});
