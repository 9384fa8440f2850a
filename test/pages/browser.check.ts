import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIAGNOSTIC, PARTNER } from '../support/submission-support.ts';
import { fill, openSite, SKIP } from './browser-support.ts';

describe('a browser without JavaScript', SKIP, () => {
  it('shows what is wrong with a form, keeps what was typed and sends it once it is mended', async t => {
    const { page, faults, mails } = await openSite(t, '/forms/diagnostic', { javaScriptEnabled: false });
    await fill(page, 'request_diagnostic', { ...DIAGNOSTIC, email: 'ana@example' });
    await page.click('text=Pedir el diagnóstico');
    assert.match(await page.innerText('.problem'), /Escribe un correo como ana@example/);
    assert.equal(await page.inputValue('#request_diagnostic-name'), DIAGNOSTIC.name);
    assert.equal(await page.getAttribute(':focus', 'id'), 'request_diagnostic-email');
    await page.fill('#request_diagnostic-email', 'ana@example.org');
    await page.click('text=Pedir el diagnóstico');
    await page.waitForSelector('h1:text("Hemos recibido")');
    assert.equal(mails.filter(({ to }) => to === 'team@localhost').length, 1);
    assert.deepEqual(
      faults.filter(fault => !fault.includes('400 (Bad Request)')),
      [],
    );
  });

  it('gets the answer to a question as a page of its own', async t => {
    const { page } = await openSite(t, '/', { javaScriptEnabled: false });
    await page.fill('#q', '¿Cuánto cuesta el diagnóstico?');
    await page.click('#ask button');
    assert.match(await page.innerText('#answer'), /7\.900.*No se aplica a/s);
    assert.equal(new URL(page.url()).pathname, '/ask');
  });
});

describe('a page in a browser', SKIP, () => {
  it('sends a form once for two clicks', async t => {
    const { page, mails } = await openSite(t, '/forms/partner');
    await fill(page, 'apply_partner_program', PARTNER);
    await page.dblclick('text=Enviar la candidatura');
    await page.waitForSelector('h1:text("Hemos recibido")');
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
    assert.equal(await page.innerText(':focus'), '¿Cuánto cuesta el diagnóstico?');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#answer details[open]').count(), 1);
    assert.deepEqual(faults, []);
  });

  it('filters the claims as one types, tells how many are left, and offers to ask what none says', async t => {
    const { page, faults } = await openSite(t, '/claims?lang=es');
    const shown = () => page.locator('.row:visible').count();
    const all = await shown();
    await page.fill('#filter', 'PRECIO');
    const left = await shown();
    assert.ok(left > 0 && left < all);
    assert.equal(await page.innerText('.filter [role=status]'), `${left} de ${all} con «PRECIO»`);
    const counts = await page.locator('.jumps .count').allInnerTexts();
    assert.equal(
      counts.reduce((sum, count) => sum + Number(count), 0),
      left,
    );
    await page.fill('#filter', 'submarino amarillo');
    assert.equal(await shown(), 0);
    assert.match(
      await page.innerText('.filter [role=status]'),
      /Ninguna afirmación dice «submarino amarillo»/,
    );
    await page.click('.filter button');
    assert.equal(await shown(), all);
    assert.equal(await page.getAttribute(':focus', 'id'), 'filter');
    await page.fill('#filter', 'submarino amarillo');
    await page.click('.filter a');
    await page.waitForURL('**/ask?**');
    assert.equal(await page.inputValue('#q'), 'submarino amarillo');
    assert.deepEqual(faults, []);
  });

  it('shows the other language with what was typed, and Back after a refusal with it too', async t => {
    const { page } = await openSite(t, '/forms/partner?lang=es');
    await fill(page, 'apply_partner_program', { ...PARTNER, email: 'ana@example' });
    await page.click('header a[hreflang=en]');
    await page.waitForSelector('html[lang=en]');
    assert.equal(await page.inputValue('#apply_partner_program-context'), PARTNER.context);
    await page.click('form[method=post] button');
    await page.waitForSelector('.problem');
    await page.goBack();
    assert.equal(await page.inputValue('#apply_partner_program-company'), PARTNER.company);
  });

  it('prints an answer on one page: question, limits and address, without boxes and buttons', async t => {
    const { page, url } = await openSite(t, '/ask?q=precio&lang=es');
    await page.emulateMedia({ media: 'print' });
    const text = await page.innerText('body');
    assert.match(text, /No se aplica a/);
    assert.ok(text.includes(`${url}/ask?q=precio`));
    assert.equal(await page.locator('button:visible, textarea:visible, nav:visible').count(), 0);
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
    assert.equal(pages?.length, 1);
    await page.goto(`${url}/?lang=es`);
    assert.equal(await page.locator('.button:visible').count(), 0);
  });
});
