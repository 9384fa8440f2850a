import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../support/folder.ts';
import { bodyOf, startApp } from '../support/support.ts';

describe('/embed.js', () => {
  it('is one script with its style that any page may load and that names its own server', async t => {
    const { url } = await startApp(t);
    const response = await fetch(`${url}/embed.js`);
    const script = await response.text();
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.ok(script.includes(JSON.stringify(url)));
    assert.doesNotMatch(script, /currentScript|import\.meta/);
  });

  it('weighs with its box less than 6 KB, packed, and the box takes none of the questions', async t => {
    const { url } = await startApp(t);
    const weights: number[] = [];
    for (const path of ['/embed.js', '/forms/ask']) {
      const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
      const response = await fetch(url + path, { headers });
      assert.equal(response.headers.get('content-encoding'), 'gzip', path);
      assert.match(response.headers.get('ratelimit') ?? '', /^"default";r=60;/, path);
      weights.push(gzipSync(await response.text()).length);
    }
    assert.ok(weights.reduce((sum, weight) => sum + weight) < 6000, String(weights));
  });
});

describe('the sample forms', () => {
  it('have the fields that a request needs, on docs/website.md each with a label that a person sees', async t => {
    const { url } = await startApp(t);
    const { components } = await bodyOf(await fetch(`${url}/openapi.json`));
    const needed = (name: string) => components.schemas[name].required.toSorted();
    const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');

    const controls = [
      ...read('docs/website.md').matchAll(
        /<label for="(\w+)">[^<]+<\/label> <(?:input|textarea) id="(\w+)" name="(\w+)"[^>]* required>/g,
      ),
    ];
    for (const [, label, id, name] of controls) assert.deepEqual([label, id], [name, name]);
    assert.deepEqual(controls.map(([, , , name]) => name).toSorted(), needed('DiagnosticRequest'));

    const [, plain = '', api = ''] = read('examples/site/index.html').split('<form ');
    const fields = (form: string) =>
      [...form.matchAll(/name="(\w+)"[^>]* required/g)].map(([, name]) => name).toSorted();
    assert.deepEqual(fields(plain), needed('DiagnosticRequest'));
    assert.deepEqual(fields(api), needed('PartnerRequest'));
  });
});
