import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { FIELDS } from '../contract/contract-fixture.ts';
import { exampleBrand } from '../support/example.ts';
import { startApp } from '../support/support.ts';

async function page(t: TestContext, path: string, env: Record<string, string> = {}) {
  const { url } = await startApp(t, { env });
  const response = await fetch(url + path);
  return { response, text: await response.text(), url };
}

/** The opening tags of an element. */
const tags = (text: string, name: string) => text.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];

/** The opening tag of the control with that id. */
const control = (text: string, id: string) =>
  new RegExp(`<[a-z]+[^>]* id="${id}"[^>]*>`).exec(text)?.[0] ?? '';

describe('what a profile says', () => {
  it('cannot end the script that tells search engines who publishes', async t => {
    const brand = await exampleBrand();
    const description = '</script><script>alert(1)</script>';
    const { url } = await startApp(t, { brand: { ...brand, profile: { ...brand.profile, description } } });
    const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    assert.equal(JSON.parse(json).description, description);
    assert.doesNotMatch(html, /<script>alert/);
  });
});

describe('the home page', () => {
  it('is Spanish HTML with one H1, the name of the brand, readable without scripts', async t => {
    const { response, text } = await page(t, '/');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(text, /<html lang="es">/);
    assert.equal(tags(text, 'h1').length, 1);
    assert.match(text, /<h1>Norte Claro<\/h1>/);
    const words = text
      .replace(/<(script|style)\b.*?<\/\1>/gs, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    assert.ok(words.length > 500);
  });

  it('lets in its own style and script by their hashes, and nothing else, as the reference does', async t => {
    for (const path of ['/', '/docs']) {
      const { response, text } = await page(t, path);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
      const inline = [...text.matchAll(/<(style|script)>(.*?)<\/\1>/gs)];
      assert.equal(inline.length, 2);
      for (const [, , content = ''] of inline)
        assert.ok(policy.includes(`'sha256-${createHash('sha256').update(content).digest('base64')}'`));
      assert.doesNotMatch(text, / (on\w+|style)="/);
    }
  });

  it('has the contract’s fields in both forms, each labelled, required and bounded', async t => {
    const { text } = await page(t, '/');
    for (const [tool, fields] of [
      ['request_diagnostic', FIELDS.diagnostic],
      ['apply_partner_program', FIELDS.partner],
    ] as const)
      for (const [name, [min, max]] of Object.entries(fields)) {
        const tag = control(text, `${tool}-${name}`);
        assert.ok(tag.includes(` name="${name}"`), name);
        assert.ok(tag.includes(` required minlength="${min || 1}" maxlength="${max}"`), tag);
        assert.ok(text.includes(`<label for="${tool}-${name}">`), name);
      }
    assert.match(control(text, 'request_diagnostic-email'), / type="email"/);
    for (const choice of ['16 a 30', 'Más de 30', 'Referidor', 'No estoy seguro'])
      assert.ok(text.includes(`<option value="${choice}">`), choice);
  });

  it('hides the honeypot from people, and has none where none is set', async t => {
    const { text } = await page(t, '/', { FORM_HONEYPOT: 'website' });
    assert.match(text, /<div class="trap" aria-hidden="true">.*name="website" tabindex="-1"/);
    assert.doesNotMatch((await page(t, '/')).text, /name="website"/);
  });

  it('comes as Markdown for whoever asks for that, with the same facts', async t => {
    const { response: html, url } = await page(t, '/');
    const markdown = await fetch(url, { headers: { accept: 'text/markdown, */*' } });
    assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8');
    for (const { headers } of [html, markdown])
      assert.match(headers.get('vary') ?? '', /^Accept, Accept-Language/);
    assert.notEqual(markdown.headers.get('etag'), html.headers.get('etag'));
    const text = await markdown.text();
    assert.equal(text, await (await fetch(`${url}/index.md`)).text());
    assert.match(text, /^---\ntitle: "Norte Claro"\n/);
    assert.match(text, /^# Norte Claro$/m);
  });
});
