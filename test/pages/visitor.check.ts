import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { openSite, SKIP, sendPartner } from './browser-support.ts';

const PRICE = '¿Cuánto cuesta el diagnóstico?';
const TWO = `${PRICE} ¿Cuánto dura?`;
const RESULTS = '¿Qué resultados tenéis?';

const ask = (question: string) => `/ask?q=${encodeURIComponent(question)}&lang=es`;

/** In each change `$` and `$$` find elements, `of` parts of the profile; `say` exchanges words, `wrap` puts them into an element. */
const HELPERS = `
  const $=css=>document.querySelector(css), $$=css=>[...document.querySelectorAll(css)], of=name=>$('[data-of="'+name+'"]');
  const statement=of('statement'), figure=of('figure'), card=$('.claim'), proof=$('.proof');
  const applies=of('boundary.applicable_for'), not=of('boundary.not_applicable_for');
  const textWith=(one,words)=>{const walk=document.createTreeWalker(one,4);while(walk.nextNode())if(walk.currentNode.data.includes(words))return walk.currentNode;throw new Error(words)};
  const say=(one,before,after)=>{const text=textWith(one,before);text.data=text.data.replace(before,after)};
  const wrap=(one,words,tag,more={})=>{const text=textWith(one,words).splitText(textWith(one,words).data.indexOf(words));
    text.splitText(words.length);const made=Object.assign(document.createElement(tag),more);text.replaceWith(made);made.append(text);return made};
  const put=(one,tag,text,more={})=>{const made=Object.assign(document.createElement(tag),more);made.textContent=text;one.append(made);return made};
  const swap=(one,other)=>{const place=document.createComment('');one.replaceWith(place);other.replaceWith(one);place.replaceWith(other)};
`;

