import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request } from '../mcp/mcp-messages.ts';
import { DIAGNOSTIC, startForms } from '../support/submission-support.ts';
import { exchange, post, startApp } from '../support/support.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const idOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-request-id');

describe('the id of a request', () => {
  it('is in every answer and in the line of the log, a new one for each', async t => {
    const { url, lines } = await startApp(t);
    const answers = await Promise.all([
      fetch(`${url}/ask?q=precio`),
      fetch(`${url}/nowhere`),
      fetch(`${url}/ask`, { method: 'DELETE' }),
      fetch(`${url}/openapi.json`),
      post(`${url}/mcp`, request('ping')),
      post(`${url}/mcp`, '['),
      post(`${url}/api/v1/contact`, 'x'.repeat(40_000)),
    ]);
    const ids = answers.map(idOf);
    for (const id of ids) assert.match(String(id), UUID);
    assert.equal(new Set(ids).size, ids.length);
    const logged = lines.filter(({ event }) => event === 'request').map(({ id }) => id);
    assert.deepEqual(logged.toSorted(), ids.toSorted());
  });

  it('is given to what Node.js itself could not read, which has a line in the log too', async t => {
    const { url, lines } = await startApp(t);
    const [, id] = /x-request-id: (\S+)/.exec(await exchange(url, ['GET / HTTP/9.9\r\n\r\n'])) ?? [];
    assert.match(String(id), UUID);
    assert.deepEqual(lines.at(-1), {
      ...{ level: 'info', event: 'request', id, client: lines.at(-1)?.client },
      ...{ method: 'none', route: 'none', status: 400, ms: 0, code: 'invalid_request' },
    });
  });
});

describe('the log', () => {
  it('says of every refused request the code, and the setting that would let it through', async t => {
    const env = { LIMITS: 'submissions=1/3600' };
    const { url, lines, contact } = await startForms(t, { env });
    const last = () => lines.findLast(({ event }) => event === 'request') ?? {};
    const refusals: readonly (readonly [act: () => Promise<unknown>, line: object])[] = [
      [() => fetch(`${url}/nowhere`), { status: 404, code: 'not_found' }],
      [
        () => fetch(`${url}/mcp`, { method: 'POST', headers: { origin: 'https://evil.example' } }),
        { status: 403, code: 'invalid_request', setting: 'ALLOWED_ORIGINS' },
      ],
      [
        () => contact(DIAGNOSTIC).then(() => contact({ ...DIAGNOSTIC, name: 'Otra' })),
        { status: 429, setting: 'LIMITS' },
      ],
    ];
    for (const [act, line] of refusals) {
      await act();
      assert.deepEqual({ ...last(), ...line }, last(), JSON.stringify(line));
    }
  });
});
