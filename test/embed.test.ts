import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { embedSnippet } from '../discovery/pages/embed.ts';
import { ROOT, startApp } from './support.ts';

describe('/embed.js', () => {
  it('is one script of less than 10 KB that any page may load and that names its own server', async t => {
    const { url } = await startApp(t);
    const response = await fetch(`${url}/embed.js`);
    const script = await response.text();
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.ok(script.length < 10_000, `${script.length} bytes`);
    assert.ok(script.includes(JSON.stringify(url)));
    assert.doesNotMatch(script, /currentScript|import\.meta/);
  });

  it('stands at an address of its own as well, with its hash, and may be kept there for ever', async t => {
    const env = { BASE_URL: 'http://api.acme.example' };
    const { url } = await startApp(t, { env });
    const text = embedSnippet(env.BASE_URL);
    const [, path = '', integrity = ''] = /src="[^"]*(\/embed\.[0-9a-f]{12}\.js)" integrity="([^"]+)"/.exec(text) ?? [];
    const pinned = await fetch(url + path);
    const script = await pinned.text();
    assert.equal(pinned.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(`sha384-${createHash('sha384').update(script).digest('base64')}`, integrity);
    assert.equal(script, await (await fetch(`${url}/embed.js`)).text());
    assert.equal((await fetch(`${url}/embed.000000000000.js`)).status, 404);
  });

  it('comes with a link inside each element, for whoever gets no script', () => {
    const links = [...embedSnippet('https://api.acme.example').matchAll(/<aval-\w+[^>]*><a href="([^"]+)">/g)];
    assert.deepEqual(
      links.map(([, href]) => href),
      ['ask', 'diagnostic', 'partner'].map(name => `https://api.acme.example/forms/${name}`),
    );
  });

  it('is not there where it is switched off', async t => {
    const { url } = await startApp(t, { env: { PUBLISH_OFF: 'embed' } });
    assert.equal((await fetch(`${url}/embed.js`)).status, 404);
  });
});

describe('the sample form of docs/website.md', () => {
  it('has a label for each control that a person sees, and the fields of a request', () => {
    const text = readFileSync(`${ROOT}docs/website.md`, 'utf8');
    const controls = [
      ...text.matchAll(/<label for="(\w+)">[^<]+<\/label> <(?:input|textarea) id="(\w+)" name="(\w+)"/g),
    ];
    for (const [, label, id, name] of controls) assert.deepEqual([label, id], [name, name]);
    const required = [...text.matchAll(/<(?:input|textarea)[^>]* required>/g)];
    assert.deepEqual(
      controls.map(([, , , name]) => name),
      ['name', 'email', 'company', 'role', 'country', 'context'],
    );
    assert.equal(required.length, controls.length);
  });
});