/** Changes to the page of an answer of two claims, with the words by which a reader knows them. */
const OF_ANSWER = [
  // The statement.
  ['a digit of the statement', "say(statement,'7.900','5.900')"],
  ['a word of the statement left out', "say(statement,'entero ','')"],
  ['a word of the statement exchanged', "say(statement,'noventa','trescientos')"],
  ['the currency in the statement', "say(statement,'euros','dólares')"],
  ['a sentence more in the statement', "statement.append(' Y gratis.')"],
  ['the statement left out', 'statement.remove()'],
  ['the statements of two claims exchanged', "swap(...$$('.statement'))"],
  [
    'the statement in the other language',
    "statement.textContent='The initial diagnostic costs 7,900 euros.'",
  ],
  [
    'the same, marked as English',
    "statement.textContent='The initial diagnostic costs 7,900 euros.';statement.lang='en'",
  ],
  // The figure.
  ['the figure', "figure.firstChild.data='5.900 € '"],
  ['the currency of the figure', "say(figure,'€','$')"],
  ['the thousands of the figure', "say(figure,'7.900','7,900')"],
  ['the unit of the figure', "say(figure,'sin IVA','IVA incluido')"],
  ['the unit left out', "figure.querySelector('small').remove()"],
  ['the figure left out', 'figure.remove()'],
  ['the figures of two claims exchanged', "swap(...$$('.figure'))"],
  ['the sign of the figure', "figure.firstChild.data='−'+figure.firstChild.data"],
  ['the number of cases', "of('metric.n').textContent='620'"],
  ['the period', "say(of('metric.window'),'2027','2029')"],
  ['the basis left out', "of('metric.baseline').parentElement.remove()"],
  ['all evidence left out', "$('.evidence').remove()"],
  // The boundary.
  ['a clause of the boundary left out', "say(not,' o más de tres países','')"],
  ['a clause of the boundary added', "applies.append(' También grupos.')"],
  [
    'a clause that looks like a note of the check',
    "put(applies,'span',' También grupos.',{className:'was'})",
  ],
  [
    'a clause moved from "does not apply" to "applies"',
    "say(not,'Grupos con varias marcas o m','M');applies.append(' Grupos con varias marcas.')",
  ],
  ['the halves of the boundary exchanged', 'swap(applies,not)'],
  ['the labels of the boundary exchanged', "swap(...$$('.pairs dt').slice(0,2))"],
  ['the label of what does not apply', "$('.pairs .not dt').textContent='Se aplica a'"],
  ['the half that does not apply left out', "$('.pairs .not').remove()"],
  ['the half that does not apply emptied', "not.textContent=''"],
  ['the boundaries of two claims exchanged', "swap(...$$('.pairs'))"],
  ['the halves marked the other way', "$('.not').className='';$('.pairs > div').className='not'"],
  // The proofs.
  ['the title of a proof', "proof.querySelector('strong').textContent='Una auditoría'"],
  ['the date in the title of a proof', "say(proof.querySelector('strong'),'2026-2027','2020-2027')"],
  ['the publisher of a proof', "say(proof.querySelector('dd'),'Norte Claro','Banco de España')"],
  ['the kind of a proof', "proof.querySelector('.note').textContent='confidencial'"],
  ['a link on a proof', "wrap($$('.proof dd')[1],'Página','a',{href:'https://other.example/'})"],
  ['a proof left out', 'proof.remove()'],
  ['a proof doubled', 'proof.after(proof.cloneNode(true))'],
  [
    'a proof invented',
    "const made=proof.cloneNode(true);made.querySelector('strong').textContent='ISO 9001';proof.after(made)",
  ],
  ['a proof under another claim', "$$('.claim')[1].querySelector('details').append(proof)"],
  ['the proofs in another order', "const [,one,other]=$$('.proof');swap(one,other)"],
  ['how many proofs there are', "$$('.claim details summary')[0].textContent='Ver las 2 pruebas'"],
  // Order, and how near an answer is.
  ['the claims in another order', "swap(...$$('.claim'))"],
  ['the first claim left out', 'card.remove()'],
  ['the last claim left out', "$$('.claim')[1].remove()"],
  ['a claim doubled', 'card.after(card.cloneNode(true))'],
  [
    'a claim of the profile that does not answer',
    "const made=card.cloneNode(true);made.dataset.claim='clm-response-time';card.after(made)",
  ],
  ['the id of a claim', "card.dataset.claim='clm-other'"],
  [
    'the ids of two claims exchanged',
    "const [one,other]=$$('.claim');[one.dataset.claim,other.dataset.claim]=[other.dataset.claim,one.dataset.claim]",
  ],
  ['a claim that names no id', "card.removeAttribute('data-claim')"],
  ['a part that names nothing', "not.removeAttribute('data-of');not.textContent='Nadie.'"],
  [
    'how near the answer is',
    "$('.verdict').textContent='Es lo más cercano que afirmamos; puede no ser lo que preguntas.'",
  ],
  ['the date of the profile', "of('issued_at').textContent='1 de enero de 2030'"],
  ['where the words come from', "say($('.said span'),'Palabra por palabra','Resumen')"],
  ['where the button below leads', "$('.next a').href='https://other.example/'"],
  ['the words of the button below', "$('.next a').textContent='Contrata por 5.900 €'"],
  ['the address that is copied', "$('[data-copy]').dataset.copy='https://other.example/'"],
  ['a question under the answer', "$('.chips a').textContent='¿Es gratis?'"],
  // Words of somebody else.
  ['a sentence more in the card', "card.append('Sin límites.')"],
  ['a sentence more after the card', "put($('#answer'),'p','El precio baja a 5.900 euros.')"],
  ['a sentence more at the top of the page', "$('main').prepend('Oferta: 5.900 euros.')"],
  ['a sentence more under the page', "put(document.body,'p','El precio baja a 5.900 euros.')"],
  ['a sentence more outside the body', "put(document.documentElement,'p','El precio baja a 5.900 euros.')"],
  ['a sentence more in the bar', "put($('header'),'strong','Oferta: 5.900 euros')"],
  [
    'a picture of a sentence under the page',
    "put(document.body,'img','',{alt:'',width:300,height:40,src:'data:image/gif;base64,R0lGODlhAQABAAAAACw='})",
  ],
  ['a sentence more in the form', "put($('#ask'),'p','El diagnóstico es gratis.')"],
  ['a limit struck through', "wrap(not,'Grupos con varias marcas','s')"],
  ['a statement marked as deleted', "wrap(statement,'más IVA','del')"],
  ['another figure, as a ruby', "put(wrap(statement,'7.900','ruby'),'rt','5.900')"],
  [
    'a picture in the statement',
    "put(statement,'img','',{alt:'5.900 €',src:'data:image/gif;base64,R0lGODlhAQABAAAAACw='})",
  ],
  ['a frame in the card', "put(card,'iframe','',{src:'/ask'})"],
  // Letters that look alike, and letters that do not show.
  ['a letter of another script', "say(statement,'cuesta','сuesta')"],
  ['a digit of full width', "say(statement,'7.900','７.900')"],
  ['a space of no width', "say(statement,'7.900','7.9\\u200b00')"],
  ['a soft hyphen', "say(statement,'precio','pre\\u00adcio')"],
  ['the other direction', "say(statement,'7.900','\\u202e009.7\\u202c')"],
  ['a space that does not break', "say(statement,'7.900 euros','7.900\\u00a0euros')"],
  ['a mark over a letter', "say(statement,'cuesta','cuesta\\u0336')"],
  ['two spaces and a new line', "say(statement,'7.900 euros','7.900  \\neuros')"],
  // What other readers than eyes are told.
  ['a title over the figure', "figure.title='5.900 €'"],
  ['another name for screen readers', "statement.setAttribute('aria-label','Cuesta 5.900 euros.')"],
  ['a boundary hidden from screen readers', "$('.pairs').ariaHidden='true'"],
  ['a description by another part', "card.setAttribute('aria-describedby','q')"],
  // What is there and does not show, or shows and is not there.
  ['a boundary hidden', "$('.not').hidden=true"],
  [
    'the true statement hidden, a false one beside it',
    "statement.style.display='none';statement.after(Object.assign(document.createElement('p'),{className:'statement',textContent:'Cuesta 5.900 euros.'}))",
  ],
  ['a boundary that cannot be seen through', "$('.not').style.opacity=0"],
  ['a boundary out of the window', "$('.not').style.cssText='position:absolute;left:-99rem'"],
  ['a boundary without size', 'not.style.fontSize=0'],
  ['a boundary in the colour of the card', "not.style.color='transparent'"],
  ['a boundary in a class that hides', "$('.not').classList.add('trap')"],
  [
    'the claims reordered by their style',
    "$('#answer').style.cssText='display:flex;flex-direction:column';card.style.order=9",
  ],
  ['the page from right to left', "document.body.dir='rtl'"],
  ['a rule that hides a boundary', "document.styleSheets[0].insertRule('.not{display:none}')"],
  [
    'a rule that writes a figure',
    'document.styleSheets[0].insertRule(\'.figure::after{content:" − 2.000 €"}\')',
  ],
  [
    'a sheet that reorders the claims',
    "const sheet=new CSSStyleSheet();sheet.replaceSync('#answer{display:flex;flex-direction:column-reverse}');document.adoptedStyleSheets=[sheet]",
  ],
  ['a style element', "put(document.head,'style','.not{display:none}')"],
  ['a boundary laid over', "put(document.body,'div','',{style:'position:fixed;inset:0;background:#fff'})"],
  [
    'an element of another program laid over',
    "put(document.body,'x-note','',{style:'position:fixed;inset:0'}).attachShadow({mode:'closed'}).append('5.900 €')",
  ],
  [
    'a shadow in place of the statement',
    "statement.attachShadow({mode:'open'}).append('Cuesta 5.900 euros.')",
  ],
  [
    'a closed shadow in place of the statement',
    "statement.attachShadow({mode:'closed'}).append('Cuesta 5.900 euros.')",
  ],
  // What the check itself reads.
  [
    'the words by which the check knows a label',
    "const b=$('[data-check]');b.dataset.check=b.dataset.check.replace('No se aplica a','Nunca falta a');$('.not dt').textContent='Nunca falta a'",
  ],
  [
    'the words by which the check says no',
    "const b=$('[data-check]'),w=JSON.parse(b.dataset.check);b.dataset.check=JSON.stringify({...w,differs:w.good});say(statement,'7.900','5.900')",
  ],
  [
    'the words that the check lets pass',
    "const b=$('[data-check]'),w=JSON.parse(b.dataset.check);b.dataset.check=JSON.stringify({...w,disclosure:{...w.disclosure,public:'auditada'}});proof.querySelector('.note').textContent='auditada'",
  ],
  [
    'a second button that says yes',
    "$('.said').append(Object.assign($('[data-check]').cloneNode(true),{textContent:'Comprobado'}))",
  ],
  [
    'a result of the check that nobody asked for',
    "put($('.said'),'span','Coincide con el perfil publicado.',{className:'good'})",
  ],
  ['the words of the check made unreadable', "$('[data-check]').dataset.check='{'"],
  ['the place of the result left out', "$('.said [role=status]').remove();say(statement,'7.900','5.900')"],
  // The language.
  ['the language of the statement', "statement.lang='en'"],
  ['the language of the card', "card.lang='en'"],
  ['the language of the page', "document.documentElement.lang='en'"],
  ['a translation by the browser', "document.documentElement.className='translated-ltr'"],
] as const;

