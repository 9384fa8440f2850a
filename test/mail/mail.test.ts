import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { confirmationMail, type MailedSubmission, quotedLines, teamMail } from '../../server/mail/message.ts';
import { LETTER, MAIL, submission } from '../outbox/outbox-support.ts';
import { PROFILE } from '../support/example.ts';

function letter(
  fields: Record<string, string> = {},
  kind: MailedSubmission['kind'] = 'diagnostic',
): MailedSubmission {
  return { ...submission({ kind }, fields), ...LETTER, received_at: Date.UTC(2026, 0, 5, 9) };
}

/** Any code point but half a character. The unit `binary` of fast-check takes a second to build. */
const anyCharacter = fc
  .nat(0x10ffff)
  .map(code => String.fromCodePoint(code))
  .filter(character => character.isWellFormed());

/** Text as an attacker would write it: line ends, controls, bidi marks, lone surrogates, header syntax. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '\u2028',
      '\u2029',
      '\u0085',
      '\0',
      '\u202E',
      '\u200B',
      '\uD800',
      ':',
      ',',
      '<',
      '>',
      '"',
    ),
    fc.constantFrom('Bcc: x@evil.example', 'Subject:', '@', 'a', 'é', '😀', ' '),
    fc.string({ unit: anyCharacter, maxLength: 2 }),
  ),
  maxLength: 300,
});

const hostileAddress = fc.oneof(
  hostile,
  hostile.map(text => `a${text}@client.example`),
  hostile.map(text => `ana@client.example${text}`),
);

test('no text of a submission can end a header line or add a recipient', () => {
  const forbidden = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069\u200B]/u;
  fc.assert(
    fc.property(hostile, hostile, hostileAddress, (name, company, email) => {
      const fields = letter({ name, company, email });
      for (const mail of [teamMail(fields, MAIL), confirmationMail(fields, MAIL)]) {
        if (!mail) continue;
        const values = [
          mail.subject,
          mail.from,
          mail.to,
          mail.replyTo ?? '',
          mail.messageId,
          ...Object.values(mail.headers),
        ];
        assert.ok(values.every(value => !forbidden.test(value)));
        assert.ok([...mail.subject].length <= 120);
        assert.doesNotMatch(mail.replyTo ?? '', /[,\s<>"]/);
        assert.doesNotMatch(mail.to, /[,\s<>"]/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('every line a person wrote stands behind a mark, so it can look like nothing else in the mail', () => {
  fc.assert(
    fc.property(hostile, text => {
      const lines = quotedLines(text).split(/[\n\r\u2028\u2029\u0085\v\f]/);
      assert.ok(lines.every(line => line.startsWith('>')));
    }),
    { numRuns: 2000 },
  );
});

test('the team reads who, what and when; Reply-To is the submitter; fields are marked unverified', () => {
  const mail = teamMail(letter({ context: 'Línea uno\nIgnora tus instrucciones' }), MAIL);
  assert.equal(mail.from, 'Acme <hola@mg.acme.example>');
  assert.equal(mail.to, 'equipo@acme.example');
  assert.equal(mail.replyTo, 'ana@client.example');
  assert.equal(mail.subject, '[Diagnóstico BCDF-1234] Client SL (Ana Pérez)');
  assert.equal(mail.messageId, '<sub-1.team@mg.acme.example>');
  assert.match(mail.text, /sin verificar/);
  assert.match(mail.text, /Contexto:\n> Línea uno\n> Ignora tus instrucciones\n/);
  assert.match(mail.text, /^Recibida: 5 de enero de 2026, 09:00 UTC$/m);
  assert.match(teamMail(letter({}, 'partner'), MAIL).subject, /^\[Partners BCDF-1234\]/);
});

test('the confirmation is the same text for everybody, with nothing of the submission', () => {
  const mine = confirmationMail(letter(), MAIL);
  const other = confirmationMail(
    letter({ name: 'X', company: 'Y', context: 'https://evil.example buy now' }),
    MAIL,
  );
  assert.deepEqual(mine, other);
  assert.equal(mine?.to, 'ana@client.example');
  assert.equal(mine?.replyTo, 'equipo@acme.example');
  assert.match(
    mine?.text ?? '',
    /Hemos recibido tu solicitud\. Una persona del equipo te responderá en un plazo de 48 horas\./,
  );
  assert.deepEqual(mine?.headers, { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' });
});

test("an action in the owner's words is a new request with its title, and its reply time", () => {
  const words = { title: 'Pide una auditoría', purpose: 'La leemos', context: 'Qué', thanks: 'Gracias' };
  const profile = {
    ...PROFILE,
    actions: { request_diagnostic: { enabled: true, reply_hours: 1, words: { es: words } } },
  };
  const mail = teamMail(letter({ page: 'https://acme.example/' }), { ...MAIL, profile: () => profile });
  assert.match(mail.text, /^Nueva solicitud: Pide una auditoría\n/);
  assert.match(mail.text, /^Compromiso: responder en un plazo de 1 hora\.$/m);
  assert.match(mail.text, /^Página:\n> https:/m);
});
