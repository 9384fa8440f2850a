import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Config, ConfigError, readConfig } from '../../server/config/config.ts';
import { confirmationMail, teamMail } from '../../server/mail/message.ts';
import { createFileMailer } from '../../server/mail/smtp.ts';
import { LETTER, mailgunAt, submission } from '../outbox/outbox-support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startMailgunDouble } from '../support/mailgun-double.ts';
import { dryRunMails } from '../support/submission-support.ts';
import { PRODUCTION } from '../support/support.ts';

const read = (env: Record<string, string>): Config => readConfig({ ...PRODUCTION, ...env });

const settingsOf = (from: string, team: string) => {
  const { mail } = read({ MAIL_FROM: from, MAIL_TO: team });
  return { from: mail.from, team: mail.to, profile: () => undefined };
};

const LETTER_OF_ANA = { ...submission(), ...LETTER, received_at: 0 };

/** Names and domains as people have them, and what no header may hold. */
const SENDERS = [
  '"Acme: consultoría, S.A." <hola@mg.acme.example>',
  '"Norte, Claro & Cía" <hola@mg.acme.example>',
  'Peña "la buena" <hola@peña.example>',
  '株式会社ノルテ <hola@例え.example>',
  'hola@bücher.example',
  '"Consultoría estratégica internacional de marcas, S.L." <hola@mg.acme.example>',
  'Acme 🚀 Fun & Co 👩‍🔬 <hola@mg.acme.example>',
];

/** The name of a header as a reader shows it (RFC 2047), without quotes. */
const nameIn = (header: string) =>
  header
    .replace(/\s*<?hola@.*/s, '')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?(.*?)\?=/g, (_, encoding: string, text: string) =>
      encoding === 'B'
        ? Buffer.from(text, 'base64').toString()
        : decodeURIComponent(text.replaceAll('_', ' ').replaceAll('=', '%')),
    )
    .replace(/["\\]/g, '');

describe('an address of MAIL_FROM or MAIL_TO', () => {
  for (const sender of SENDERS) {
    it(`${sender}: arrives by file and Mailgun, in ASCII, with one address of the own domain`, async t => {
      const settings = settingsOf(sender, `${sender}, b@acme.example`);
      const folder = temporaryFolder();
      const double = await startMailgunDouble(t);
      for (const mail of [teamMail(LETTER_OF_ANA, settings), confirmationMail(LETTER_OF_ANA, settings)]) {
        assert.ok(mail);
        assert.match(mail.messageId, /^<[\x21-\x7e]+>$/);
        await createFileMailer(folder).send(mail);
        await mailgunAt(double.url).send(mail);
      }
      for (const source of dryRunMails(folder)) {
        const [head = ''] = source.split('\r\n\r\n');
        assert.match(head, /^[\t\r\n\x20-\x7e]*$/);
        const [from = ''] = /(?<=^From: ).*(\r\n .*)*/m.exec(head) ?? [];
        assert.equal(from.match(/hola@[a-z0-9.-]+/g)?.length, 1);
        assert.equal(nameIn(from), nameIn(sender));
      }
      for (const sent of double.mails) {
        assert.match(`${sent.from}${sent.to}${sent['h:Reply-To'] ?? ''}`, /^[\x20-\x7e]*$/);
        assert.equal(sent.from?.split('@').length, 2);
        assert.equal(nameIn(sent.from ?? ''), nameIn(sender));
      }
    });
  }

  it('that no mail server would take is refused at the start', () => {
    for (const sender of [
      'josé@acme.example',
      'a@b@acme.example',
      'Acme <hola>',
      'hola acme.example',
      'Acme: S.A. <hola@acme.example>',
    ])
      assert.throws(() => settingsOf(sender, 'b@acme.example'), ConfigError, sender);
  });
});

describe('settings of mail', () => {
  it('say what to write for a character of a password that ends the host early', () => {
    for (const password of ['pa/ss', 'pa#ss', '123/x', 'a?b@c']) {
      const SMTP_URL = `smtp://user:${password}@mail.acme.example:587`;
      assert.throws(() => read({ SMTP_URL }), /SMTP_URL: holds a user or password with .*%2F %3F %23/);
    }
    for (const user of ['hola@acme.example:secret', 'user:p@ss', 'user:p%2Fss'])
      assert.ok(read({ SMTP_URL: `smtps://${user}@mail.acme.example` }));
  });
});