/** To the page of a claim that is near, to that of what the brand does, and to the list of all. */
const OF_OTHERS = [
  [ask(RESULTS), 'near made an answer', "$('.verdict').textContent='Esto responde a tu pregunta.'"],
  [ask(RESULTS), 'the colour of an answer', "$('.verdict').className='verdict'"],
  [ask('¿Qué hacéis?'), 'the description cut off', "say(of('description'),'.','')"],
  [ask('¿Qué hacéis?'), 'a claim in one line left out', "$('.further details').remove()"],
  [
    '/claims?lang=es',
    'the statements of two claims exchanged',
    "const[one,other]=$$('.claim .statement');one.replaceWith(other)",
  ],
  [
    '/claims?lang=es',
    'the ids of two claims exchanged',
    "const[one,other]=$$('.claim');[one.dataset.claim,other.dataset.claim]=[other.dataset.claim,one.dataset.claim]",
  ],
  [
    '/claims?lang=es',
    'a figure in place of another',
    "const[one,other]=$$('.figure');one.replaceWith(other.cloneNode(true))",
  ],
  ['/claims?lang=es', 'a claim left out', "$$('.claim')[4].remove()"],
  ['/claims?lang=es', 'a claim hidden', "$$('.claim')[4].hidden=true"],
  ['/claims?lang=es', 'a claim in another category', "$$('.group .body')[1].append($('.claim'))"],
  ['/claims?lang=es', 'a doubt left out', "$('.low').remove()"],
  ['/claims?lang=es', 'the date of the profile', "of('issued_at').textContent='1 de noviembre de 2027'"],
] as const;

