// contract: 1.3, 1.5, 3.1, 3.2, 3.3, 3.6
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  anew,
  assertAccepted,
  DIAGNOSTIC,
  DIAGNOSTIC_OK,
  DRY_RUN_OK,
  DRY_RUN_PARTNER_OK,
  dryRunMails,
  MANY,
  multipart,
  PARTNER,
  PARTNER_OK,
  PRODUCTION,
  postForm,
  startForms,
  storedIn,
  TEAM,
} from './submission-support.ts';
import { assertRefused, post, startApp } from './support.ts';

describe('a diagnostic request', () => {
  it('is taken at /api/v1/contact and its alias, as JSON, urlencoded and multipart', async t => {
    const { url, mailer } = await startForms(t);
    for (const path of ['/api/v1/contact', '/api/contact']) {
      const address = `${url}${path}`;
      for (const send of [
        () => post(address, DIAGNOSTIC, anew()),
        () => postForm(address, DIAGNOSTIC, anew()),
        () => postForm(address, multipart(DIAGNOSTIC), anew()),
      ]) {
        const response = await assertAccepted(send(), DRY_RUN_OK);
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
        assert.equal(response.headers.get('cache-control'), 'no-store');
      }
    }
    assert.equal(mailer.to(TEAM).length, 6);
  });

  it('mails the team with every field, and confirms to its sender in a text of its own', async t => {
    const { contact, mailer } = await startForms(t);
    await contact(DIAGNOSTIC);
    const [team, confirmation] = await mailer.arrived(2);
    assert.deepEqual([team?.to, confirmation?.to], [TEAM, DIAGNOSTIC.email]);
    for (const [name, value] of Object.entries(DIAGNOSTIC)) {
      assert.ok(team?.text.includes(`:\n> ${value}\n`), name);
      if (name !== 'email') assert.ok(!JSON.stringify(confirmation).includes(value), name);
    }
  });

  it('becomes files in the data directory while no mail is configured', async t => {
    const { url, config } = await startApp(t);
    await assertAccepted(post(`${url}/api/v1/contact`, DIAGNOSTIC), DRY_RUN_OK);
    const [mail = ''] = dryRunMails(config.dataDirectory);
    assert.match(mail, /^To: team@localhost\r$/m);
    assert.match(mail, /^Reply-To: ana\.ruiz@conservas\.example\r$/m);
  });
});

describe('a partner application', () => {
  it('is taken at /api/v1/partners and its alias as JSON, and confirmed to nobody', async t => {
    const { url, mailer, outbox } = await startForms(t);
    for (const path of ['/api/v1/partners', '/api/partners']) {
      await assertAccepted(post(`${url}${path}`, PARTNER, anew()), DRY_RUN_PARTNER_OK);
    }
    const records = await storedIn(outbox.database);
    assert.deepEqual(
      records.map(({ confirmation, finished_at }) => [confirmation, finished_at !== null]),
      [
        ['none', true],
        ['none', true],
      ],
    );
    assert.deepEqual(
      mailer.mails.map(({ to }) => to),
      [TEAM, TEAM],
    );
    for (const [name, value] of Object.entries(PARTNER)) {
      assert.ok(mailer.mails[0]?.text.includes(`:\n> ${value}\n`), name);
    }
  });

  it('is no form: urlencoded and multipart are an invalid_request', async t => {
    const { url, mailer, kept } = await startForms(t);
    for (const path of ['/api/v1/partners', '/api/partners']) {
      await assertRefused(postForm(`${url}${path}`, PARTNER), 'invalid_request');
      await assertRefused(postForm(`${url}${path}`, multipart(PARTNER)), 'invalid_request');
    }
    assert.deepEqual([mailer.mails.length, await kept()], [0, 0]);
  });
});

describe('the mode of an answer', () => {
  it('is absent in production', async t => {
    const { contact, partners } = await startForms(t, { env: PRODUCTION });
    await assertAccepted(contact(DIAGNOSTIC), DIAGNOSTIC_OK);
    await assertAccepted(partners(PARTNER), PARTNER_OK);
  });
});

/** Field → least and most code points. */
const BOUNDS = {
  contact: { name: [2, 120], company: [1, 200], role: [1, 120], country: [1, 80], context: [10, 4000] },
  partners: { name: [2, 120], company: [1, 200], size: [1, 40], level: [1, 80], country: [1, 80], context: [10, 4000] },
} as const;

