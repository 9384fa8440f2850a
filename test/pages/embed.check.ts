import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { ROOT } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { startApp } from '../support/support.ts';
import { type BrowserOptions, openBrowser, SKIP, violations } from './browser-support.ts';

/** What docs/website.md says to put into a page. */
const SNIPPET = /```html\n(<script.*?)```/s.exec(readFileSync(`${ROOT}docs/website.md`, 'utf8'))?.[1] ?? '';

const PRICE = '¿Cuánto cuesta el diagnóstico?';
const AFTER = '<p id="after">Más de esta web.</p>';

interface Host extends BrowserOptions {
  /** What stands on the page before the snippet. */
  readonly before?: string;
  readonly policy?: (server: string) => string;
}

/** A page of another site that holds the snippet of the documentation, before a paragraph of its own. */
async function openHost(t: TestContext, { before = '', policy, ...window }: Host = {}) {
  const { url } = await startApp(t);
  const origin = await serve(t, (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (policy) response.setHeader('content-security-policy', policy(url));
    const snippet = SNIPPET.replaceAll('https://api.acme.example', url);
    response.end(
      `<!doctype html><html lang="es"><meta name="viewport" content="width=device-width"><title>Otra web</title><link rel="icon" href="data:,">${before}<main><h1>Otra web</h1>${snippet}${AFTER}</main>`,
    );
  });
  const opened = await openBrowser(t, window);
  // Shifts of the layout that the visitor's own input did not cause (web.dev/cls).
  await opened.page.addInitScript(`
    window.shift = 0;
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await opened.page.goto(origin);
  await opened.page.waitForSelector('aval-ask #q');
  return { ...opened, url };
}

async function ask(page: Page, question: string): Promise<void> {
  await page.fill('aval-ask #q', question);
  await page.press('aval-ask #q', 'Enter');
  await page.waitForSelector('aval-ask #answer');
}

/** Computed style of the first element inside <aval-ask> that the selector names. */
const computed = (page: Page, css: string, names: readonly string[]): Promise<unknown> =>
  page.evaluate(`(() => {
    const style = getComputedStyle(document.querySelector('aval-ask').shadowRoot.querySelector('${css}'));
    return ${JSON.stringify(names)}.map(name => style[name]);
  })()`);

const STRICT = (server: string) =>
  `default-src 'none'; script-src ${server}; connect-src ${server}; style-src-attr 'unsafe-inline'; img-src data:; require-trusted-types-for 'script'; trusted-types aval`;

describe('<aval-ask> on a page of another site', SKIP, () => {
  it('answers a question under a strict policy, with its limits, without a cookie', async t => {
    const { page, faults, context } = await openHost(t, { policy: STRICT });
    await ask(page, PRICE);
    assert.match(await page.innerText('aval-ask #answer'), /7\.900.*No se aplica a/s);
    assert.equal(await page.locator('aval-ask :is(header, nav, form[method=post])').count(), 0);
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual(faults, []);
  });

  it('moves nothing of the page around while it is drawn: layout shift under .02', async t => {
    for (const width of [390, 1280]) {
      const { page } = await openHost(t, { width });
      await page.waitForLoadState('networkidle');
      const shift = Number(await page.evaluate('window.shift'));
      t.diagnostic(`${width} px: ${shift}`);
      assert.ok(shift < 0.02, `${width} px: ${shift}`);
    }
  });

  it('has the font, the size and the colours of the text around it, and no indent', async t => {
    const before = '<style>body{font:20px Georgia;color:#123456;margin:0}main{margin:0 40px}</style>';
    const { page } = await openHost(t, { before });
    await ask(page, PRICE);
    const style = (css: string) => computed(page, css, ['fontFamily', 'fontSize', 'color']);
    assert.deepEqual(await style('dd'), ['Georgia', '20px', 'rgb(18, 52, 86)']);
    assert.deepEqual(await style('.statement'), ['Georgia', '25px', 'rgb(18, 52, 86)']);
    const boxes = await Promise.all(
      ['aval-ask .ask', 'main > h1'].map(css => page.locator(css).first().boundingBox()),
    );
    assert.equal(boxes[0]?.x, boxes[1]?.x);
  });

  it('links to the page of the form in a window of its own, with the question', async t => {
    const { page, url } = await openHost(t);
    await ask(page, PRICE);
    const link = page.locator('aval-ask .otherwise a');
    const address = new URL((await link.getAttribute('href')) ?? '');
    assert.deepEqual([address.origin, address.pathname], [url, '/forms/diagnostic']);
    assert.equal(address.searchParams.get('context'), PRICE);
    assert.equal(await link.getAttribute('target'), '_blank');
  });

  it('answers in the language that the page has by then', async t => {
    const { page } = await openHost(t);
    await page.evaluate('document.documentElement.lang = "en"');
    await ask(page, PRICE);
    await page.waitForSelector('aval-ask >> text=From what we have published');
  });

  it('names its parts for the page’s style, a button apart from a link', async t => {
    const before =
      '<style>aval-ask::part(button){text-transform:uppercase}aval-ask::part(link){font-style:italic}</style>';
    const { page } = await openHost(t, { before });
    await ask(page, PRICE);
    const styleOf = (css: string) => computed(page, css, ['textTransform', 'fontStyle']);
    assert.deepEqual(await styleOf('#ask button'), ['uppercase', 'normal']);
    assert.deepEqual(await styleOf('.otherwise a'), ['uppercase', 'normal']);
  });

  it('keeps the link inside and tells the reason where the server does not answer', async t => {
    const { page } = await openBrowser(t);
    const { url } = await startApp(t);
    const script = await (await fetch(`${url}/embed.js`)).text();
    await page.route('**/forms/ask*', route => route.abort());
    await page.setContent(`<aval-ask><a href="/preguntas">Pregúntanos</a></aval-ask>`);
    await page.addScriptTag({ content: script });
    await page.waitForEvent('console', { predicate: message => message.text().startsWith('<aval-ask>') });
    assert.equal(await page.innerText('aval-ask a'), 'Pregúntanos');
    assert.ok(await page.isVisible('aval-ask a'));
  });

  it('is accessible on light, dark and right-to-left pages, empty and with an answer', async t => {
    for (const before of [
      '',
      '<style>body{background:#000;color:#fff}</style>',
      '<style>:root{color-scheme:dark}body{background:#111;color:#eee}</style>',
      '<script>document.documentElement.dir="rtl"</script>',
    ]) {
      const { page } = await openHost(t, { before });
      assert.deepEqual(await violations(page, undefined, 'aval-ask'), [], before);
      await ask(page, PRICE);
      assert.deepEqual(await violations(page, undefined, 'aval-ask'), [], before);
    }
  });
});
