import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assertAccepted,
  DIAGNOSTIC,
  DRY_RUN_OK,
  dryRunMails,
  MANY,
  startForms,
  storedIn,
  TEAM,
} from '../support/submission-support.ts';
import { assertRefused, post, startApp } from '../support/support.ts';

describe('a diagnostic request', () => {
  it('becomes files in the data directory while no mail is configured', async t => {
    const { url, config } = await startApp(t);
    await assertAccepted(post(`${url}/api/v1/contact`, DIAGNOSTIC), DRY_RUN_OK);
    const [mail = ''] = dryRunMails(config.dataDirectory);
    assert.match(mail, /^To: team@localhost\r$/m);
    assert.match(mail, /^Reply-To: ana\.ruiz@conservas\.example\r$/m);
  });
});

describe('the length of a field', () => {
  it('is counted in code points without the spaces around it, and told in words', async t => {
    const { contact } = await startForms(t, { env: MANY });
    const issuesOf = async (name: string) =>
      (await assertRefused(contact({ ...DIAGNOSTIC, name }), 'validation_error')).issues;
    for (const name of ['🍣🍣', ` ${'x'.repeat(120)}\n`])
      assert.equal((await contact({ ...DIAGNOSTIC, name })).status, 200);
    assert.deepEqual(await issuesOf(' 🍣 '), ['name: at least 2 characters']);
    assert.deepEqual(await issuesOf('🍣'.repeat(121)), ['name: at most 120 characters']);
  });
});

describe('the name of an unknown field', () => {
  it('is shortened in its issue, with no emoji cut in two', async t => {
    const { contact } = await startForms(t, { env: MANY });
    const unknown = { ...DIAGNOSTIC, [`x${'🍣'.repeat(60)}`]: '' };
    const { issues } = await assertRefused(contact(unknown), 'validation_error');
    assert.deepEqual(issues, [`x${'🍣'.repeat(58)}…: unknown field`]);
  });
});

describe('the email of a submission', () => {
  it('is one plain address with a dotted domain, which becomes the Reply-To', async t => {
    const { contact, mailer } = await startForms(t, { env: MANY });
    for (const email of [
      "o'neil_%x-1@b-c.example",
      '1@xn--bcher-kva.example',
      `${'a'.repeat(64)}@b.example`,
    ]) {
      assert.equal((await contact({ ...DIAGNOSTIC, email: ` ${email} ` })).status, 200, email);
      assert.equal(mailer.to(TEAM).at(-1)?.replyTo, email);
    }
  });

  it('is nothing that mail could read as two addresses, as a name, or as a second header', async t => {
    const { contact, mailer, kept } = await startForms(t, { env: MANY });
    for (const email of [
      'ana@localhost',
      'ana@b..example',
      'a@b.example,c@d.example',
      'Ana <a@b.example>',
      '"a b"@b.example',
      'mailto:a@b.example',
      'a@b.example\nBcc: c@d.example',
      'a@b.example\r\n\r\ntext',
      'a\u202e@b.example',
      'a@[127.0.0.1]',
      'a@127.0.0.1',
      'a@-b.example',
      `a@${'b'.repeat(64)}.example`,
      `${'a'.repeat(65)}@b.example`,
    ]) {
      const { issues } = await assertRefused(contact({ ...DIAGNOSTIC, email }), 'validation_error');
      assert.equal(issues.length, 1, email);
      assert.match(issues[0] ?? '', /^email: must be a valid email address/, email);
    }
    assert.deepEqual([mailer.mails.length, await kept()], [0, 0]);
  });

  it('comes with a name that can be seen', async t => {
    const { contact } = await startForms(t, { env: MANY });
    for (const name of ['\u200b\u200b\u200b', '\u2066 \u2069', '\u3164\uffa0 \u2800\u{e0041}']) {
      const { issues } = await assertRefused(contact({ ...DIAGNOSTIC, name }), 'validation_error');
      assert.deepEqual(issues, ['name: required']);
    }
  });

  it('has at most 254 characters once its domain is written in ASCII, as mail carries it', async t => {
    const { contact } = await startForms(t, { env: MANY });
    const ofLength = (length: number) => `${'a'.repeat(length - 243)}@${'ñ.'.repeat(30)}es`;
    assert.equal((await contact({ ...DIAGNOSTIC, email: ofLength(254) })).status, 200);
    const { issues } = await assertRefused(
      contact({ ...DIAGNOSTIC, email: ofLength(255) }),
      'validation_error',
    );
    assert.deepEqual(issues, ['email: must be a valid email address']);
  });
});

describe('the hidden field _gotcha', () => {
  it('marks the mail of the team when it is filled, and confirms to nobody; the sender sees no difference', async t => {
    const { form, mailer, outbox } = await startForms(t);
    await assertAccepted(form({ ...DIAGNOSTIC, _gotcha: 'https://spam.example' }), DRY_RUN_OK);
    const [mail, ...more] = mailer.mails;
    assert.match(mail?.subject ?? '', /^\[¿spam\?[^\]]*\] \[Diagnóstico [A-Z]{4}-\d{4}\]/);
    assert.doesNotMatch(mail?.text ?? '', /spam\.example/);
    assert.deepEqual(more, []);
    const [record] = await storedIn(outbox.database);
    assert.deepEqual([record?.confirmation, record?.confirmation_note], ['skipped', 'suspect']);
  });
});
