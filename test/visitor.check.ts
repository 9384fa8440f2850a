import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openSite, SKIP } from './browser-support.ts';

const PRICE = '¿Cuánto cuesta el diagnóstico?';

/** Changes to the page of an answer: figure, statement, boundary, evidence, proof, order, date, language, and what is added. */
const of = (name: string) => `$('[data-of="${name}"]')`;
const CHANGES = [
  "$('.figure').firstChild.data='5.900 € '",
  "$('.statement').textContent+=' Y gratis.'",
  "$('.statement').remove()",
  `${of('boundary.not_applicable_for')}.textContent='Nadie.'`,
  "$('.pairs .not').remove()",
  "$('.pairs dt').textContent='No se aplica a'",
  `${of('metric.n')}.textContent='620'`,
  "$('.evidence').remove()",
  "$('.proof strong').textContent='Una auditoría'",
  "$('.proof').remove()",
  "$('.claim').append('Sin límites.')",
  "$('.claim').dataset.claim='clm-other'",
  `${of('issued_at')}.textContent='1 de enero de 2030'`,
  "document.documentElement.className='translated-ltr'",
];
const CHANGES_OF_LIST = [
  "const[one,other]=document.querySelectorAll('.claim .statement');one.replaceWith(other)",
  "const[one,other]=document.querySelectorAll('.claim');const id=one.dataset.claim;one.dataset.claim=other.dataset.claim;other.dataset.claim=id",
  "const[one,other]=document.querySelectorAll('.figure');one.replaceWith(other.cloneNode(true))",
  "$('.low').remove()",
  `${of('issued_at')}.textContent='1 de noviembre de 2027'`,
];

describe('a visitor who checks', SKIP, () => {
  const said = (page: Page) => page.innerText('[role=status].good, [role=status].error');

  it('is told by the browser itself that the signature holds, on an answer and on the page of claims', async t => {
    const { page, url, faults } = await openSite(t, `/ask?q=${encodeURIComponent(PRICE)}&lang=es`);
    await page.click('text=Comprobar aquí');
    assert.match(await said(page), /^Coincide con el perfil publicado/);
    await page.goto(`${url}/claims?lang=es`);
    await page.click('text=Comprobar la firma');
    assert.match(await said(page), /^Coincide con el perfil publicado/);
    assert.deepEqual(faults, []);
  });

  it('is told of every change to a page where it stands, and of a translation by its name', async t => {
    const { page, url } = await openSite(t);
    const places = [
      [`/ask?q=${encodeURIComponent(PRICE)}&lang=es`, 'text=Comprobar aquí', CHANGES],
      ['/claims?lang=es', 'text=Comprobar la firma', CHANGES_OF_LIST],
    ] as const;
    for (const [path, button, changes] of places)
      for (const change of changes) {
        await page.goto(url + path);
        await page.evaluate(`{const $=css=>document.querySelector(css);${change}}`);
        await page.click(button);
        assert.match(
          await said(page),
          /^Esta página (no dice lo mismo que el perfil publicado|está traducida)/,
          change,
        );
        const isMarked = (await page.locator('.differs').count()) > 0;
        assert.equal(isMarked, !(await said(page)).includes('traducida'), change);
      }
  });
});

const FIELDS = { name: 'Ana', email: 'ana@example.org', company: 'C', size: '1', level: 'L', country: 'España' };

async function sendPartner(page: Page): Promise<void> {
  for (const [name, value] of Object.entries({ ...FIELDS, context: 'Doce clientes de alimentación.' }))
    await page.fill(`#apply_partner_program-${name}`, value);
  await page.click('form[method=post] button');
  await page.waitForSelector('.reference');
}

describe('a visitor who sends', SKIP, () => {
  it('sends once for a reload of the thanks, and for going back and sending again', async t => {
    const { page, mails } = await openSite(t, '/forms/partner');
    await sendPartner(page);
    const reference = await page.innerText('.reference');
    await page.reload();
    assert.equal(await page.innerText('.reference'), reference);
    await page.goBack();
    await sendPartner(page);
    assert.equal(mails.length, 1);
    assert.equal(await page.innerText('.reference'), reference);
  });
});
