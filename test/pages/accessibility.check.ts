import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { EXAMPLE, startApp } from '../support/support.ts';
import {
  openBrowser,
  resize,
  SKIP,
  sendPartner,
  violations,
  violationsInWindows,
  WINDOWS,
} from './browser-support.ts';
import { answering, brandWithPolicy } from './page-support.ts';
import { yellowBrand } from './three-brands.ts';

const PAGES = [
  ...['/', '/docs', '/claims', '/claims/clm-diagnostic-price', '/ask?q=precio', '/ask?q='],
  ...['/forms/diagnostic', '/forms/partner'],
  ...['/forms/thanks?of=diagnostic&reference=BCDF-1234', '/no/such/page'],
];

/** Texts that cannot be read while the pointer is on one control of each kind. */
async function unreadableUnderPointer(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const control of ['button', '.button', 'nav a', '.brand', 'main p a', 'summary']) {
    const first = page.locator(`${control}:visible`).first();
    if ((await first.count()) === 0) continue;
    await first.hover();
    found.push(...(await violations(page, ['color-contrast'], `${control}:hover`)));
  }
  return found;
}

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

  it('what the pointer is on can be read, with a colour that is just dark enough', async t => {
    const { url } = await startApp(t, { brand: await answering({}, { colors: { primary: '#767676' } }) });
    const { page } = await openBrowser(t);
    for (const path of ['/', '/docs']) {
      await page.goto(url + path);
      for (const window of WINDOWS) {
        await resize(page, window);
        const name = `${path} ${window.width} ${window.colorScheme}`;
        assert.deepEqual(await unreadableUnderPointer(page), [], name);
      }
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
