import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { clientConfig, HOSTS } from '../server/cli/client-config.ts';

const URL = 'https://acme.example/mcp';

function printed(options: Parameters<typeof clientConfig>[0]): string {
  let text = '';
  const stdout = { write: (more: string) => (text += more) };
  assert.equal(clientConfig({ environment: {}, ...options }, { stdout, stderr: { write: () => true } }), 0);
  return text.trimEnd();
}

/** The words of a command as a shell reads them. */
function words(command: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

describe('aval client-config', () => {
  it('prints a command for hosts that have one', () => {
    assert.equal(printed({ for: 'claude', url: URL }), `claude mcp add --transport http aval ${URL}`);
    assert.equal(printed({ for: 'codex', url: URL }), `codex mcp add aval --url ${URL}`);
    assert.deepEqual(words(printed({ for: 'inspector', url: URL })).slice(3, 5), ['--cli', URL]);
    const [code, flag, json = ''] = words(printed({ for: 'vscode', url: URL }));
    assert.deepEqual([code, flag, JSON.parse(json)], ['code', '--add-mcp', { name: 'aval', type: 'http', url: URL }]);
  });

  it('prints the block of the settings file for the others', () => {
    assert.deepEqual(JSON.parse(printed({ for: 'cursor', url: URL })), { mcpServers: { aval: { url: URL } } });
    const { mcpServers } = JSON.parse(printed({ for: 'claude-desktop', url: URL }));
    assert.deepEqual(mcpServers.aval, { command: 'npx', args: ['-y', 'mcp-remote', URL] });
  });

  it('adds /mcp to an address without a path, and takes that of the environment by default', () => {
    assert.deepEqual(JSON.parse(printed({ for: 'cursor', url: 'https://acme.example' })).mcpServers.aval, { url: URL });
    const environment = { BASE_URL: 'https://acme.example' };
    assert.deepEqual(JSON.parse(printed({ for: 'cursor', environment })).mcpServers.aval, { url: URL });
    assert.match(printed({ for: 'cursor' }), /http:\/\/127\.0\.0\.1:8787\/mcp/);
  });

  it('starts this installation with the profile of the environment over stdio', () => {
    const environment = { BRAND_FILE: "/srv/it's mine/brand.json" };
    for (const host of Object.keys(HOSTS)) {
      const text = printed({ for: host, stdio: true, environment });
      assert.match(text, /cli\.js/, host);
      assert.match(text.startsWith('{') ? text : words(text).join(' '), /\/srv\/it's mine\/brand\.json/, host);
    }
    assert.ok(!('env' in JSON.parse(printed({ for: 'cursor', stdio: true })).mcpServers.aval));
  });

  it('refuses a host that it does not know, an address that is none, and two ways at once', () => {
    assert.throws(() => printed({ for: 'toString' }), /claude, claude-desktop, vscode, cursor, codex, inspector/);
    assert.throws(() => printed({ for: 'cursor', url: 'acme.example' }), /http or https/);
    assert.throws(() => printed({ for: 'cursor', url: URL, stdio: true }), /not both/);
  });
});
