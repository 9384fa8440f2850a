import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startApp } from '../support/support.ts';
import {
  openBrowser,
  resize,
  SKIP,
  sendPartner,
  violations,
  violationsInWindows,
  WINDOWS,
} from './browser-support.ts';
import { colourfulBrand } from './three-brands.ts';

const PAGES = [
  ...['/', '/docs', '/claims', '/claims?q=precio', '/ask?q=precio'],
  ...['/ask?q=A%20qu%C3%A9%20os%20dedic%C3%A1is', '/ask?q=tiempo%20en%20marte', '/ask?q='],
  ...['/forms/diagnostic', '/forms/partner', '/forms/question'],
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

describe('in every window and colour scheme', { ...SKIP, timeout: 480_000 }, () => {
  it('axe-core finds nothing on any page in Spanish and English, and each fits the window', async t => {
    const { url } = await startApp(t, { env: { PRIVACY_URL: 'https://norteclaro.example/privacidad' } });
    const { page } = await openBrowser(t);
    for (const lang of ['es', 'en'])
      for (const path of PAGES) {
        await page.goto(`${url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
        assert.deepEqual(await violationsInWindows(page), [], `${path} ${lang}`);
      }
  });

  it('what the pointer is on can be read, with a colour that is just dark enough', async t => {
    const { url } = await startApp(t, { brand: await colourfulBrand({ primary: '#767676' }) });
    const { page } = await openBrowser(t);
    for (const path of ['/', '/docs']) {
      await page.goto(url + path);
      for (const window of WINDOWS) {
        await resize(page, window);
        assert.deepEqual(
          await unreadableUnderPointer(page),
          [],
          `${path} ${window.width} ${window.colorScheme}`,
        );
      }
    }
  });

  it('axe-core finds nothing on a refusal, over the limit and on the thanks', async t => {
    const { url } = await startApp(t, { env: { LIMIT_SUBMISSIONS: '1/600', LIMIT_DEFAULT: '3/60' } });
    const { page } = await openBrowser(t);
    const send = async (name: string, heading: string) => {
      await page.goto(`${url}/forms/partner?lang=es`);
      await sendPartner(page, { name });
      await page.waitForSelector(`h1:text("${heading}")`);
      assert.deepEqual(await violationsInWindows(page), [], heading);
    };
    await send('   ', 'No se ha enviado');
    await send('Ana', 'Gracias');
    await send('Eva', 'Demasiados envíos');
    for (let times = 0; times < 4; times += 1) await page.goto(`${url}/ask?q=precio`);
    assert.equal(await page.locator('[data-wait]').count(), 1);
    assert.deepEqual(await violationsInWindows(page), []);
  });
});
