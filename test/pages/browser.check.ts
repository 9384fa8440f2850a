import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIAGNOSTIC, PARTNER } from '../support/submission-support.ts';
import { fill, openSite, SKIP } from './browser-support.ts';

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
        assert.equal(await page.inputValue(`#${tool}-name`), fields.name);
        assert.equal(await page.getAttribute(':focus', 'id'), `${tool}-email`);
        await page.fill(`#${tool}-email`, 'ana@example.org');
        await page.click(`text=${button}`);
        await page.waitForSelector('h1:text("Gracias")');
        assert.ok(mails.length > 0);
      });
    }

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

  it('begins the cards of a row at one height, and puts cards of a category closer than categories', async t => {
    const { page, url } = await openSite(t);
    const boxes = async (css: string) => {
      const found = await Promise.all((await page.locator(css).all()).map(one => one.boundingBox()));
      return found.flatMap(box => box ?? []);
    };
    const [first, ...others] = await boxes('.shown .claim');
    const row = others.filter(({ x }) => x !== first?.x);
    assert.deepEqual(
      row.map(({ y }) => y),
      [first?.y, first?.y],
    );

    await page.goto(`${url}/claims?lang=es`);
    const groups = await Promise.all(
      Array.from({ length: await page.locator('.group').count() }, (_, at) =>
        boxes(`#category-${at + 1} .claim`),
      ),
    );
    const cards = groups.flatMap((group, at) =>
      group.map(({ y, height }) => ({ at, top: y, end: y + height })),
    );
    const gaps = cards.slice(1).map(({ at, top }, before) => ({
      isWithin: at === cards[before]?.at,
      gap: top - (cards[before]?.end ?? 0),
    }));
    const of = (isWithin: boolean) => gaps.filter(one => one.isWithin === isWithin).map(({ gap }) => gap);
    assert.ok(groups.length > 2 && of(true).length > 2);
    assert.ok(Math.max(...of(true)) < Math.min(...of(false)), `${of(true)} within, ${of(false)} between`);
  });
});
