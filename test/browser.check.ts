import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill, openSite, SKIP } from './browser-support.ts';

const PERSON = {
  name: 'Ana Ruiz',
  email: 'ana@example.org',
  company: 'Conservas del Norte',
  country: 'España',
  context: 'El margen baja en 300 tiendas.',
};
const DIAGNOSTIC = { ...PERSON, role: 'Directora' };
const PARTNER = { ...PERSON, size: '3 a 5', level: 'Un nivel propio' };

const FORMS = [
  ['request_diagnostic', DIAGNOSTIC, 'Pedir el diagnóstico', '/forms/diagnostic'],
  ['apply_partner_program', PARTNER, 'Enviar la candidatura', '/forms/partner'],
] as const;

const THANKS = /Esto es una simulación: no se ha enviado nada/;

for (const javaScriptEnabled of [true, false]) {
  describe(`the forms in a browser ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, SKIP, () => {
    for (const [tool, fields, button, path] of FORMS) {
      it(`send ${tool} and show the thanks`, async t => {
        const { page, faults, mails } = await openSite(t, '/', { javaScriptEnabled });
        await fill(page, tool, fields);
        await page.click(`text=${button}`);
        await page.waitForURL('**/forms/thanks?**');
        assert.match(await page.innerText('main'), THANKS);
        assert.equal(mails.filter(({ to }) => to === 'team@localhost').length, 1);
        assert.deepEqual(faults, []);
      });

      it(`show what is wrong with ${tool}, keep what was typed and send it once it is mended`, async t => {
        const { page, mails } = await openSite(t, path, { javaScriptEnabled });
        await fill(page, tool, { ...fields, email: 'ana@example' });
        await page.click(`text=${button}`);
        await page.waitForSelector('.problem');
        assert.match(await page.innerText('.problem'), /Correo: no es una dirección de correo válida/);
        assert.equal(await page.inputValue(`#${tool}-name`), 'Ana Ruiz');
        assert.equal(await page.getAttribute(':focus', 'id'), `${tool}-email`);
        await page.fill(`#${tool}-email`, 'ana@example.org');
        await page.click(`text=${button}`);
        await page.waitForSelector('h1:text("Gracias")');
        assert.ok(mails.length > 0);
      });
    }

    it('tell the wait in minutes over the limit, with what was typed', async t => {
      const app = { env: { LIMIT_SUBMISSIONS: '1/600' } };
      const { page, url } = await openSite(t, '/forms/partner', { javaScriptEnabled, app });
      for (let times = 0; times < 2; times += 1) {
        await page.goto(`${url}/forms/partner?lang=es`);
        await fill(page, 'apply_partner_program', { ...PARTNER, size: String(times) });
        await page.click('text=Enviar la candidatura');
        await page.waitForSelector('h1:not(:text("Programa de partners"))');
      }
      assert.match(await page.innerText('main'), /Demasiados envíos.*Vuelve a intentarlo dentro de 10 minutos/s);
      assert.equal(await page.inputValue('#apply_partner_program-level'), 'Un nivel propio');
    });

    it('answer a question, and say so when there is no answer', async t => {
      const { page, url } = await openSite(t, '/', { javaScriptEnabled });
      const ask = async (question: string) => {
        await page.goto(`${url}/?lang=es`);
        await page.fill('#q', question);
        await (javaScriptEnabled ? page.press('#q', 'Enter') : page.click('#ask button'));
        await page.waitForSelector('#answer h1');
        return page.innerText('#answer');
      };
      assert.match(await ask('¿Cuánto cuesta el diagnóstico?'), /7\.900.*No se aplica a/s);
      assert.equal(new URL(page.url()).pathname, '/ask');
      assert.match(await ask('¿Qué tiempo hace en Marte?'), /Sobre eso no afirmamos nada/);
    });
  });
}

describe('a page in a browser', SKIP, () => {
  it('sends a form once for two clicks', async t => {
    const { page, mails } = await openSite(t, '/forms/partner');
    await fill(page, 'apply_partner_program', PARTNER);
    await page.dblclick('text=Enviar la candidatura');
    await page.waitForSelector('h1:text("Gracias")');
    assert.equal(mails.length, 1);
  });

  it('asks by keyboard alone, from the top of the page', async t => {
    const { page, faults } = await openSite(t);
    await page.keyboard.press('Tab');
    assert.equal(await page.innerText(':focus'), 'Ir al contenido');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.getAttribute(':focus', 'id'), 'q');
    await page.keyboard.type('¿Cuánto cuesta el diagnóstico?');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#answer article');
    assert.equal(await page.innerText(':focus'), 'Esto responde a tu pregunta.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#answer details[open]').count(), 1);
    assert.deepEqual(faults, []);
  });

  it('lets a reader of the reference copy, try with the real headers, and search', async t => {
    const { page, faults, context } = await openSite(t, '/docs');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('.copy >> nth=0');
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^curl -s --get 'http/);
    await page.click('.try >> nth=0 >> button');
    await page.waitForSelector('.try summary:visible');
    assert.match(await page.innerText('.try pre:visible'), /"brand": "Norte Claro"/);
    assert.equal(await page.innerText('.try summary:visible'), 'HTTP 200');
    await page.click('.try summary:visible');
    assert.match(await page.innerText('.try details pre:visible'), /^ratelimit: "default";r=\d+/m);
    await page.click('.tabs >> nth=0 >> text=MCP');
    assert.match(await page.innerText('.tabs >> nth=0 >> pre:visible'), /"tools\/call"/);
    await page.fill('#search', 'rate_limited');
    assert.equal(await page.locator('section#versions').isVisible(), false);
    assert.equal(await page.locator('section#errors').isVisible(), true);
    assert.match(await page.innerText('#found'), /^\d+ secci(ón|ones)$/);
    assert.deepEqual(faults, []);
  });
});
