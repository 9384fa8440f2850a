import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { clientConfig, HOSTS } from '../../server/cli/client-config.ts';
import { run } from '../cli/command.ts';

const URL = 'https://acme.example/mcp';
const ADDRESSES = { MAIL_TO: 'team@acme.example', MAIL_FROM: 'hola@acme.example' };

async function printed(options: Parameters<typeof clientConfig>[0]): Promise<string> {
  const { code, stdout } = await run(output => clientConfig({ environment: {}, ...options }, output));
  assert.equal(code, 0);
  return stdout.trimEnd();
}

/** The words of a command as a shell reads them. */
function words(command: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

describe('aval client-config', () => {
  it('prints a command for Claude Code, and the JSON that most clients read for all others', async () => {
    assert.equal(
      await printed({ for: 'claude', url: URL }),
      `claude mcp add --transport http acme_example ${URL}`,
    );
    assert.deepEqual(JSON.parse(await printed({ for: 'json', url: URL })), {
      mcpServers: { acme_example: { type: 'http', url: URL } },
    });
  });

  it('takes the data folder and the mail with it, or submissions of the host would be a dry run elsewhere', async () => {
    const environment = {
      DATA_DIR: '/srv/data',
      SMTP_URL: 'smtp://mail.example',
      MAIL_TO: 'team@acme.example',
      MAIL_FROM: 'hola@acme.example',
      PORT: '9',
    };
    const { mcpServers } = JSON.parse(await printed({ for: 'json', stdio: true, environment }));
    const { PORT: _, ...expected } = environment;
    assert.deepEqual(mcpServers.norte_claro.env, expected);
  });

  it('prints no password and no key of the mail: a name stands in its place', async () => {
    const environments = [
      [
        { SMTP_URL: 'smtps://hola:s3cr%40t@mail.example:465' },
        /smtps:\/\/hola:YOUR_PASSWORD@mail\.example:465/,
      ],
      [{ MAILGUN_API_KEY: 'key-s3cr', MAILGUN_DOMAIN: 'mg.example' }, /MAILGUN_API_KEY\W+YOUR_API_KEY/],
    ] as const;
    for (const [environment, shown] of environments) {
      for (const host of Object.keys(HOSTS)) {
        const text = await printed({ for: host, stdio: true, environment: { ...ADDRESSES, ...environment } });
        assert.doesNotMatch(text, /s3cr/, host);
        assert.match(text, shown, host);
      }
    }
  });

  it('starts this installation with the profile of the environment over stdio', async () => {
    const environment = { BRAND_FILE: "/srv/it's mine/brand.json" };
    for (const host of Object.keys(HOSTS)) {
      const text = await printed({ for: host, stdio: true, environment });
      assert.match(text, /cli\.js/, host);
      assert.match(
        text.startsWith('{') ? text : words(text).join(' '),
        /\/srv\/it's mine\/brand\.json/,
        host,
      );
    }
    assert.ok(!('env' in JSON.parse(await printed({ for: 'json', stdio: true })).mcpServers.norte_claro));
  });
});
