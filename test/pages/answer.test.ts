import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startForms } from '../support/submission-support.ts';
import { startApp } from '../support/support.ts';
import { answering, visit } from './page-support.ts';

const PRICE = 'clm-diagnostic-price';

const addressOf = (url: string, question: string) =>
  `${url}/ask?${new URLSearchParams({ q: question, lang: 'es' })}`;

describe('the page of an answer', () => {
  it('shows question, sentence, figure, both limits, how it was measured and where it comes from', async t => {
    const { url } = await startApp(t, { brand: await answering({ [PRICE]: 0.92 }) });
    const { html, text } = await visit(addressOf(url, '¿Cuánto cuesta el diagnóstico?'));
    assert.match(html, /<title>¿Cuánto cuesta el diagnóstico\? · Norte Claro<\/title>/);
    assert.match(html, /<meta property="og:description" content="El diagnóstico inicial cuesta 7\.900 euros/);
    assert.match(html, /<h1 tabindex="-1" autofocus>¿Cuánto cuesta el diagnóstico\?<\/h1>/);
    for (const shown of [
      /similitud con tu pregunta: 0,92\sde\s1\. Mide si tratan de lo mismo, no si es cierto\./,
      /7\.900\s€ sin IVA Se aplica a Empresas con una sola marca.* No se aplica a Grupos con varias marcas/,
      /Casos 62 Periodo tarifa vigente en 2026 y 2027 Base de la medición tarifa única publicada/,
      /Ver la prueba .*Palabra por palabra de nuestro perfil del 1 de noviembre de 2026\./,
    ])
      assert.match(text, shown);
    assert.doesNotMatch(text, /responde a tu pregunta|lo más cercano|[✓✕]/i, 'no verdict');
  });

  it('can be copied with its limits and address, and checked by a command', async t => {
    const { url } = await startApp(t, { brand: await answering({ [PRICE]: 0.92 }) });
    const { html } = await visit(addressOf(url, "it's"));
    const address = `${url}/ask?q=it%27s`;
    const [, copied = ''] = /data-copy="(El diagnóstico[^"]*)"/.exec(html) ?? [];
    assert.match(copied, /\nSe aplica a: Empresas .*\nNo se aplica a: Grupos .*\nhttp/);
    assert.ok(copied.endsWith(address));
    assert.ok(html.includes(`data-copy="${address}"`));
    assert.ok(html.includes(`aval verify &#39;${address}&#39;`));
  });

  it('draws every match of a similarity of .1 with its limits, and the first whatever it has', async t => {
    const others = { 'clm-senior-team': 0.1, 'clm-price-architecture': 0.09 };
    const { url, use } = await startApp(t, { brand: await answering({ [PRICE]: 0.9, ...others }) });
    const { html } = await visit(addressOf(url, 'precio'));
    assert.equal(html.match(/<article/g)?.length, 2);
    assert.equal(html.match(/<dl class="limits">/g)?.length, 2);
    await use(await answering({ [PRICE]: 0.02 }));
    assert.match((await visit(addressOf(url, 'precio'))).html, /<article class="claim">/);
  });

  it('says on an empty list that nothing is published, and leads to the form with the question', async t => {
    const { url } = await startForms(t, { brand: await answering({}) });
    const question = '¿Qué tiempo hace en Marte?';
    const { text, html } = await visit(addressOf(url, question));
    assert.match(text, /No hemos publicado nada sobre eso\. Pregunta al equipo/);
    assert.equal(html.match(/<li><a href="\/ask/g)?.length, 3);
    assert.doesNotMatch(html, /<article|method="post"/);
    const [, path = ''] = /<a class="button" href="([^"]+)"/.exec(html) ?? [];
    const form = await visit(url + path.replace('&#38;', '&'));
    assert.ok(form.html.includes(`>${question}</textarea>`));
  });

  it('leads to the firm’s address and website where the brand takes no requests, with and without a match', async t => {
    const { url, use } = await startApp(t);
    for (const similarities of [{}, { [PRICE]: 0.9 }]) {
      await use(await answering(similarities, { actions: {} }));
      const { html } = await visit(addressOf(url, 'un plan'));
      assert.match(html, /<a class="button" href="mailto:hola@norteclaro\.example\?subject=un%20plan">/);
      assert.match(html, /<a href="https:\/\/norteclaro\.example">Ir a norteclaro\.example<\/a>/);
    }
  });

  it('keeps a question that is one too many in its box, tells the wait and the way to a person', async t => {
    const { url } = await startApp(t, { env: { LIMITS: 'default=1/600' } });
    await visit(addressOf(url, 'precio'));
    const { status, html, text } = await visit(addressOf(url, '¿Cuánto cuesta?'));
    assert.equal(status, 429);
    assert.match(html, /<input id="q"[^>]* value="¿Cuánto cuesta\?"/);
    assert.match(text, /Vuelve a intentarlo dentro de 10 minutos/);
    assert.match(html, /href="\/forms\/diagnostic\?context=%C2%BFCu%C3%A1nto[^"]*"/);
  });

  it('offers the first questions of the profile where nothing was typed', async t => {
    const { url } = await startApp(t);
    const { status, html } = await visit(addressOf(url, ' '));
    assert.equal(status, 400);
    assert.equal(html.match(/<li><a href="\/ask/g)?.length, 3);
  });

  it('of an expired profile says so and offers a person, not another try', async t => {
    const { url, clock } = await startApp(t);
    clock.advance(20 * 365 * 86_400);
    const { status, html, text } = await visit(addressOf(url, 'precio'));
    assert.equal(status, 503);
    assert.match(text, /Este perfil ha caducado/);
    assert.doesNotMatch(text, /Vuelve a intentarlo/);
    assert.match(html, /href="\/forms\/diagnostic\?context=precio&#38;lang=es"/);
  });
});
