import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { exampleBrand } from '../support/example.ts';
import { EXAMPLE, startApp } from '../support/support.ts';
import { pageOf, visit } from './page-support.ts';

const CLAIM = EXAMPLE.claims[0];

/** The objects of schema.org in a page. */
const things = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
    JSON.parse(json),
  );

describe('the page of all claims', () => {
  it('lists each claim once with its limits and a link to its own page, by category with counts', async t => {
    const { url } = await startApp(t);
    const { html } = await visit(`${url}/claims?lang=es`);
    assert.equal(html.match(/<article class="row"/g)?.length, EXAMPLE.claims.length);
    assert.equal(html.match(/<dl class="limits">/g)?.length, EXAMPLE.claims.length);
    for (const { claim_id } of EXAMPLE.claims) assert.ok(html.includes(`href="/claims/${claim_id}?lang=es"`));
    const counts = [...html.matchAll(/<span class="count note">(\d+)</g)].map(([, count]) => Number(count));
    assert.equal(
      counts.length,
      new Set(EXAMPLE.claims.map(({ category }: { category: string }) => category)).size,
    );
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      EXAMPLE.claims.length,
    );
  });

  it('has the sign of a percentage at the size of its figure', async t => {
    const { url } = await startApp(t);
    const { html } = await visit(`${url}/claims?lang=es`);
    assert.match(html, /<strong>38\u00a0%<\/strong>/);
    assert.doesNotMatch(html, /<small>%/);
  });

  it('is the same bytes whatever is searched: the filter works in the browser alone', async t => {
    const { url } = await startApp(t);
    const etags = ['', '?q=precio', '?from=20'].map(async query =>
      (await fetch(`${url}/claims${query}`)).headers.get('etag'),
    );
    const [plain, searched, later] = await Promise.all(etags);
    assert.ok(plain);
    assert.deepEqual([searched, later], [plain, plain]);
  });

  it('tells search engines of each claim as one of a list', async t => {
    const { url } = await startApp(t);
    const [list] = things((await visit(`${url}/claims`)).html);
    assert.equal(list['@type'], 'ItemList');
    assert.equal(list.itemListElement.length, EXAMPLE.claims.length);
    assert.deepEqual(list.itemListElement[0], {
      '@type': 'ListItem',
      position: 1,
      url: `${url}/claims/${CLAIM.claim_id}`,
    });
  });

  it('is where /claims/ leads to, in the same language', async t => {
    const { url } = await startApp(t);
    const { status, headers } = await fetch(`${url}/claims/?lang=en`, { redirect: 'manual' });
    assert.deepEqual([status, headers.get('location')], [308, '/claims?lang=en']);
  });
});

describe('the page of one claim', () => {
  it('has its words as title and description, its limits, and an address for each language', async t => {
    const { url } = await startApp(t);
    const path = `/claims/${CLAIM.claim_id}`;
    const { status, html, text } = await visit(`${url}${path}?lang=es`);
    assert.equal(status, 200);
    assert.ok(html.includes(`<title>${CLAIM.statement} · Norte Claro</title>`));
    assert.ok(html.includes(`<meta property="og:description" content="${CLAIM.statement}">`));
    assert.ok(html.includes(`<link rel="canonical" href="${url}${path}?lang=es">`));
    assert.ok(html.includes(`<link rel="alternate" hreflang="en" href="${url}${path}?lang=en">`));
    assert.ok(html.includes(`<link rel="alternate" hreflang="x-default" href="${url}${path}">`));
    for (const words of [CLAIM.boundary.applicable_for, CLAIM.boundary.not_applicable_for])
      assert.ok(text.includes(words));
    const [thing] = things(html);
    assert.deepEqual([thing['@type'], thing.text, thing.author.url], ['Claim', CLAIM.statement, EXAMPLE.url]);
  });

  it('links the address in a public proof, and leaves that of any other as a text', async t => {
    const brand = await exampleBrand();
    const [proof] = brand.profile.proofs;
    assert.ok(proof);
    const address = 'https://papers.example/report';
    for (const [confidentiality, isLinked] of [
      ['public', true],
      ['confidential', false],
    ] as const) {
      const proofs = [{ ...proof, confidentiality, verifiable_by: `See ${address}.` }];
      const [claim] = brand.profile.claims;
      assert.ok(claim);
      const claims = [{ ...claim, proof_ids: [proof.proof_id] }];
      const { url } = await startApp(t, {
        brand: { ...brand, profile: { ...brand.profile, claims, proofs } },
      });
      const { html } = await visit(`${url}/claims/${claim.claim_id}`);
      assert.ok(html.includes(address));
      assert.equal(html.includes(`href="${address}"`), isLinked, confidentiality);
    }
  });

  it('is answered from memory: 304 for its own ETag', async t => {
    const { url } = await startApp(t);
    const address = `${url}/claims/${CLAIM.claim_id}`;
    const etag = (await fetch(address)).headers.get('etag') ?? '';
    assert.equal((await fetch(address, { headers: { 'if-none-match': etag } })).status, 304);
  });

  it('is missing for a claim that the profile does not have, and where the pages of claims are switched off', async t => {
    const { url } = await startApp(t);
    for (const path of ['/claims/clm-other', `/claims/${CLAIM.claim_id}/`, '/claims/a/b'])
      assert.equal((await visit(url + path)).status, 404, path);
    const off = await startApp(t, { env: { PUBLISH_OFF: 'claims' } });
    for (const path of [`/claims/${CLAIM.claim_id}`, '/claims/'])
      assert.equal(
        (await pageOf(fetch(off.url + path, { headers: { accept: 'text/html' } }))).status,
        404,
        path,
      );
  });
});

