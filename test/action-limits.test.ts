import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { callTool, request, send } from './mcp-messages.ts';
import { DIAGNOSTIC, five, PARTNER, startForms } from './submission-support.ts';

const POLICIES = '"default";q=60;w=60, "actions";q=5;w=3600, "actions-service";q=20;w=3600';

/** The same request in other words: a repeat would take no slot. */
const another = <Fields extends object>(fields: Fields) => ({ ...fields, context: `Texto ${randomUUID()}` });

/** Clients are told apart by the address that one trusted proxy names. */
async function start(t: TestContext, env: Record<string, string> = {}) {
  const app = await startForms(t, { env: { TRUSTED_HOPS: '1', ...env } });
  const as = (client: number) => ({ 'x-forwarded-for': `203.0.113.${client}` });
  /** Actions of a client, both tools in turn; the last answer. */
  const act = async (client: number, count = 1) => {
    for (let done = 1; done < count; done += 1) {
      const { status } = await app.call('request_diagnostic', another(DIAGNOSTIC), as(client));
      assert.equal(status, 200);
    }
    return app.call('apply_partner_program', another(PARTNER), as(client));
  };
  const ask = (client: number) => send(app.url, callTool('ask_brand', { query: 'precio' }), as(client));
  return { ...app, as, act, ask };
}

describe('the headers of an action over MCP', () => {
  it('list three policies, and the trio reports the one with the least remaining', async t => {
    const { act } = await start(t);
    const first = await act(1);
    assert.deepEqual(five(first), [
      POLICIES,
      '"default";r=59;t=60, "actions";r=4;t=3600, "actions-service";r=19;t=3600',
      ...['5', '4', '3600'],
    ]);
  });

  it('show default alone on every other call of /mcp', async t => {
    const { url, act, call, as } = await start(t);
    await act(1);
    const ask = await call('ask_brand', { query: 'precio' }, as(1));
    const list = await send(url, request('tools/list'), as(1));
    const get = await fetch(`${url}/mcp`, { headers: as(1) });
    const left = [58, 57, 56];
    for (const [index, response] of [ask, list, get].entries()) {
      assert.deepEqual(five(response), [
        '"default";q=60;w=60',
        `"default";r=${left[index]};t=60`,
        ...['60', `${left[index]}`, '60'],
      ]);
    }
  });
});
