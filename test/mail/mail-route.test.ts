import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../server/config/config.ts';
import { MAIL_PROVIDERS } from '../../server/config/mail-providers.ts';
import { mailRouteOf } from '../../server/outbox/open-submissions.ts';

const MAIL = { MAIL_FROM: 'hola@acme.example', MAIL_TO: 'equipo@acme.example' };

/** A value that each setting of a provider takes. */
const sampleFor = (name: string) => (name.endsWith('_URL') ? 'smtps://mail.acme.example' : 'value');

const settingsOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map(name => [name, sampleFor(name)]));

const routes = (settings: Record<string, string>) => {
  const config = readConfig(settings);
  return (['server', 'stdio'] as const).map(user => {
    const { mode, mailer } = mailRouteOf(config, user);
    return `${user}: ${mode} by ${mailer.name}`;
  });
};

describe('the mode that callers are told', () => {
  for (const [provider, names] of Object.entries(MAIL_PROVIDERS)) {
    it(`is production where ${provider} sends, and a dry run where mails are files`, () => {
      const settings = { ...MAIL, ...settingsOf(names) };
      assert.deepEqual(routes(settings), ['server: dry-run by file', `stdio: production by ${provider}`]);
      assert.deepEqual(routes({ ...settings, NODE_ENV: 'production' }), [
        `server: production by ${provider}`,
        `stdio: production by ${provider}`,
      ]);
    });

    it(`needs each setting of ${provider}, a sender and the team's address`, () => {
      const settings: Record<string, string> = { ...MAIL, ...settingsOf(names) };
      for (const name of ['MAIL_FROM', 'MAIL_TO', ...names]) {
        const { [name]: _, ...rest } = settings;
        if (names.some(need => need in rest))
          assert.throws(() => readConfig(rest), new RegExp(`\\n  ${name}: `), name);
      }
    });
  }

  it('is a dry run without a provider', () => {
    assert.deepEqual(routes({}), ['server: dry-run by file', 'stdio: dry-run by file']);
  });

  it('is nobody’s with two providers at once: the settings are refused', () => {
    const both = { ...MAIL, ...settingsOf(MAIL_PROVIDERS.mailgun), ...settingsOf(MAIL_PROVIDERS.smtp) };
    assert.throws(() => readConfig(both), /SMTP_URL: set it or MAILGUN_API_KEY, not both/);
  });
});
