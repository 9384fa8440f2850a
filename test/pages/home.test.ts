import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { exampleBrand } from '../support/example.ts';
import { EXAMPLE, startApp } from '../support/support.ts';
import { visit } from './page-support.ts';

async function page(t: TestContext, path: string, env: Record<string, string> = {}) {
  const { url } = await startApp(t, { env });
  const response = await fetch(url + path);
  return { response, text: await response.text(), url };
}

/** The opening tags of an element. */
const tags = (text: string, name: string) => text.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];

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

  it('offers the profile’s first three questions, one answer with its limits, and each form as a way to its page', async t => {
    const { text } = await page(t, '/?lang=es');
    const offered = [...text.matchAll(/<li><a href="\/ask[^>]*>([^<]+)</g)].map(([, question]) => question);
    const spanish = EXAMPLE.questions.filter(({ language = 'es' }) => language === 'es');
    const byClaim = new Map(
      spanish.toReversed().map((question: { claim_id: string }) => [question.claim_id, question]),
    );
    const firsts = spanish.filter(
      (question: { claim_id: string }) => byClaim.get(question.claim_id) === question,
    );
    assert.deepEqual(
      offered,
      firsts.slice(0, 3).map((question: { text: string }) => question.text),
    );
    assert.equal(text.match(/<article class="claim">/g)?.length, 1);
    assert.equal(text.match(/<dl class="limits">/g)?.length, 1);
    for (const path of ['/forms/diagnostic', '/forms/partner', '/claims'])
      assert.ok(text.includes(`href="${path}?lang=es"`), path);
    assert.doesNotMatch(text, /method="post"/);
  });

  it('has one H1 and offers nothing to ask where the profile has no questions or has expired', async t => {
    const brand = await exampleBrand();
    const { questions: _, ...profile } = brand.profile;
    const { url, use, clock } = await startApp(t, { brand: { ...brand, profile } });
    const read = async () => (await fetch(url, { headers: { accept: 'text/html' } })).text();
    assert.doesNotMatch(await read(), /class="chips"/);
    await use(brand);
    clock.advance((Date.parse(brand.profile.expires_at) - clock.now()) / 1000);
    const expired = await read();
    assert.match(expired, /Este perfil ha caducado/);
    assert.doesNotMatch(expired, /class="chips"|<article|id="ask"/);
    assert.match(expired, /<a class="button" href="\/forms\/diagnostic/);
  });

  it('shows the initial where the address of the logo is none that a browser can read', async t => {
    const brand = await exampleBrand();
    const logos = [{ url: 'https://norteclaro.example:99999/logo.png' }];
    const { url } = await startApp(t, { brand: { ...brand, profile: { ...brand.profile, logos } } });
    const { status, html } = await visit(url);
    assert.equal(status, 200);
    assert.match(html, /<img src="\/aval\/icon\.svg"/);
    assert.doesNotMatch(html, /99999/);
  });

  it('has no lead where the profile has no description', async t => {
    const brand = await exampleBrand();
    const { description: _, ...profile } = brand.profile;
    const { url } = await startApp(t, { brand: { ...brand, profile } });
    assert.doesNotMatch((await visit(url)).html, /class="lead"/);
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
