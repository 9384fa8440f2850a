import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import type { Mail } from '../server/mail/mailer.ts';
import { startApp } from './support.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** The home page of a running server, in a browser that reports every refusal of its policy. */
async function home(t: TestContext, options: { javaScriptEnabled?: boolean; width?: number } = {}) {
  const mails: Mail[] = [];
  const send = async (mail: Mail) => ({ id: String(mails.push(mail)) });
  const { url } = await startApp(t, { mailer: { name: 'file', send, verify: async () => {} } });
  const { javaScriptEnabled = true, width = 1280 } = options;
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  t.after(() => browser.close());
  const page = await browser.newPage({ javaScriptEnabled, viewport: { width, height: 900 } });
  const faults: string[] = [];
  page.on('console', message => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', error => faults.push(error.message));
  await page.goto(url);
  return { page, faults, mails };
}

async function fill(page: Page, tool: string, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`#${tool}-${name}`, value);
}

const PERSON = {
  name: 'Ana Ruiz',
  email: 'ana@example.org',
  company: 'Conservas del Norte',
  country: 'España',
  context: 'El margen baja en 300 tiendas.',
};
const DIAGNOSTIC = { ...PERSON, role: 'Directora' };
const PARTNER = { ...PERSON, size: '3 a 5', level: 'Un nivel propio' };

const THANKS = /Una persona del equipo te responderá en un plazo de 48 horas/;

describe('the home page in a browser', { skip: CHROMIUM ? false : 'chromium is not installed' }, () => {
  it('sends the diagnostic and shows the thanks', async t => {
    const { page, faults } = await home(t);
    await fill(page, 'request_diagnostic', DIAGNOSTIC);
    await page.click('text=Pedir el diagnóstico');
    await page.waitForURL('**/api/v1/contact');
    assert.match(await page.innerText('main'), THANKS);
    assert.deepEqual(faults, []);
  });

  it('sends the diagnostic without JavaScript too', async t => {
    const { page } = await home(t, { javaScriptEnabled: false });
    await fill(page, 'request_diagnostic', DIAGNOSTIC);
    await page.click('text=Pedir el diagnóstico');
    await page.waitForURL('**/api/v1/contact');
    assert.match(await page.innerText('main'), THANKS);
  });

  it('shows what the server refuses, and keeps what was typed for the way back', async t => {
    const { page } = await home(t);
    await fill(page, 'request_diagnostic', { ...DIAGNOSTIC, email: 'ana@example' });
    await page.click('text=Pedir el diagnóstico');
    await page.waitForURL('**/api/v1/contact');
    assert.match(await page.innerText('main'), /Correo: no es una dirección de correo válida/);
    await page.goBack();
    assert.equal(await page.inputValue('#request_diagnostic-name'), 'Ana Ruiz');
  });

  it('sends the application once for two clicks, shows the thanks and empties the form', async t => {
    const { page, faults, mails } = await home(t);
    await fill(page, 'apply_partner_program', PARTNER);
    await page.dblclick('text=Enviar la candidatura');
    await page.waitForSelector('#partner output p');
    assert.match(await page.innerText('#partner output'), THANKS);
    assert.equal(await page.inputValue('#apply_partner_program-name'), '');
    assert.equal(mails.length, 1);
    assert.deepEqual(faults, []);
  });

  it('shows what is wrong with an application in Spanish', async t => {
    const { page } = await home(t);
    await fill(page, 'apply_partner_program', { ...PARTNER, email: 'ana@example', company: '   ' });
    await page.click('text=Enviar la candidatura');
    await page.waitForSelector('#partner output.bad');
    const shown = await page.innerText('#partner output');
    assert.match(shown, /Correo: no es una dirección de correo válida/);
    assert.match(shown, /Empresa: es obligatorio/);
  });

  it('lets nothing through that a control refuses itself', async t => {
    const { page } = await home(t);
    await fill(page, 'apply_partner_program', { ...PARTNER, context: 'corto' });
    await page.click('text=Enviar la candidatura');
    assert.equal(await page.innerText('#partner output'), '');
    assert.equal(await page.locator('#apply_partner_program-context:invalid').count(), 1);
  });

  it('answers a question with claims and their boundaries, and says so when it has none', async t => {
    const { page, faults } = await home(t);
    const ask = async (question: string) => {
      await page.fill('#q', question);
      await page.press('#q', 'Enter');
      await page.waitForSelector('#ask button:enabled');
      return page.innerText('#ask output');
    };
    assert.match(await ask('¿Cuánto cuesta el diagnóstico?'), /7\.900 euros.*No se aplica a/is);
    assert.match(await ask('¿Qué tiempo hace en Marte?'), /No tenemos una respuesta/);
    assert.deepEqual(faults, []);
  });

  it('fits a phone', async t => {
    const { page } = await home(t, { width: 360 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  });
});
