// contract: 9
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FULL } from './discovery-support.ts';
import { CLOUDFLARE, ORA, type Visitor } from './readiness-probes.ts';
import { startApp } from './support.ts';

/** What scanners ask for and this service does not have, on purpose. The paths must answer a plain 404. */
const DECLINED: readonly [name: string, reason: string, path?: string][] = [
  ['oauthDiscovery', 'nothing is protected', '/.well-known/oauth-authorization-server'],
  ['oauthProtectedResource', 'nothing is protected', '/.well-known/oauth-protected-resource'],
  ['webBotAuth', 'the service sends no requests of its own', '/.well-known/http-message-signatures-directory'],
  ['dnsAid', "DNS records are the operator's, not the server's"],
  ['x402, mpp, ucp, acp, ap2', 'no payments are processed', '/.well-known/ucp'],
  ['ai-plugin.json', 'stale, scanners flag it', '/.well-known/ai-plugin.json'],
  ['agent.json', 'the older name of the agent card', '/.well-known/agent.json'],
  ['async-job-pattern', 'every answer is immediate: no job, nothing to poll'],
  ['sandbox-environment', 'there is no sandbox, and every document says so'],
  ['batch, pagination, GraphQL, SDKs', 'three actions need none of them', '/graphql'],
];

describe('a scanner for agent readiness', () => {
  it('finds everything that this service can honestly offer', async t => {
    const { url } = await startApp(t, { env: { ...FULL, LIMIT_DEFAULT: '5000/60' } });
    const get = (path: string, accept = '*/*') => fetch(`${url}${path}`, { headers: { accept } });
    const text = async (path: string, accept?: string) => (await get(path, accept)).text();
    const site: Visitor = { url, get, text, json: async path => JSON.parse(await text(path)) };
    for (const [scanner, probes] of Object.entries({ cloudflare: CLOUDFLARE, ora: ORA })) {
      for (const { name, passes } of probes) {
        const passed = await passes(site).catch(() => false);
        t.diagnostic(`${passed ? 'passed' : 'FAILED'}  ${scanner}  ${name}`);
        assert.ok(passed, `${scanner}: ${name}`);
      }
    }
  });

  it('meets a plain 404 where the service declines, and can read why here', async t => {
    const { url } = await startApp(t);
    for (const [name, reason, path] of DECLINED) {
      t.diagnostic(`declined  ${name}: ${reason}`);
      if (path !== undefined) assert.equal((await fetch(`${url}${path}`)).status, 404, path);
    }
  });
});