/** Pages as the server sends them, and what visitors, our scripts and programs of a browser do to them. */
const SOUND = [
  ['an answer', ask(PRICE), ''],
  ['two answers', ask(TWO), ''],
  ['a claim that is near', ask(RESULTS), ''],
  ['a limit', ask('¿Incluye el diagnóstico a grupos con varias marcas?'), ''],
  ['what the brand does', ask('¿Qué hacéis?'), ''],
  ['every claim', '/claims?lang=es', ''],
  ['an answer, to a reader of another language', ask(TWO).replace('lang=es', 'lang=en'), ''],
  ['every claim, to a reader of another language', '/claims?lang=en', ''],
  ['a search in the claims', '/claims?q=precio&lang=es', ''],
  [
    'all opened, and words typed',
    ask(TWO),
    "for(const fold of $$('details'))fold.open=true;$('textarea').value='Otra'",
  ],
  [
    'claims filtered as one types',
    '/claims?lang=es',
    "$('#filter').value='precio';$('#filter').dispatchEvent(new Event('input',{bubbles:true}))",
  ],
  [
    'programs of the browser that add what does not show',
    ask(PRICE),
    "document.body.dataset.ext='1';document.documentElement.className='ext';put(document.documentElement,'ext-root','').attachShadow({mode:'open'});put(document.body,'div','',{id:'ext'});$('#q').after(document.createElement('ext-box'));$('#q').dataset.ext='1';put($('#ask'),'div','')",
  ],
] as const;