describe('a claim with an accented id and a small figure', () => {
  const ID = 'clm-análisis-de-precios';

  /** The example with one claim changed. */
  async function brandWithClaim(changes: object, metric: object = {}): Promise<ServedBrand> {
    const brand = await exampleBrand();
    const [first, ...others] = brand.profile.claims;
    assert.ok(first);
    const claim = { ...first, ...changes, metric: { name: 'ratio', value: 1, ...metric } };
    return { ...brand, profile: { ...brand.profile, claims: [claim, ...others] } };
  }

  it('has its page where the list, search engines and "Copy link" say', async t => {
    const { url } = await startApp(t, { brand: await brandWithClaim({ claim_id: ID }) });
    const address = `${url}/claims/clm-an%C3%A1lisis-de-precios`;
    const { html: list } = await visit(`${url}/claims?lang=es`);
    assert.equal(things(list)[0].itemListElement[0].url, address);
    assert.ok(list.includes('href="/claims/clm-an%C3%A1lisis-de-precios?lang=es"'));
    const { status, html } = await visit(address);
    assert.equal(status, 200);
    assert.ok(html.includes(`data-copy="${address}"`));
    assert.ok(html.includes(`<link rel="canonical" href="${address}?lang=es">`));
  });

  it('has a page for the longest id of any script', async t => {
    const id = '語'.repeat(100);
    const { url } = await startApp(t, { brand: await brandWithClaim({ claim_id: id }) });
    assert.equal((await visit(`${url}/claims/${encodeURIComponent(id)}`)).status, 200);
  });

  it('shows every digit of its figure, and a currency only where the unit is one', async t => {
    const { url, use } = await startApp(t);
    for (const [value, unit, figure] of [
      [0.0004, '%', /0,0004\s%/],
      [2.71845, 'puntos', /2,71845\spuntos/],
      [0.0125, 'EUR', /0,0125\s€/],
      [1.005, 'JPY', /1,005\sJPY/],
      [7900, 'EUR sin IVA', /7\.900\s€\ssin IVA/],
      [61.26, 'NPS', /61,26\sNPS/],
    ] as const) {
      await use(await brandWithClaim({}, { value, unit, baseline: 0.00015 }));
      const { text } = await visit(`${url}/claims/${CLAIM.claim_id}?lang=es`);
      assert.match(text, figure);
      assert.match(text, /0,00015/);
    }
  });
});

describe('every page', () => {
  it('links to the firm’s own website, and loads style and script as files that change their address', async t => {
    const { url } = await startApp(t);
    for (const path of [
      '/',
      '/claims',
      `/claims/${CLAIM.claim_id}`,
      '/docs',
      '/ask?q=precio',
      '/forms/partner',
      '/x',
    ]) {
      const { html, headers } = await visit(url + path);
      assert.match(html, /<header.*<a class="site" href="https:\/\/norteclaro\.example">/s, path);
      assert.doesNotMatch(html, /<style|<script>| style="| on\w+="/, path);
      assert.match(headers.get('content-security-policy') ?? '', /style-src 'self'; script-src 'self'/, path);
      for (const [, asset = ''] of html.matchAll(/(?:href|src)="(\/aval\/[^"]+\?[0-9a-f]{8})"/g)) {
        const { status, headers: file } = await fetch(url + asset);
        assert.equal(status, 200, asset);
        assert.match(file.get('etag') ?? '', /^"[0-9a-f]{64}"$/);
      }
    }
  });

  it('is listed with one canonical address that its hreflang names too, and answers are not listed', async t => {
    const { url } = await startApp(t);
    for (const path of ['/', '/claims', '/docs']) {
      const { html } = await visit(`${url}${path}?lang=en`);
      const [, canonical = ''] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? [];
      assert.equal(canonical, `${url}${path}?lang=en`);
      assert.ok(html.includes(`<link rel="alternate" hreflang="en" href="${canonical}">`));
      assert.ok(html.includes(`<link rel="alternate" hreflang="x-default" href="${url}${path}">`));
    }
    const { html } = await visit(`${url}/ask?q=precio`);
    assert.match(html, /<meta name="robots" content="noindex">/);
    assert.doesNotMatch(html, /canonical|hreflang="x-default"/);
  });
});
