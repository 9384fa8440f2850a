import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXAMPLE, startApp } from '../support/support.ts';
import { openBrowser, SKIP, sendPartner, violationsInWindows } from './browser-support.ts';
import { answering, brandWithPolicy } from './page-support.ts';
import { yellowBrand } from './three-brands.ts';

const PAGES = [
  ...['/', '/docs', '/claims', '/claims/clm-diagnostic-price', '/ask?q=precio', '/ask?q='],
  ...['/forms/diagnostic', '/forms/partner'],
  ...['/forms/thanks?of=diagnostic&reference=BCDF-1234', '/no/such/page'],
];

describe('in every window and colour scheme', { ...SKIP, timeout: 840_000 }, () => {
  it('axe-core finds nothing on any page in Spanish and English, and each fits the window', async t => {
    const { url } = await startApp(t, { brand: await brandWithPolicy() });
    const { page } = await openBrowser(t);
    for (const lang of ['es', 'en'])
      for (const path of PAGES) {
        await page.goto(`${url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
        assert.deepEqual(await violationsInWindows(page), [], `${path} ${lang}`);
      }
  });

  it('nor for a light brand with a long name, for sixty claims, and where nothing is published on a question', async t => {
    const { page } = await openBrowser(t);
    const claims = Array.from({ length: 60 }, (_, index) => {
      const claim = EXAMPLE.claims[index % EXAMPLE.claims.length];
      return { ...claim, claim_id: `clm-${index}`, category: `obras-${index % 9}` };
    });
    for (const [brand, paths] of [
      [await yellowBrand(), ['/', '/claims', '/ask?q=meeting', '/forms/diagnostic']],
      [await answering({}), ['/ask?q=un%20plan']],
      // A colour that is just dark enough.
      [await answering({}, { colors: { primary: '#767676' } }), ['/', '/docs']],
      [await answering({}, { actions: {}, claims, questions: [] }), ['/', '/claims', '/ask?q=un%20plan']],
    ] as const) {
      const { url } = await startApp(t, { brand });
      for (const path of paths) {
        await page.goto(url + path);
        assert.deepEqual(await violationsInWindows(page), [], `${brand.name} ${path}`);
      }
    }
  });

  it('nor where the profile has expired', async t => {
    const { url, clock } = await startApp(t);
    clock.advance(20 * 365 * 86_400);
    const { page } = await openBrowser(t);
    for (const path of ['/', '/claims', '/claims/clm-diagnostic-price', '/ask?q=precio']) {
      await page.goto(url + path);
      assert.match(await page.innerText('main'), /caducado/);
      assert.deepEqual(await violationsInWindows(page), [], path);
    }
  });

  it('axe-core finds nothing on a refusal, over the limit, on the thanks and in a filtered list', async t => {
    const { url } = await startApp(t, { env: { LIMITS: 'submissions=1/600,default=3/60' } });
    const { page } = await openBrowser(t);
    const send = async (name: string, heading: string) => {
      await page.goto(`${url}/forms/partner?lang=es`);
      await sendPartner(page, { name });
      await page.waitForSelector(`h1:text("${heading}")`);
      assert.deepEqual(await violationsInWindows(page), [], heading);
    };
    await send('   ', 'No se ha enviado');
    await send('Ana', 'Hemos recibido');
    await send('Eva', 'Demasiados envíos');
    for (let times = 0; times < 4; times += 1) await page.goto(`${url}/ask?q=precio`);
    assert.equal(await page.locator('[role=alert]').count(), 1);
    assert.deepEqual(await violationsInWindows(page), []);
    await page.goto(`${url}/claims`);
    for (const words of ['tarifa', 'nada así']) {
      await page.fill('#filter', words);
      assert.deepEqual(await violationsInWindows(page), [], words);
    }
  });
});
