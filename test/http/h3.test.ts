import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyLimit, getQuery, H3, handleCors, readBody } from 'h3';

/** Where Aval goes round h3, h3 still does what the contract forbids: a release of h3 that mends one lets our code go. */
describe('h3 by itself', () => {
  const app = new H3({ silent: true });
  const reached: string[] = [];
  app.use(({ url }) => void reached.push(url.pathname));
  app.use('/open', event => handleCors(event, { origin: '*' }) || undefined);
  app.get('/ask', event => ({ query: getQuery(event).q }));
  app.post('/ask', async event => ({ body: await readBody(event) }));
  app.post('/form', async event => Object.fromEntries(await event.req.formData()));
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>, type: string) =>
    app.request(path, { method: 'POST', body, headers: { 'content-type': type } });

  it('answers another spelling of a path (server/http/respond.ts)', async () => {
    for (const path of ['/%61sk?q=x', '/ask/?q=x']) assert.equal((await app.request(path)).status, 200);
  });

  it('refuses a path that does not decode before any middleware (server/run/service.ts)', async () => {
    assert.equal((await app.request('/%zz')).status, 400);
    assert.ok(!reached.includes('/%zz'));
  });

  it('answers 404 to OPTIONS and to another method (rest/methods.ts)', async () => {
    for (const method of ['OPTIONS', 'DELETE'])
      assert.equal((await app.request('/ask', { method })).status, 404);
  });

  it('leaves out the length of a HEAD (server/http/respond.ts)', async () => {
    assert.equal((await app.request('/ask?q=x', { method: 'HEAD' })).headers.get('content-length'), null);
  });

  it('answers a preflight without Allow, on a path that does not exist (server/http/origin.ts)', async () => {
    const headers = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
    const { status, headers: answered } = await app.request('/open', { method: 'OPTIONS', headers });
    assert.deepEqual([status, answered.get('allow')], [204, null]);
  });

  it('replaces bytes that are not UTF-8 in a query or body (rest/negotiation.ts, rest/body.ts)', async () => {
    assert.deepEqual(await (await app.request('/ask?q=%ff')).json(), { query: '\ufffd' });
    const body = Buffer.concat([Buffer.from('"'), Uint8Array.of(0xff), Buffer.from('"')]);
    assert.deepEqual(await (await post('/ask', body, 'application/json')).json(), { body: '\ufffd' });
  });

  it('finds a short boundary in the text of a form (rest/form-body.ts)', async () => {
    const form = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb x c\r\n--x--\r\n';
    assert.equal((await post('/form', form, 'multipart/form-data; boundary=x')).status, 500);
  });

  it('reads no form once the body is bounded (rest/form-body.ts)', async () => {
    const bounded = new H3({ silent: true }).use(bodyLimit(1000));
    bounded.post('/form', async event => Object.fromEntries(await event.req.formData()));
    const body = new FormData();
    body.set('a', 'b');
    assert.equal((await bounded.request('/form', { method: 'POST', body })).status, 500);
  });
});
