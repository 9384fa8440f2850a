import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { ROOT } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { MailDouble, PARTNER } from '../support/submission-support.ts';
import { startApp } from '../support/support.ts';
import { type BrowserOptions, openBrowser, SKIP, violations } from './browser-support.ts';

interface Kit extends BrowserOptions {
  readonly isListed?: boolean;
  readonly lang?: string;
  readonly host?: string;
  /** Further pages of the site, by path: what stands before the elements. */
  readonly hosts?: Readonly<Record<string, string>>;
}

/** What docs/website.md says to put into a page. */
const SNIPPET = /```html\n(<script.*?)```/s.exec(readFileSync(`${ROOT}docs/website.md`, 'utf8'))?.[1] ?? '';

/** The example site on an origin of its own, with a page that holds the elements, and the server it names. */
async function openKit(
  t: TestContext,
  path: string,
  { isListed = true, lang = 'es', host = 'www.acme.example', hosts = {}, ...window }: Kit = {},
) {
  let server = '';
  const snippet = () => SNIPPET.replaceAll('https://api.acme.example', server);
  const site = await serve(t, ({ url = '' }, response) => {
    const name = url.split('?')[0];
    if (hosts[name ?? ''] !== undefined) {
      response.setHeader('content-type', 'text/html');
      return response.end(
        `<!doctype html><html lang="${lang}"><link rel="icon" href="data:,">${hosts[name ?? '']}${snippet()}`,
      );
    }
    if (name === '/embed.html') {
      const policy = `default-src 'none'; script-src ${server}; connect-src ${server}; img-src data:; require-trusted-types-for 'script'; trusted-types aval`;
      response.setHeader('content-security-policy', policy);
      response.setHeader('content-type', 'text/html');
      return response.end(`<!doctype html><html lang="${lang}"><link rel="icon" href="data:,">${snippet()}`);
    }
    if (name === '/favicon.ico') return response.writeHead(204).end();
    response.setHeader(
      'content-type',
      { html: 'text/html', css: 'text/css', js: 'text/javascript' }[name?.split('.')[1] ?? ''] ?? '',
    );
    const text = readFileSync(`${ROOT}examples/site${name}`, 'utf8');
    return response.end(text.replaceAll('http://127.0.0.1:8787', server));
  });
  const origin = site.replace('127.0.0.1', host);
  const mailer = new MailDouble();
  const { url } = await startApp(t, { mailer, env: isListed ? { ALLOWED_ORIGINS: origin } : {} });
  server = url;
  const opened = await openBrowser(t, window);
  await opened.page.goto(origin + path);
  return { ...opened, mailer, url };
}

const element = (page: Page, show: string) =>
  page.locator(show === 'ask' ? 'aval-ask' : `aval-form[action=${show}]`);

describe('the element on a page of another site with a strict policy', SKIP, () => {
  it('answers a question, in its own style, without a cookie', async t => {
    const { page, faults, context } = await openKit(t, '/embed.html');
    const ask = element(page, 'ask');
    await ask.locator('#q').fill('¿Cuánto cuesta el diagnóstico?');
    await ask.locator('#q').press('Enter');
    await ask.locator('article').first().waitFor();
    assert.match(await ask.locator('#answer').innerText(), /7\.900/);
    const button = 'document.querySelector("aval-ask").shadowRoot.querySelector(".next .button")';
    assert.equal(await page.evaluate(`getComputedStyle(${button}).backgroundColor`), 'rgb(10, 95, 87)');
    assert.equal(await ask.locator('header, footer, nav').count(), 0);
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual(faults, []);
  });

  it('sends a form, says what is wrong in place, and tells the team where it stood', async t => {
    const { page, mailer } = await openKit(t, '/embed.html?utm_source=boletin&other=1');
    const partner = element(page, 'partner');
    for (const [name, value] of Object.entries({ ...PARTNER, email: 'ana@example' }))
      await partner.locator(`[name=${name}]`).fill(value);
    await partner.locator('button').click();
    await partner.locator('.problem').waitFor();
    assert.match(
      await partner.locator('.problem').innerText(),
      /Correo: no es una dirección de correo válida/,
    );
    assert.equal(await partner.locator('[name=company]').inputValue(), PARTNER.company);
    await partner.locator('[name=email]').fill('ana@example.org');
    await partner.locator('button').click();
    await partner.locator('text=Gracias').waitFor();
    assert.match(
      mailer.mails[0]?.text ?? '',
      /page:\n> http:\/\/www\.acme\.example:\d+\/embed\.html\n.*utm_source:\n> boletin/s,
    );
  });

  it('names the setting in the console where the page’s origin is not allowed to send', async t => {
    const { page, faults } = await openKit(t, '/embed.html', { isListed: false });
    while (!faults.some(fault => fault.includes('ALLOWED_ORIGINS'))) await page.waitForEvent('console');
    assert.equal(await element(page, 'partner').locator('form').count(), 0);
    assert.equal(await element(page, 'partner').locator('a').innerText(), 'Become a partner');
    await element(page, 'ask').locator('#q').waitFor();
  });
});

/** What themes of well-known site builders do to everything on a page. */
const HOSTS = {
  '/theme.html': `<style>html{font-size:62.5%}*{font-size:9px!important;letter-spacing:4px!important;text-transform:uppercase!important;line-height:1!important;color:#777!important;font-family:cursive!important;text-align:center!important;font-style:italic!important}</style>`,
  '/dark.html': '<style>body{background:#000;color:#fff}</style>',
  '/night.html': '<style>:root{color-scheme:dark}body{background:#000;color:#fff}</style>',
  '/rtl.html': '<script>document.documentElement.dir="rtl"</script>',
} as const;

describe('the element on pages of site builders', SKIP, () => {
  it('is accessible on each of them, empty, with an answer and where nothing fits', async t => {
    const { page } = await openKit(t, '/theme.html', { hosts: HOSTS });
    for (const path of ['theme', 'dark', 'night', 'rtl'])
      for (const question of ['', '¿Cuánto cuesta el diagnóstico?', '¿Qué tiempo hace en Marte?']) {
        await page.goto(new URL(`/${path}.html`, page.url()).href);
        await element(page, 'partner').locator('button').waitFor();
        await element(page, 'ask').locator('#q').fill(question);
        if (question !== '') {
          await page.keyboard.press('Enter');
          await element(page, 'ask').locator('.verdict').waitFor();
        }
        for (const one of ['aval-ask', 'aval-form'])
          assert.deepEqual(await violations(page, undefined, one), [], `${path} ${one} ${question}`);
      }
  });
});