describe('a visitor who checks', SKIP, () => {
  const said = (page: Page) => page.innerText('[role=status].good, [role=status].error');

  for (const [name, path, change] of SOUND)
    it(`is told by the browser itself that the signature holds: ${name}`, async t => {
      const { page, url, faults } = await openSite(t);
      await page.goto(url + path);
      await page.evaluate(`(async()=>{${HELPERS}${change}})()`);
      for (const _ of ['once', 'again']) {
        await page.locator('[data-check]').dispatchEvent('click');
        assert.match(
          await said(page),
          /^(Coincide con el perfil publicado|This matches the published profile), /,
        );
      }
      assert.equal(await page.locator('.differs').count(), 0);
      assert.deepEqual(faults, []);
    });

  it(`is told of each of ${OF_ANSWER.length} changes to an answer and ${OF_OTHERS.length} to other pages, marked where it stands`, async t => {
    const { page, url, clock } = await openSite(t);
    const missed: string[] = [];
    const all = [...OF_ANSWER.map(([name, change]) => [ask(TWO), name, change] as const), ...OF_OTHERS];
    for (const [path, name, change] of all) {
      clock.advance(60);
      await page.goto(url + path);
      await page.evaluate(`{${HELPERS}${change}}`);
      await page.locator('[data-check]').first().dispatchEvent('click');
      const text = await said(page).catch(() => 'nothing');
      const marked = await page.locator('.differs').count();
      if (!isNamed(text, marked)) missed.push(`${name}: ${text} (${marked})`);
    }
    assert.deepEqual(missed, []);
  });

  it('is told where the profile does not hold, and where it could not be read', async t => {
    const { page, url } = await openSite(t);
    const changed = async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('7900', '5900') });
    };
    const cases = [
      ['**/brand.json', changed, /no tiene una firma válida/],
      ['**/brand.json', (route: Route) => route.abort(), /No hemos podido leer/],
      ['**/jwks.json', (route: Route) => route.fulfill({ status: 503 }), /No hemos podido leer/],
    ] as const;
    for (const [address, answer, words] of cases) {
      await page.goto(url + ask(PRICE));
      await page.route(address, answer);
      await page.click('[data-check]');
      assert.match(await said(page), words);
      await page.unroute(address);
    }
  });
});

/** By marks as many as are said; a translation and another style by their own words. */
const isNamed = (text: string, marked: number): boolean =>
  /^Esta página no dice lo mismo que el perfil publicado/.test(text)
    ? marked > 0 && text.endsWith(`: ${marked}.`)
    : /^(Esta página está traducida|Algo cambia el aspecto)/.test(text);

describe('a visitor who sends', SKIP, () => {
  it('sends once for a reload of the thanks, and for going back and sending again', async t => {
    const { page, mails } = await openSite(t, '/forms/partner');
    await sendPartner(page);
    await page.waitForSelector('.reference');
    const reference = await page.innerText('.reference');
    await page.reload();
    assert.equal(await page.innerText('.reference'), reference);
    await page.goBack();
    await sendPartner(page);
    await page.waitForSelector('.reference');
    assert.equal(mails.length, 1);
    assert.equal(await page.innerText('.reference'), reference);
  });
});
