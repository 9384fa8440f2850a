import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { serve } from '../support/serve.ts';
import { MailDouble } from '../support/submission-support.ts';
import { startApp } from '../support/support.ts';
import { openBrowser, SKIP } from './browser-support.ts';

/** A form as a website writes it, on a page that hides its origin. */
const formPage = (server: string) => `<!doctype html><meta name="referrer" content="no-referrer">
<title>Contacto</title>
<form method="post" action="${server}/api/v1/contact?lang=es">
<input name="name"><input name="email" type="email"><input name="company"><input name="role"><input name="country">
<textarea name="context" maxlength="4000"></textarea>
<input type="checkbox" name="interés" value="precios"><input type="checkbox" name="interés" value="surtido">
<input type="hidden" name="utm_source" value="boletín"><input type="hidden" name="_key" value="contacto">
<input type="hidden" name="form_id" value="7">
<button>Enviar</button></form>`;

async function open(t: TestContext) {
  const mailer = new MailDouble();
  const { url } = await startApp(t, { mailer });
  const site = await serve(t, (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(formPage(url));
  });
  const { page } = await openBrowser(t, { javaScriptEnabled: false });
  await page.goto(site);
  return { page, mailer };
}

/** 3,900 characters with 150 line breaks: 4,050 as a browser sends them. */
const CONTEXT = `${'Vendemos en las tiendas.\n'.repeat(150)}${'x'.repeat(149)}fin`.slice(-3900);

const FIELDS = {
  name: 'Ana Ruiz',
  email: 'ana@example',
  company: 'Conservas',
  role: 'Directora',
  country: 'España',
  context: CONTEXT,
};

describe('a plain form in Chromium without JavaScript', SKIP, () => {
  it('loses nothing after a mistake, shows it again after Back, and reaches the team whole', async t => {
    const { page, mailer } = await open(t);
    for (const [name, value] of Object.entries(FIELDS)) await page.locator(`[name="${name}"]`).fill(value);
    for (const box of await page.locator('[type=checkbox]').all()) await box.check();
    await page.locator('button').click();

    const form = page.locator('form[action*="/forms/diagnostic"]');
    assert.match(await page.locator('main').innerText(), /Escribe un correo como ana@example/);
    assert.equal(await form.locator('[name=context]').inputValue(), CONTEXT);
    await form.locator('[name=email]').fill('ana@example.org');
    await form.locator('button').click();
    await page.locator('.reference').waitFor();

    const text = (await mailer.arrived(1))[0]?.text ?? '';
    const lines = CONTEXT.split('\n').map(line => `> ${line}`.trimEnd());
    assert.ok(text.includes(lines.join('\n')), text);
    for (const value of ['precios, surtido', 'boletín']) assert.ok(text.includes(value), value);
    assert.doesNotMatch(text, /form_id/);

    await page.goBack();
    assert.equal(await form.locator('[name=context]').inputValue(), CONTEXT);
    assert.equal(await form.locator('[name=name]').inputValue(), 'Ana Ruiz');
  });
});