const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`;

describe('the length of a field', () => {
  for (const form of ['contact', 'partners'] as const) {
    const good = form === 'contact' ? DIAGNOSTIC : PARTNER;
    for (const [field, [min, max]] of Object.entries(BOUNDS[form])) {
      it(`is ${min} to ${max} code points for ${field} of ${form}, spaces around it not counted`, async t => {
        const app = await startForms(t, { env: MANY });
        const issuesOf = async (value: string) =>
          (await assertRefused(app[form]({ ...good, [field]: value }), 'validation_error')).issues;
        for (const text of [
          'x'.repeat(min),
          '🍣'.repeat(min),
          'ñ'.repeat(max),
          '🍣'.repeat(max),
          ` ${'x'.repeat(max)}\n`,
        ]) {
          assert.equal((await app[form]({ ...good, [field]: text })).status, 200, `${[...text].length}`);
        }
        const tooShort = min === 1 ? 'required' : `at least ${characters(min)}`;
        for (const text of ['x'.repeat(min - 1), ` ${'🍣'.repeat(min - 1)} `]) {
          assert.deepEqual(await issuesOf(text), [`${field}: ${tooShort}`]);
        }
        for (const text of ['x'.repeat(max + 1), '🍣'.repeat(max + 1)]) {
          assert.deepEqual(await issuesOf(text), [`${field}: at most ${characters(max)}`]);
        }
        assert.equal(app.mailer.to(TEAM).length, 5);
      });
    }
  }
});

describe('the email of a submission', () => {
  it('is one plain address with a dotted domain, which becomes the Reply-To', async t => {
    const { contact, mailer } = await startForms(t, { env: MANY });
    const good = [
      'a@b.es',
      'a.b+tag@sub.b.example',
      "o'neil_%x-1@b-c.example",
      'A@B.EXAMPLE',
      '1@xn--bcher-kva.example',
    ];
    for (const email of [...good, `${'a'.repeat(64)}@${'b'.repeat(63)}.example`]) {
      assert.equal((await contact({ ...DIAGNOSTIC, email: ` ${email} ` })).status, 200, email);
      assert.equal(mailer.to(TEAM).at(-1)?.replyTo, email);
    }
  });

  it('is nothing that mail could read as two addresses, as a name, or as a second header', async t => {
    const { contact, mailer, kept } = await startForms(t, { env: MANY });
    for (const email of [
      ...['ana', 'ana@', '@b.example', 'ana@localhost', 'ana@b..example', 'ana@.b.example', 'ana@b.example.'],
      ...['a@b@c.example', 'a@b.example,c@d.example', 'a@b.example;c@d.example', 'a@b.example c@d.example'],
      ...['Ana <a@b.example>', '<a@b.example>', '"a b"@b.example', 'a(x)@b.example', 'mailto:a@b.example'],
      ...['a@b.example\nBcc: c@d.example', 'a@b.example\r\n\r\ntext', 'a\u0000@b.example', 'a\u202e@b.example'],
      ...['ñ@b.example', 'a@[127.0.0.1]', 'a@127.0.0.1', 'a@-b.example', 'a@b-.example'],
      ...[`a@${'b'.repeat(64)}.example`, `${'a'.repeat(65)}@b.example`],
    ]) {
      const { issues } = await assertRefused(contact({ ...DIAGNOSTIC, email }), 'validation_error');
      assert.deepEqual(issues, ['email: must be a valid email address'], email);
    }
    assert.deepEqual([mailer.mails.length, await kept()], [0, 0]);
  });

  it('has at most 200 characters', async t => {
    const { contact } = await startForms(t, { env: MANY });
    const label = 'b'.repeat(61);
    const ofLength = (length: number) => `${'a'.repeat(length - 189)}@${label}.${label}.${label}.es`;
    assert.deepEqual([ofLength(200).length, ofLength(201).length], [200, 201]);
    assert.equal((await contact({ ...DIAGNOSTIC, email: ofLength(200) })).status, 200);
    const { issues } = await assertRefused(contact({ ...DIAGNOSTIC, email: ofLength(201) }), 'validation_error');
    assert.deepEqual(issues, ['email: at most 200 characters']);
  });

  it('has at most 254 characters once its domain is written in ASCII, as mail carries it', async t => {
    const { contact } = await startForms(t, { env: MANY });
    const ofLength = (length: number) => `${'a'.repeat(length - 243)}@${'ñ.'.repeat(30)}es`;
    assert.equal((await contact({ ...DIAGNOSTIC, email: ofLength(254) })).status, 200);
    const { issues } = await assertRefused(contact({ ...DIAGNOSTIC, email: ofLength(255) }), 'validation_error');
    assert.deepEqual(issues, ['email: must be a valid email address']);
  });
});
