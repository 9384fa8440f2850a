import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Claim } from '../../brand/profile/schema.ts';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { exampleBrand } from '../support/example.ts';
import { EXAMPLE, startApp } from '../support/support.ts';
import { visit } from './page-support.ts';

const CLAIM = EXAMPLE.claims[0];

/** The first object of schema.org in a page. */
const thingIn = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '');

/** The example with its first claim changed, and perhaps the first proof. */
async function brandWith(changes: Partial<Claim>, proofChanges: object = {}): Promise<ServedBrand> {
  const brand = await exampleBrand();
  const [claim, ...claims] = brand.profile.claims;
  const [proof, ...proofs] = brand.profile.proofs;
  assert.ok(claim && proof);
  const profile = {
    ...brand.profile,
    claims: [{ ...claim, ...changes }, ...claims],
    proofs: [{ ...proof, ...proofChanges }, ...proofs],
  };
  return { ...brand, profile };
}

describe('the page of all claims', () => {
  it('lists each claim once with its limits and a link to its own page, by category with counts', async t => {
    const { url } = await startApp(t);
    const { html } = await visit(`${url}/claims?lang=es`);
    assert.equal(html.match(/<article class="row"/g)?.length, EXAMPLE.claims.length);
    assert.equal(html.match(/<dl class="limits">/g)?.length, EXAMPLE.claims.length);
    for (const { claim_id } of EXAMPLE.claims) assert.ok(html.includes(`href="/claims/${claim_id}?lang=es"`));
    const counts = [...html.matchAll(/<span class="count note">(\d+)</g)].map(([, count]) => Number(count));
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      EXAMPLE.claims.length,
    );
    assert.match(html, /<h2>Distribución y negociación<\/h2>/);
    const { itemListElement } = thingIn(html);
    assert.equal(itemListElement.length, EXAMPLE.claims.length);
    assert.equal(itemListElement[0].url, `${url}/claims/${CLAIM.claim_id}`);
  });

  it('is where /claims/ leads to, in the same language', async t => {
    const { url } = await startApp(t);
    const { status, headers } = await fetch(`${url}/claims/?lang=en`, { redirect: 'manual' });
    assert.deepEqual([status, headers.get('location')], [308, '/claims?lang=en']);
  });
});

describe('the page of one claim', () => {
  it('has its words as title and description, its limits, and who states it', async t => {
    const { url } = await startApp(t);
    const { status, html, text } = await visit(`${url}/claims/${CLAIM.claim_id}?lang=es`);
    assert.equal(status, 200);
    assert.ok(html.includes(`<title>${CLAIM.statement} · Norte Claro</title>`));
    assert.ok(html.includes(`<meta property="og:description" content="${CLAIM.statement}">`));
    for (const words of Object.values<string>(CLAIM.boundary)) assert.ok(text.includes(words));
    const thing = thingIn(html);
    assert.deepEqual([thing['@type'], thing.text, thing.author.url], ['Claim', CLAIM.statement, EXAMPLE.url]);
  });

  it('links the address in a public proof, and leaves that of any other as a text', async t => {
    const { url, use } = await startApp(t);
    const address = 'https://papers.example/report';
    const proof_ids = [EXAMPLE.proofs[0].proof_id];
    for (const confidentiality of ['public', 'confidential']) {
      await use(await brandWith({ proof_ids }, { confidentiality, verifiable_by: `See ${address}.` }));
      const { html } = await visit(`${url}/claims/${CLAIM.claim_id}`);
      assert.ok(html.includes(address));
      assert.equal(html.includes(`href="${address}"`), confidentiality === 'public');
    }
  });

  it('is missing for a claim that the profile does not have, and where the pages of claims are switched off', async t => {
    const { url } = await startApp(t);
    for (const path of ['/claims/clm-other', `/claims/${CLAIM.claim_id}/`, '/claims/a/b'])
      assert.equal((await visit(url + path)).status, 404, path);
    const off = await startApp(t, { env: { PUBLISH_OFF: 'claims' } });
    for (const path of [`/claims/${CLAIM.claim_id}`, '/claims/'])
      assert.equal((await visit(off.url + path)).status, 404, path);
  });

  it('has an address for an id in any script, where the list, search engines and "Copy link" say', async t => {
    const { url, use } = await startApp(t);
    for (const claim_id of ['clm-análisis-de-precios', '語'.repeat(100)]) {
      await use(await brandWith({ claim_id }));
      const path = `/claims/${encodeURIComponent(claim_id)}`;
      const { html: list } = await visit(`${url}/claims?lang=es`);
      assert.equal(thingIn(list).itemListElement[0].url, url + path);
      assert.ok(list.includes(`href="${path}?lang=es"`));
      const { status, html } = await visit(url + path);
      assert.equal(status, 200);
      assert.ok(html.includes(`data-copy="${url}${path}"`));
    }
  });

  it('shows every digit of a figure, and a currency only where the unit is one', async t => {
    const { url, use } = await startApp(t);
    for (const [value, unit, figure] of [
      [0.0004, '%', /<strong>0,0004\s%<\/strong>/],
      [2.71845, 'puntos', /2,71845<\/strong>\s<small>puntos/],
      [7900, 'EUR sin IVA', /7\.900\s€<\/strong>\s<small>sin IVA/],
      [1.005, 'JPY', /1,005\sJPY/],
      [61.26, 'NPS', /61,26<\/strong>\s<small>NPS/],
    ] as const) {
      await use(await brandWith({ metric: { name: 'ratio', value, unit, baseline: 0.00015 } }));
      const { html } = await visit(`${url}/claims/${CLAIM.claim_id}?lang=es`);
      assert.match(html, figure);
      assert.match(html, /0,00015/);
    }
  });
});

describe('every page', () => {
  it('links to the firm’s own website, and loads style and script as files that change their address', async t => {
    const { url } = await startApp(t);
    const claim = `/claims/${CLAIM.claim_id}`;
    for (const path of ['/', '/claims', claim, '/docs', '/ask?q=precio', '/forms/partner', '/x']) {
      const { html, headers } = await visit(url + path);
      assert.match(html, /<header.*<a class="site" href="https:\/\/norteclaro\.example">/s, path);
      assert.doesNotMatch(html, /<style|<script>| style="| on\w+="/, path);
      assert.match(headers.get('content-security-policy') ?? '', /style-src 'self'; script-src 'self'/, path);
      for (const [, asset = ''] of html.matchAll(/(?:href|src)="(\/aval\/[^"]+\?[0-9a-f]{8})"/g))
        assert.equal((await fetch(url + asset)).status, 200, asset);
    }
  });

  it('is listed with one canonical address that its hreflang names too, unless its address has a visitor’s words', async t => {
    const { url } = await startApp(t);
    for (const path of ['/', '/claims', `/claims/${CLAIM.claim_id}`, '/docs', '/forms/partner']) {
      const { html } = await visit(`${url}${path}?lang=en`);
      const [, canonical = ''] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? [];
      assert.equal(canonical, `${url}${path}?lang=en`);
      assert.ok(html.includes(`<link rel="alternate" hreflang="en" href="${canonical}">`));
      assert.ok(html.includes(`<link rel="alternate" hreflang="x-default" href="${url}${path}">`));
    }
    for (const path of ['/ask?q=precio', '/forms/diagnostic?context=precio']) {
      const { html } = await visit(url + path);
      assert.match(html, /<meta name="robots" content="noindex">/);
      assert.doesNotMatch(html, /canonical|hreflang="x-default"/);
    }
  });
});
