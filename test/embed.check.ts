import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { embedSnippet } from '../discovery/embed/embed.ts';
import { type BrowserOptions, openBrowser, SKIP, violations } from './browser-support.ts';
import { MailDouble } from './submission-support.ts';
import { ROOT, startApp } from './support.ts';

const PERSON = { name: 'Ana Ruiz', email: 'ana@example.org', company: 'Conservas del Norte', country: 'España' };
const PARTNER = { ...PERSON, size: '3 a 5', level: 'Referidor', context: 'Doce clientes de alimentación.' };

interface Kit extends BrowserOptions {
  readonly isListed?: boolean;
  readonly lang?: string;
  readonly host?: string;
}

/** The example site on an origin of its own, with a page that holds what `aval embed` prints, and the server it names. */
async function openKit(
  t: TestContext,
  path: string,
  { isListed = true, lang = 'es', host = 'www.acme.example', ...window }: Kit = {},
) {
  let server = '';
  const site = createServer(({ url = '' }, response) => {
    const name = url.split('?')[0];
    if (name === '/embed.html') {
      const policy = `default-src 'none'; script-src ${server}; connect-src ${server}; img-src data:; require-trusted-types-for 'script'; trusted-types aval`;
      response.setHeader('content-security-policy', policy);
      response.setHeader('content-type', 'text/html');
      return response.end(`<!doctype html><html lang="${lang}"><link rel="icon" href="data:,">${embedSnippet(server)}`);
    }
    if (name === '/favicon.ico') return response.writeHead(204).end();
    response.setHeader(
      'content-type',
      { html: 'text/html', css: 'text/css', js: 'text/javascript' }[name?.split('.')[1] ?? ''] ?? '',
    );
    const text = readFileSync(`${ROOT}examples/site${name}`, 'utf8');
    return response.end(text.replaceAll('http://127.0.0.1:8787', server));
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  t.after(() => site.close());
  const address = site.address();
  const origin = `http://${host}:${typeof address === 'object' ? address?.port : ''}`;
  const mailer = new MailDouble();
  const { url } = await startApp(t, { mailer, env: isListed ? { ALLOWED_ORIGINS: origin } : {} });
  server = url;
  const opened = await openBrowser(t, window);
  await opened.page.goto(origin + path);
  return { ...opened, mailer, url };
}

const element = (page: Page, show: string) => page.locator(`aval-embed[show=${show}]`);

describe('the element on a page of another site with a strict policy', SKIP, () => {
  it('answers a question, in its own style, without a cookie', async t => {
    const { page, faults, context } = await openKit(t, '/embed.html');
    const ask = element(page, 'ask');
    await ask.locator('#q').fill('¿Cuánto cuesta el diagnóstico?');
    await ask.locator('#q').press('Enter');
    await ask.locator('article').first().waitFor();
    assert.match(await ask.locator('#answer').innerText(), /7\.900/);
    const button = 'document.querySelector("aval-embed").shadowRoot.querySelector("button")';
    assert.equal(await page.evaluate(`getComputedStyle(${button}).backgroundColor`), 'rgb(10, 95, 87)');
    assert.equal(await ask.locator('h1').count(), 0);
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual(faults, []);
  });

  it('can be read on a light page and on a dark one, whatever the visitor prefers', async t => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await openKit(t, '/embed.html', { colorScheme });
      for (const scheme of ['light', 'dark']) {
        await page.evaluate(`document.documentElement.style = 'color-scheme: ${scheme}; background: Canvas'`);
        await element(page, 'ask').locator('#q').waitFor();
        await element(page, 'partner').locator('button').waitFor();
        assert.deepEqual(await violations(page, ['color-contrast']), [], `${scheme}, preferring ${colorScheme}`);
      }
    }
  });

  it('is light on a page that says nothing of schemes', async t => {
    const { page } = await openKit(t, '/embed.html', { colorScheme: 'dark' });
    await element(page, 'ask').locator('label').waitFor();
    const shown = 'document.querySelector("aval-embed").shadowRoot.querySelector("label")';
    assert.equal(await page.evaluate(`getComputedStyle(${shown}).color`), 'rgb(29, 37, 47)');
  });

  it('sends a form, says what is wrong in place, and tells the team where it stood', async t => {
    const { page, mailer } = await openKit(t, '/embed.html?utm_source=boletin&other=1');
    const partner = element(page, 'partner');
    for (const [name, value] of Object.entries({ ...PARTNER, email: 'ana@example' }))
      await partner.locator(`[name=${name}]`).fill(value);
    await partner.locator('button').click();
    await partner.locator('.problem').waitFor();
    assert.match(await partner.locator('.problem').innerText(), /Correo: no es una dirección de correo válida/);
    assert.equal(await partner.locator('[name=company]').inputValue(), 'Conservas del Norte');
    await partner.locator('[name=email]').fill('ana@example.org');
    await partner.locator('button').click();
    await partner.locator('text=Gracias').waitFor();
    assert.match(
      mailer.mails[0]?.text ?? '',
      /page:\n> http:\/\/www\.acme\.example:\d+\/embed\.html\n.*utm_source:\n> boletin/s,
    );
  });

  it('speaks the language of the page', async t => {
    const { page } = await openKit(t, '/embed.html', { lang: 'en' });
    await element(page, 'diagnostic').locator('text=Request the diagnostic').waitFor();
    assert.equal(await element(page, 'ask').locator('label').innerText(), 'Your question');
  });

  it('names the setting in the console where the page’s origin is not allowed to send', async t => {
    const { page, faults } = await openKit(t, '/embed.html', { isListed: false });
    while (!faults.some(fault => fault.includes('ALLOWED_ORIGINS'))) await page.waitForEvent('console');
    assert.equal(await element(page, 'partner').locator('form').count(), 0);
    await element(page, 'ask').locator('#q').waitFor();
  });
});

describe('the example site', SKIP, () => {
  it('sends its plain form, with what the page adds, and the visitor gets a page', async t => {
    const { page, mailer } = await openKit(t, '/index.html', { host: '127.0.0.1' });
    const fields = { ...PERSON, role: 'Directora', context: 'El margen baja en 300 tiendas.' };
    for (const [name, value] of Object.entries(fields)) await page.fill(`#plain [name=${name}]`, value);
    await page.click('#plain button');
    await page.waitForSelector('h1:text("Gracias")');
    assert.match(mailer.mails[0]?.text ?? '', /page:\n> examples\/site/);
  });

  it('sends its application as JSON once, and says what is wrong', async t => {
    const { page, mailer, faults } = await openKit(t, '/index.html', { host: '127.0.0.1' });
    for (const [name, value] of Object.entries(PARTNER)) await page.fill(`#api [name=${name}]`, value);
    await page.click('#api button');
    await page.waitForSelector('#api [role=status]:text("Hemos recibido tu candidatura")');
    assert.equal(mailer.mails.length, 1);
    assert.deepEqual(
      faults.filter(fault => !/status of 400/.test(fault)),
      [],
    );
  });
});
