import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleBrand } from '../support/example.ts';
import { startApp } from '../support/support.ts';
import { visit } from './page-support.ts';

describe('the page of documents', () => {
  it('shows HTML and a script in a link as text, where the name of a brand has them', async t => {
    const brand = await exampleBrand();
    const names = [{ es: 'Norte <i>x</i> [Claro](javascript:alert(1))' }];
    const { url } = await startApp(t, { brand: { ...brand, profile: { ...brand.profile, names } } });
    const { html } = await visit(`${url}/docs`);
    assert.match(html, /Norte &lt;i&gt;x&lt;\/i&gt; Claro/);
    assert.doesNotMatch(html, /<i>|href="javascript:/);
  });
});

describe('the home page', () => {
  it('cannot be broken by a description that ends the script for search engines', async t => {
    const brand = await exampleBrand();
    const description = '</script><script>alert(1)</script>';
    const { url } = await startApp(t, { brand: { ...brand, profile: { ...brand.profile, description } } });
    const { html } = await visit(url);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    assert.equal(JSON.parse(json).description, description);
    assert.doesNotMatch(html, /<script>alert/);
  });

  it('offers the first questions of three claims, one answer with its limits, and each form as a way to its page', async t => {
    const { url } = await startApp(t);
    const { html } = await visit(`${url}/?lang=es`);
    assert.match(html, /<h1>Norte Claro<\/h1>/);
    assert.deepEqual(
      [...html.matchAll(/<li><a href="\/ask[^>]*>([^<]+)</g)].map(([, question]) => question),
      [
        '¿Cuánto cuesta el diagnóstico inicial?',
        '¿En qué países tenéis equipo?',
        '¿Qué pasa si no se consiguen los resultados?',
      ],
    );
    assert.equal(html.match(/<article class="claim">/g)?.length, 1);
    assert.equal(html.match(/<dl class="limits">/g)?.length, 1);
    for (const path of ['/forms/diagnostic', '/forms/partner', '/claims'])
      assert.ok(html.includes(`href="${path}?lang=es"`), path);
    assert.doesNotMatch(html, /method="post"/);
  });

  it('offers nothing to ask where the profile has no questions or has expired, and then a person', async t => {
    const brand = await exampleBrand();
    const { questions: _, ...profile } = brand.profile;
    const { url, use, clock } = await startApp(t, { brand: { ...brand, profile } });
    assert.doesNotMatch((await visit(url)).html, /class="chips"/);
    await use(brand);
    clock.advance((Date.parse(brand.profile.expires_at) - clock.now()) / 1000);
    const { html } = await visit(url);
    assert.doesNotMatch(html, /class="chips"|<article|id="ask"/);
    assert.match(html, /<a class="button" href="\/forms\/diagnostic/);
  });

  it('shows the initial where the address of the logo is none that a browser can read', async t => {
    const brand = await exampleBrand();
    const logos = [{ url: 'https://norteclaro.example:99999/logo.png' }];
    const { url } = await startApp(t, { brand: { ...brand, profile: { ...brand.profile, logos } } });
    const { html } = await visit(url);
    assert.match(html, /<img src="\/aval\/icon\.svg"/);
    assert.doesNotMatch(html, /99999/);
  });
});
